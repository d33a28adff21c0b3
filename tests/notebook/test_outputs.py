"""The output of a tape, a recording, a trace and an explanation in a notebook."""

from base64 import b64decode
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from strangers import HOSTILE, steering

import minitape as tf
from minitape.core import listeners
from minitape.errors import DrawError
from minitape.notebook.shown import Page

pytestmark = pytest.mark.one_in(3)

PLAIN = {"output", "div", "img", "p", "b", "code", "table", "tr", "th", "td"}


@pytest.fixture(autouse=True)
def tracer_is_disconnected_afterwards() -> Iterator[None]:
    yield
    while listeners.active:
        listeners.explainer().stop()


def shown(what: Any) -> dict[str, str]:
    bundle: dict[str, str] = what._repr_mimebundle_()
    return bundle


def elements(html: str) -> list[ElementTree.Element]:
    """All elements of an output; fails if one is not closed or an attribute is not quoted."""
    return list(ElementTree.fromstring(f"<output>{html}</output>").iter())


def words(html: str) -> str:
    return " ".join("".join(each.text or "" for each in elements(html)).split())


@pytest.fixture
def recording() -> Any:
    """A gradient lost to NumPy and one that was computed; their names would be harmful if they were interpreted as HTML."""
    w = {'"><img src=x onerror=alert(1)>': tf.Variable(2.0)}
    b = {"</script><b>&amp;": tf.Variable(1.0)}
    with tf.debug.record() as recording:
        with tf.GradientTape() as recording.tape:
            y = w['"><img src=x onerror=alert(1)>'] * 3.0
            loss = np.square(y) + b["</script><b>&amp;"]
        recording.tape.gradient(loss, [w['"><img src=x onerror=alert(1)>'], b["</script><b>&amp;"]])
        yield recording


def outputs(recording: Any) -> list[Any]:
    return [
        recording.tape,
        recording,
        recording.trace,
        recording.why(),
        recording.tape.graph(),
        recording.tape.graph(engine="built-in"),
    ]


# --- what holds for all of them ---


def test_output_has_nothing_that_a_notebook_removes(recording: Any) -> None:
    """JupyterLab strips `svg`, `style` and `script` from untrusted output; ids would collide."""
    for each in outputs(recording):
        for element in elements(shown(each)["text/html"]):
            assert element.tag in PLAIN
            assert element.attrib.keys() <= {"src", "alt", "style", "scope"}


def test_picture_is_a_self_contained_image(recording: Any) -> None:
    for engine in (None, "built-in"):
        graph = recording.tape.graph(engine=engine)
        (image,) = (each for each in elements(shown(graph)["text/html"]) if each.tag == "img")
        kind, data = image.attrib["src"].split(",")
        assert kind == "data:image/svg+xml;base64"
        assert b64decode(data).decode() == graph.svg
        assert "href=" not in graph.svg
        assert "url(" not in graph.svg


def test_hostile_names_stay_text(recording: Any) -> None:
    for each in outputs(recording):
        html = shown(each)["text/html"]
        assert "<img src=x" not in html
        assert "</script>" not in html
    assert "<img src=x" in words(shown(recording.why())["text/html"])
    assert "<script" not in recording.graph().svg


def test_output_contains_no_terminal_control_characters() -> None:
    held = {HOSTILE: tf.Variable(2.0, name="w")}
    with tf.debug.record() as recording:
        with tf.GradientTape() as recording.tape:
            loss = np.square(held[HOSTILE]) + tf.square(held[HOSTILE], name=HOSTILE)
        tf.debug.note(HOSTILE)
        recording.tape.gradient(loss, [held[HOSTILE]])
        for each in (*outputs(recording), recording.debugger()):
            for text in (*shown(each).values(), repr(each), str(each)):
                assert steering(text) == []
            for element in elements(shown(each)["text/html"]):
                kind, _, data = element.attrib.get("src", "").partition(",")
                if "base64" in kind:
                    assert steering(b64decode(data).decode()) == []


def test_source_text_in_output_contains_no_terminal_control_characters(tmp_path: Path) -> None:
    file = tmp_path / f"a{HOSTILE}.py"
    lines = (
        "import numpy as np",
        "import minitape as tf",
        f"with tf.GradientTape() as tape:  # {HOSTILE}",
    )
    body = f'y = tf.reduce_sum(np.square(w, dtype={{"{HOSTILE}": None}}["{HOSTILE}"]))  # {HOSTILE}'
    file.write_text("\n".join([*lines, f"    {body}", "tape.gradient(y, w)\n"]), encoding="utf-8")
    with tf.debug.record() as recording:
        names = {"w": tf.Variable(2.0)}
        exec(compile(file.read_bytes(), str(file), "exec"), names)
        html, text = shown(recording.why())["text/html"], str(recording.why())
    assert "np.square" in words(html) and "np.square" in text
    assert steering(html) == steering(text) == []


def test_html_output_has_the_same_content_as_text_without_color(recording: Any) -> None:
    for each in outputs(recording):
        text = shown(each)["text/plain"]
        assert "np.square" in text
        assert "\x1b" not in text


def test_picture_has_a_text_alternative(recording: Any) -> None:
    (image,) = (each for each in elements(shown(recording)["text/html"]) if each.tag == "img")
    assert "1 of 2 connected, None for" in image.attrib["alt"]


# --- what each of them shows ---


def test_untraced_tape_shows_how_to_get_a_picture() -> None:
    with tf.GradientTape() as tape:
        pass
    (text,) = shown(tape).values()
    assert "tf.debug.record()" in text


def test_tape_opened_before_the_recording_says_so() -> None:
    with tf.GradientTape() as tape:
        pass
    with tf.debug.record():
        assert "before recording started" in shown(tape)["text/plain"]
        with pytest.raises(RuntimeError, match="before recording started"):
            tape.graph()


def test_tape_without_a_gradient_call_shows_only_its_recorded_ops() -> None:
    x = tf.Variable(2.0)
    with tf.debug.record():
        with tf.GradientTape() as tape:
            tf.exp(x)
        with tf.GradientTape() as other:
            tf.sin(x)
        assert "Exp" in shown(tape)["text/plain"]
        assert "Sin" not in shown(tape)["text/plain"]
        assert "Sin" in shown(other)["text/plain"]


def test_tape_shows_only_its_own_gradient_calls() -> None:
    x = tf.Variable(2.0)
    with tf.debug.record():
        for op in (tf.exp, tf.sin):
            with tf.GradientTape() as tape:
                y = op(x)
            tape.gradient(y, x)
        assert "Exp" not in shown(tape)["text/plain"]


def test_recording_shows_the_first_call_with_a_problem() -> None:
    x, w = tf.Variable(2.0), tf.Variable(3.0)
    with tf.debug.record() as recording:
        for source in (x, w, x):
            with tf.GradientTape() as tape:
                y = x * x
            tape.gradient(y, source)
        assert "→  None" in shown(recording)["text/plain"]
        assert "→  4.0" in shown(tape)["text/plain"]


def test_empty_recording_is_one_line() -> None:
    """`tf.debug.record()` is often the last line of a first cell."""
    assert "0 gradient calls so far" in shown(tf.debug.record())["text/plain"]


def test_explanation_shows_line_cause_and_fix(recording: Any) -> None:
    reported = words(shown(recording.why())["text/html"])
    for word in ("test_outputs.py:", "is None", "why", "tf.square", "minitape explain MT201"):
        assert word in reported


def test_explanation_without_findings_says_so() -> None:
    with tf.debug.record() as recording:
        assert words(shown(recording.why())["text/html"]) == "No gradient was requested."


# --- pictures in code ---


def test_drawing_a_gradient_request_does_not_change_the_tape() -> None:
    x = tf.Variable(3.0)
    with tf.debug.record():
        with tf.GradientTape() as tape:
            y = x * x
        drawing = tape.graph(y, x)
        assert str(drawing).startswith("gradient of y for x  →  6.0")
        assert float(tape.gradient(y, x)) == 6.0


def test_computed_gradient_is_drawn_from_its_call() -> None:
    x = tf.Variable(3.0)
    with tf.debug.record():
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
        assert str(tape.graph(y, x)) == str(tape.graph()) == str(tf.debug.graph())
        assert str(tape.graph()).startswith("tape.gradient(y, x)  →  6.0")


def test_drawing_options_reach_the_picture(recording: Any) -> None:
    assert recording.tape.graph(theme="dark").svg != recording.tape.graph().svg
    assert len(recording.tape.graph(cards=2).picture.nodes) < len(recording.graph().picture.nodes)
    with pytest.raises(TypeError, match="color"):
        recording.tape.graph(color="red")


@pytest.mark.parametrize(
    ("suffix", "word"),
    [("svg", "<svg "), ("dot", "digraph "), ("mmd", "flowchart "), ("txt", "[AddV2] target")],
)
def test_suffix_sets_the_format(recording: Any, tmp_path: Path, suffix: str, word: str) -> None:
    recording.tape.graph().save(tmp_path / f"tape.{suffix}")
    assert word in (tmp_path / f"tape.{suffix}").read_text(encoding="utf-8")


def test_unknown_suffix_is_rejected(recording: Any, tmp_path: Path) -> None:
    with pytest.raises(DrawError, match="'gif'"):
        recording.tape.graph().save(tmp_path / "tape.gif")
    assert not list(tmp_path.iterdir())


def test_run_without_a_tape_has_nothing_to_draw() -> None:
    with tf.debug.record(), pytest.raises(RuntimeError, match="The program opened no tape"):
        tf.debug.graph()


# --- pages ---


class _Frames(HTMLParser):
    """The attributes of each iframe, as a browser reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag == "iframe"
        self.found.append(dict(attributes))


def test_page_is_sandboxed_in_a_frame_and_unchanged() -> None:
    page = Page("""<script>let a = "x" + '&amp;' < 2;</script>""")
    frames = _Frames()
    frames.feed(shown(page)["text/html"])
    (frame,) = frames.found
    assert frame["srcdoc"] == page.html
    assert frame["sandbox"] == "allow-scripts"


def test_page_is_written_unchanged(tmp_path: Path) -> None:
    Page("<p>ȳ</p>").save(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_bytes() == "<p>ȳ</p>".encode()


def test_answer_shows_the_fixed_line_completely(recording: Any) -> None:
    """As on the command line: a fix of one line is that line, with its number."""
    answer = recording.why()
    (line,) = [each.strip() for each in str(answer).splitlines() if "tf.square(y) + b" in each]
    number, _, written = line.partition(" | ")
    assert number.isdigit()
    assert written.startswith("            loss = tf.square(y) + b[")
    assert "loss = tf.square(y) + b[" in words(shown(answer)["text/html"])


def test_answer_without_a_one_line_fix_shows_none() -> None:
    w = tf.Variable(2.0)
    with tf.debug.record() as recording:
        h = w * w
        with tf.GradientTape() as tape:
            y = h * 3.0
        tape.gradient(y, w)
        assert [mistake.new_line for mistake in recording.why().mistakes] == [""]
