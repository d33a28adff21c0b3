"""The page as a file: it runs only its own script, requests nothing, and treats no user text as markup."""

import base64
import hashlib
import json
import os
import re
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from minitape.explain.explain import explain
from minitape.html import build, page
from minitape.trace.reading import read
from minitape.trace.trace import encode

LOST = """\
import numpy as np
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = w * 3.0
    loss = tf.square(np.sin(y))
tape.gradient(loss, w)
"""
EVIL = '</script><script>alert(1)</script>"><img src=x onerror=alert(1)><!--DATA--> & \u2028 \u202e \U0001f600'


class Elements(HTMLParser):
    """The elements of a page, each with its attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


def policy(text: str) -> dict[str, str]:
    (content,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    pairs = (part.strip().partition(" ") for part in content.split(";"))
    return {name: value for name, _, value in pairs}


def test_policy_blocks_all_requests_and_other_scripts_and_styles(made: Any) -> None:
    text = made(LOST).html
    rules = policy(text)
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for rule, name in (("script-src", "script"), ("style-src", "style")):
        (body,) = re.findall(rf"<{name}>(.*?)</{name}>", text, re.S)
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"


def test_policy_precedes_everything_that_it_forbids(made: Any) -> None:
    names = [tag for tag, _ in Elements(made(LOST).html).all]
    assert names.index("meta") < names.index("style") < names.index("script")


def test_page_contains_no_address_but_namespace_names(made: Any) -> None:
    text = made(LOST).html
    addresses = set(re.findall(r"\bhttps?:[^\"'\s<>)]*", text)) - {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert not addresses
    assert not re.findall(r"@import|url\(|fetch\(|XMLHttpRequest|WebSocket|sendBeacon", text)


def test_elements_have_no_handler_style_or_address(made: Any) -> None:
    """The page's policy would block them. A page without them also works under other policies."""
    for tag, attributes in Elements(made(LOST).html).all:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], tag
        assert not {"src", "href", "xlink:href", "action", "srcdoc"} & set(attributes), tag


def test_ids_are_unique(made: Any) -> None:
    two = LOST + "with tf.GradientTape() as second:\n    z = tf.exp(w)\nsecond.gradient(z, w)\n"
    ids = [a["id"] for _, a in Elements(made(two).html).all if a.get("id") is not None]
    assert len(ids) == len(set(ids))


# --- user text ---


def in_a_comment(evil: str) -> str:
    return f"{LOST}# {evil}\n"


def in_a_name(evil: str) -> str:
    return f"{LOST}v = tf.Variable(1.0, name={evil!r})\nwith tf.GradientTape() as t:\n    s = v * v\nt.gradient(s, v)\n"


def in_a_value(evil: str) -> str:
    return f"{LOST}v = tf.constant([{evil!r}])\ntf.debug.note({evil!r})\n"


@pytest.mark.parametrize("place", [in_a_comment, in_a_name, in_a_value])
def test_user_text_never_becomes_markup(made: Any, place: Callable[[str], str]) -> None:
    """The page has the same elements for every text."""
    tame = made(place("tame")).html
    hostile = made(place(EVIL)).html
    ours, theirs = Elements(tame), Elements(hostile)
    assert [tag for tag, _ in theirs.all] == [tag for tag, _ in ours.all]
    assert not any("onerror" in attributes for _, attributes in theirs.all)
    assert "<img" not in hostile
    assert "<script>alert" not in hostile


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such file names")
def test_file_names_never_become_markup(made: Any) -> None:
    name = "<b>&\"'<img src=x onerror=alert(1)>.py"
    tame, hostile = Elements(made(LOST).html), Elements(made(LOST, name=name).html)
    assert [tag for tag, _ in hostile.all] == [tag for tag, _ in tame.all]
    assert name in hostile.words


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux takes any bytes as a file's name")
def test_undecodable_file_name_still_makes_a_page(made: Any) -> None:
    made(LOST, name=os.fsdecode(b"l\xff.py")).html.encode()


def test_lines_are_counted_as_python_counts_them(made: Any) -> None:
    """A form feed and U+2028 end a line for `str.splitlines`, but not for Python."""
    text = made(f"a = 'x\u2028y\x0cz'  # \x85\n{LOST}").html
    (items,) = re.findall(r'<ol class="file".*?</ol>', text, re.S)
    line = re.findall(r'<li data-line="(\d+)">.*?<code>(.*?)</code>', items, re.S)
    codes = {int(number): re.sub(r"<[^>]*>", "", code) for number, code in line}
    assert codes[3] == "import numpy as np"
    assert len(codes) == 2 + len(LOST.splitlines())


def test_very_long_line_is_cut_and_reported(made: Any) -> None:
    text = made(f"numbers = {list(range(5000))}\n{LOST}").html
    (code,) = re.findall(r'<li data-line="2">.*?<code>(.*?)</code>', text)
    assert len(re.sub(r"<[^>]*>", "", code)) == 401
    assert code.endswith("…")


def test_source_text_is_reproduced_exactly(made: Any) -> None:
    """Colors are laid over the text and change nothing in it, including tabs and wide characters."""
    odd = "if True:\n\tnäme = '''two\n\tlines <b>'''; x = 1.5e3  # 日本 \U0001f600\n"
    words = Elements(made(odd + LOST).html).words
    for line in odd.splitlines():
        assert line in words


# --- sizes and repetitions ---


def test_same_run_makes_the_same_page(made: Any) -> None:
    assert made(LOST).html == made(LOST).html


def test_saved_trace_makes_the_same_page_as_the_run(made: Any, tmp_path: Path) -> None:
    """The page contains nothing that is not in the trace."""
    live = made(LOST)
    saved = tmp_path / "run.jsonl"
    saved.write_text("".join(encode(event) + "\n" for event in live.trace), encoding="utf-8")
    trace = read(saved)
    assert page(trace, explain(trace)) == live.html


MATRIX = """\
w = tf.Variable(tf.reshape(tf.range(80.0), (10, 8)))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w[:4] * 1.23456789)
tape.gradient(loss, w)
"""


def smaller(made: Any, monkeypatch: pytest.MonkeyPatch, by: int) -> Any:
    whole = made(MATRIX)
    assert whole.only('<p id="left-out">', "p") == ""
    monkeypatch.setattr(build, "LARGEST", len(whole.only('id="data">')) - by)
    return made(MATRIX)


def test_large_run_keeps_the_elements_of_small_tensors(
    made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    less = smaller(made, monkeypatch, 100)
    assert "This run is large" in less.only('<p id="left-out">', "p")
    kept = {
        len(tensor["shape"]) and tensor["shape"][0]: set(tensor) for tensor in less.data["tensors"]
    }
    assert "data" in kept[4]
    assert {"packed", "strip"} & kept[10] == {"strip"}


def test_larger_run_keeps_thumbnails_of_its_tensors(
    made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = made(MATRIX)
    few = smaller(made, monkeypatch, 100)
    more = len(whole.only('id="data">')) - len(few.only('id="data">'))
    monkeypatch.undo()
    less = smaller(made, monkeypatch, more + 1)
    assert "This run is large" in less.only('<p id="left-out">', "p")
    assert less.data["tensors"]
    for tensor in less.data["tensors"]:
        assert "data" not in tensor
        assert 0 < len(tensor["strip"]) <= 16
        assert all(len(f"{mean:g}") <= 8 for mean in tensor["strip"])


def test_very_large_run_omits_all_values(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "LARGEST", 10)
    none = made(MATRIX)
    assert "does not contain" in none.only('<p id="left-out">', "p")
    assert none.data["tensors"] == []
    assert {len(fact) for facts in none.data["facts"] for fact in facts} == {3}


def test_terms_are_not_computed_beyond_the_size_limit(
    made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "_MOST_TENSORS", 2)

    def looked_for(*_: object) -> Any:
        raise AssertionError("in vain")

    page = made(MATRIX, expansions=looked_for)
    assert "the page does not show how each number was computed" in page.only(
        '<p id="left-out">', "p"
    )
    assert "origins" not in page.data


def test_equal_tensors_are_stored_once(made: Any) -> None:
    tensors = made(MATRIX).data["tensors"]
    reported = [json.dumps(tensor) for tensor in tensors]
    assert len(reported) == len(set(reported))


@pytest.mark.parametrize("theme", build.THEMES)
def test_theme_can_be_selected(made: Any, theme: str) -> None:
    assert f'data-theme="{theme}"' in made(LOST, theme=theme).html
