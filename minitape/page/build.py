"""The page as text: the parts put into their places, and a policy that forbids every connection."""

import base64
import hashlib
import html
import json
from importlib import resources
from typing import Any

from minitape.explain.report import Report
from minitape.page.data import Numbers, as_data
from minitape.page.pictures import Drawn, drawn_for
from minitape.page.sources import source_panes
from minitape.story import Answer, Call, Story, moves, tell
from minitape.trace.trace import Trace
from minitape.trace.writing import seldom_searched, strict

THEMES = ("auto", "light", "dark")
_SHOWN = 3  # answers beside the name of the run
LARGEST = 20_000_000  # characters of data; a browser opens more, but not at once


@seldom_searched()
def page(
    trace: Trace,
    report: Report,
    *,
    theme: str = "auto",
    cards: int = 60,
    start: int = 0,
    call: int | None = None,
    engine: str | None = None,
) -> str:
    """The debugger's page: source, picture, what happens now, and a line through time.

    Args:
        trace: What the program did.
        report: What the explainer says about it.
        theme: `light`, `dark`, or `auto` for that of the reader's system.
        cards: The most cards in one picture.
        start: The step it opens at.
        call: The gradient call to open at, in place of `start`.
        engine: Who lays out the pictures, as for `draw.find_engine`.

    Returns:
        The text of one HTML file. It loads nothing, and its security policy would not let it. Above 20 MB it keeps less
        of the tensors, and the page says so.
    """
    story = tell(trace, report)
    if call is not None:
        start = next(each.asked for each in story.calls if each.number == call)
    pictures = drawn_for(trace, report, story, cards, engine)
    text, left_out = _data(story, pictures, start)
    script, style = _asset("page.js"), _asset("page.css") + _colors(pictures)
    name = html.escape(f"{story.script or 'tape'} {story.ran_on}".rstrip())
    parts = {
        "POLICY": _policy(script, style),
        "TITLE": f"{name} · minitape",
        "THEME": theme,
        "STYLE": style,
        "NAME": name,
        "ANSWERS": _answers(story),
        "LEFT_OUT": html.escape(left_out),
        "SOURCES": source_panes(story),
        "PICTURES": "\n".join(each.html for each in pictures.all),
        "DATA": text,
        "SCRIPT": script,
    }
    text = _asset("page.html")
    for name, part in parts.items():
        before, mark, after = text.rpartition(f"<!--{name}-->")
        assert mark, name
        text = before + part + after
    return text.encode(errors="replace").decode()  # a file's name may hold what is no Unicode


def _asset(name: str) -> str:
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def _data(story: Story, pictures: Drawn, start: int) -> tuple[str, str]:
    """The data as JSON, with fewer numbers if it is too large, and what is then to be said."""
    leads = moves(story)
    for numbers in Numbers:
        text = _json(as_data(story, leads, pictures, start, numbers))
        if len(text) <= LARGEST:
            break
    return text, numbers.value


def _json(data: Any) -> str:
    """JSON that no HTML parser takes for markup."""
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(strict(data), ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _policy(script: str, style: str) -> str:
    """Only this very script and style may run, and nothing may be fetched."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _colors(pictures: Drawn) -> str:
    """The colours of the pictures in both themes, by the names that their SVG uses."""
    light = "".join(f"--p{i}:{one};" for i, (one, _) in enumerate(pictures.colors))
    dark = "".join(f"--p{i}:{two};" for i, (_, two) in enumerate(pictures.colors))
    return (
        f"\n:root{{{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f":root[data-theme=dark]{{{dark}}}\n"
    )


# --- the answers ---


def _answers(story: Story) -> str:
    """What each call gave."""
    return "\n".join(
        f'<li data-call="{call.number}" hidden>{_call(call)}</li>' for call in story.calls
    )


def _call(call: Call) -> str:
    """The call and its answers, the troubled ones first; more than fit a line wait behind a word."""
    answers = sorted(call.answers, key=lambda answer: not answer.code)
    said = "".join(map(_answer, answers[:_SHOWN]))
    if len(answers) > _SHOWN:
        rest = "".join(f"<p>{_answer(answer)}</p>" for answer in answers[_SHOWN:])
        said += (
            f'<details class="answer rest"><summary>and {len(answers) - _SHOWN} more</summary>'
            f"<div>{rest}</div></details>"
        )
    return f"<code>{html.escape(call.text)}</code> {said}"


def _answer(answer: Answer) -> str:
    result = f"{answer.text} = {answer.value or '?'}"
    if not answer.code:
        return f'<span class="answer">{html.escape(result)}</span> '
    where = f" line {answer.line}:" if answer.line else ""
    label = f"{result} ✗{where} {answer.label}"
    fix = (
        f"<p><b>Write instead:</b> <code>{html.escape(answer.fix)}</code></p>" if answer.fix else ""
    )
    return (
        f'<details class="answer lost"><summary>{html.escape(label)}</summary>'
        f"<div><p>{html.escape(answer.message)}</p>{fix}"
        f"<p class=muted>{answer.code} · minitape explain {answer.code} tells the whole story</p></div>"
        "</details> "
    )
