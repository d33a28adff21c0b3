"""The story as HTML, and as data for the page's script."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from minitape.draw.diagram import Diagram, diagram
from minitape.draw.diagram.model import Flow
from minitape.explain.report import Report
from minitape.html.data.term_data import Described
from minitape.html.pictures import named_colors
from minitape.html.story import texts
from minitape.html.story.moments import moments_of
from minitape.html.story.river import Badges, as_table, river
from minitape.html.story.scenes import FixedRun, Scene, SceneKind, Story, chosen_call, story_of
from minitape.html.story.trial import PANE, trial_of
from minitape.timeline import Timeline
from minitape.trace import events
from minitape.trace.trace import Trace

# The parts of the legend that a link needs; the widths of bands are always explained.
_KEYS_OF = {
    Flow.BAD: "bad",
    Flow.NOT_NEEDED: "bed",
    Flow.STOPPED: "bed",
    Flow.NEVER: "broken",
    Flow.CUT: "broken",
}
_LONG = 75  # the length of a text from which on it spans two columns


@dataclass(frozen=True)
class StoryPane:
    """The story of a page: its HTML, its data for the script, and the colors of its pictures, light and dark."""

    html: str
    data: dict[str, Any]
    colors: tuple[tuple[str, str], ...] = ()


def story_pane(
    trace: Trace,
    report: Report,
    timeline: Timeline,
    files: dict[str, int],
    fixed: FixedRun | None = None,
    *,
    is_checked: bool = False,
    described: Described | None = None,
) -> StoryPane:
    """Return the story of a run; empty if the run has no steps.

    Args:
        trace: The run.
        report: The findings about the run.
        timeline: The run as steps.
        files: The index of each file's pane.
        fixed: The run after a verified fix.
        is_checked: Whether the fixes were tried.
        described: How the numbers were computed.
    """
    if not timeline.steps:
        return StoryPane("", {})
    number = chosen_call(trace, report)
    made = None if number is None else diagram(trace, report, call=number)
    if made is not None and not made.stations:
        made = None
    story = story_of(trace, report, timeline, made, fixed, is_checked=is_checked)
    moments = tape = None
    if made is not None and number is not None:
        moments = moments_of(trace, report, timeline, number, made)
        tape = None if described is None else described.small_tape(number)
    colors: dict[tuple[str, str], int] = {}
    pictures = _pictures(story, made, fixed, timeline, colors, moments, has_trial=tape is not None)
    trial = trial_of(tape, made) if tape is not None and made is not None else None
    data = _data(story, files) | {"iterations": moments, "tape": trial}
    return StoryPane(_page(story, pictures), data, tuple(colors))


def _page(story: Story, pictures: str) -> str:
    scenes = "".join(_scene(scene, number) for number, scene in enumerate(story.scenes, start=1))
    culprit = f' <span class="culprit">{_with_code(story.culprit)}</span>' if story.culprit else ""
    return f"""\
<section id="story" aria-label="story of the run" hidden>
<div id="story-head">
<h2>{_with_code(story.headline.rstrip())}{culprit}</h2>
<p class="lede">{_with_code(story.lede)}</p>
<ol id="scenes">{scenes}</ol>
</div>
{pictures}
</section>"""


def _scene(scene: Scene, number: int) -> str:
    long = ' class="long"' if len(scene.text) > _LONG else ""
    return (
        f'<li{long}><button type="button" class="scene {scene.kind}" data-scene="{number}" aria-pressed="false">'
        f'<span class="title"><b class="count">{number}</b> {_with_code(scene.title)}</span>'
        f'<span class="caption">{_with_code(scene.text)}</span>{_number(scene)}</button></li>'
    )


def _number(scene: Scene) -> str:
    return f'<span class="number">{_with_code(scene.number)}</span>' if scene.number else ""


def _data(story: Story, files: dict[str, int]) -> dict[str, Any]:
    return {
        "call": story.call,
        "scenes": [
            {
                "kind": scene.kind.value,
                "question": _question(scene, story),
                "lines": [
                    [files[each.file], each.line, each.column, each.end_column]
                    if each.end_line == each.line and each.column >= 0
                    else [files[each.file], each.line]
                    for each in scene.lines
                    if each.file in files
                ],
                "cards": list(scene.stations),
                "step": scene.step,
            }
            for scene in story.scenes
        ],
        "changed": [
            [files[name], line, text] for name, line, text in story.changed if name in files
        ],
        "play": [texts.PLAY, texts.PAUSE],
    }


def _question(scene: Scene, story: Story) -> str:
    """Return the question of a slide before it shows the scene."""
    match scene.kind:
        case SceneKind.REQUESTED:
            return texts.ASKS_REQUESTED
        case SceneKind.FORWARD:
            return texts.ASKS_FORWARD(target=story.target)
        case SceneKind.BACKWARD:
            return texts.ASKS_BACKWARD(target=story.target)
        case SceneKind.STOPS:
            return texts.ASKS_STOPS
        case SceneKind.ARRIVES:
            return texts.ASKS_ARRIVES
        case SceneKind.TRIED | SceneKind.TRY:
            return texts.ASKS_FIX


# --- pictures ---


def _pictures(
    story: Story,
    made: Diagram | None,
    fixed: FixedRun | None,
    timeline: Timeline,
    colors: dict[tuple[str, str], int],
    moments: dict[str, Any] | None,
    *,
    has_trial: bool,
) -> str:
    if made is None:
        return ""
    shown = {"value", "gradient", *(_KEYS_OF.get(each.flow, "") for each in made.links)}
    key = "".join(
        f'<span><i class="{name}"></i>{words}</span>'
        for name, words in texts.KEY.items()
        if name in shown
    )
    head = f'<b>{texts.YOUR_RUN}</b>{_slider(moments)}<span id="river-key">{key}</span>'
    below = PANE if has_trial else ""
    rows = [_row(head, made, "run", _badges(story.scenes), colors, below)]
    finding = story.finding
    if fixed is not None and finding is not None and finding.proof is not None:
        again = diagram(fixed.trace, fixed.report, call=_same_call(story, fixed))
        marked = [i for i, each in enumerate(made.stations) if each.mark]
        tried = [n for n, scene in enumerate(story.scenes, 1) if scene.kind is SceneKind.TRIED]
        cards = [each.id for each in again.stations]
        at = {cards[i]: [(n, "tried") for n in tried] for i in marked[:1] if i < len(cards)}
        line = finding.location.line
        title = texts.WITH_LINE(line=line) if line else texts.WITH_FIX
        left = sum(bool(s.findings) for one in fixed.report.calls for s in one.sources)
        verb = texts.HAS if left == 1 else texts.HAVE
        result = texts.AGAIN_SOME(count=left, verb=verb) if left else texts.AGAIN_ALL
        engine = finding.proof.engine or "minitape"
        head = f'<b class="proven">{title}</b> {texts.RAN_AGAIN(engine=engine, result=result)}'
        rows.append(_row(head, again, "fixed", at, colors))
    elif any(scene.kind is SceneKind.TRY for scene in story.scenes) and finding is not None:
        command = texts.COMMAND(script=html.escape(timeline.script or "SCRIPT"))
        untried = texts.UNTRIED_ROW(command=f"<code>{command}</code>")
        rows.append(f'<p class="untried"><b>{texts.WITH_FIX}</b> {untried}</p>')
    return f'<div id="rivers">{"".join(rows)}</div>'


def _slider(moments: dict[str, Any] | None) -> str:
    """Return the slider over the iterations, if the picture has several."""
    if moments is None:
        return ""
    last, drawn = len(moments["moments"]) - 1, moments["drawn"]
    return (
        f'<span id="iterations"><button type="button" id="play-iterations" aria-label="{texts.PLAY_ITERATIONS}">▶</button>'
        f'<input type="range" id="iteration" min="0" max="{last}" value="{drawn}" aria-label="{texts.WHICH}">'
        '<output id="iteration-number" for="iteration"></output></span>'
    )


def _same_call(story: Story, fixed: FixedRun) -> int | None:
    """Return the call of the fixed run with the number of the call of the story, if there is one."""
    numbers = {event.call for event in fixed.trace.of(events.GradientEvent)}
    return story.call if story.call in numbers else None


def _row(
    head: str,
    made: Diagram,
    name: str,
    badges: Badges,
    colors: dict[tuple[str, str], int],
    below: str = "",
) -> str:
    light, dark = (river(made, f"{name}-", badges, theme) for theme in ("light", "dark"))
    drawn = named_colors(light, dark, colors, "s")
    return (
        f'<figure class="river" id="river-{name}"><figcaption>{head}</figcaption>'
        f'<div class="stream" tabindex="0" role="group" aria-label="picture">{drawn}</div>{below}'
        f'<details class="as-table"><summary>{texts.AS_TABLE}</summary>{as_table(made)}</details></figure>'
    )


def _badges(scenes: Sequence[Scene]) -> dict[str, list[tuple[int, str]]]:
    """Return for each card the scenes whose numbers it shows."""
    found: dict[str, list[tuple[int, str]]] = {}
    for number, scene in reversed([*enumerate(scenes, start=1)]):
        if scene.stations:
            found.setdefault(scene.stations[0], []).append((number, scene.kind.value))
    return found


def _with_code(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))
