"""`minitape graph`: the picture as a file or in the terminal."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest


def test_terminal_picture_is_plain_text(minitape: Any, none_script: Path) -> None:
    ran = minitape("graph", none_script, "--as-tensorflow")
    assert ran.exit_code == 0
    assert "Square" in ran.stdout
    assert "the break" in ran.stdout


@pytest.mark.parametrize("engine", [None, "built-in"])
def test_svg_is_well_formed_and_names_the_broken_edge(
    minitape: Any, none_script: Path, tmp_path: Path, engine: str | None
) -> None:
    to = tmp_path / "tape.svg"
    chosen = () if engine is None else ("--engine", engine)
    ran = minitape("graph", none_script, "-o", to, "--as-tensorflow", *chosen)
    assert ran.exit_code == 0
    words = "".join(ElementTree.fromstring(to.read_bytes()).itertext())
    assert "np.square(y)" in words
    assert f"wrote {to}\n" in ran.stderr


def test_dot_text_is_a_digraph(minitape: Any, none_script: Path) -> None:
    ran = minitape("graph", none_script, "--format", "dot", "--as-tensorflow")
    assert "digraph" in ran.stdout.splitlines()[0]


def test_svg_is_drawn_without_any_layout_program(none_script: Path, tmp_path: Path) -> None:
    """Without Graphviz in this Python or on the PATH, the built-in layout draws the picture."""
    to = tmp_path / "tape.svg"
    code = (
        "import shutil, sysconfig; shutil.which = lambda *a, **k: None;"
        "real = sysconfig.get_path;"
        "sysconfig.get_path = lambda n, *a, **k: '/none' if n == 'scripts' else real(n, *a, **k);"
        "from minitape_cli import main; main()"
    )
    command = [
        sys.executable,
        "-c",
        code,
        "graph",
        str(none_script),
        "-o",
        str(to),
        "--as-tensorflow",
    ]
    ran = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
    assert ran.returncode == 0
    assert "built-in layout" in ran.stderr
    assert to.read_bytes().startswith((b"<?xml", b"<svg"))


def test_unavailable_layout_engine_is_a_missing_tool(
    minitape: Any, none_script: Path, tmp_path: Path
) -> None:
    to = tmp_path / "tape.svg"
    ran = minitape("graph", none_script, "-o", to, "--engine", "no-such-dot", "--as-tensorflow")
    assert ran.exit_code == 5
    assert "minitape explain MT901" in ran.stderr
    assert not to.exists()


def test_script_without_a_tape_creates_no_file(
    minitape: Any, write_script: Any, tmp_path: Path
) -> None:
    to = tmp_path / "tape.svg"
    ran = minitape("graph", write_script("print('hello')\n"), "-o", to)
    assert ran.exit_code == 6
    assert not to.exists()


def test_crash_still_produces_a_picture(minitape: Any, none_script: Path, tmp_path: Path) -> None:
    to = tmp_path / "tape.svg"
    none_script.write_text(none_script.read_text() + "1 / 0\n")
    ran = minitape("graph", none_script, "-o", to, "--as-tensorflow")
    assert ran.exit_code == 3
    assert "ZeroDivisionError" in ran.stderr
    assert to.exists()


def test_unknown_suffix_is_a_usage_error(minitape: Any, none_script: Path, tmp_path: Path) -> None:
    ran = minitape("graph", none_script, "-o", tmp_path / "tape.bmp")
    assert ran.exit_code == 2
    assert list(tmp_path.iterdir()) == [none_script]


def test_recorded_trace_is_drawn_like_the_script(
    minitape: Any, none_script: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "t.jsonl"
    minitape("trace", none_script, "-o", trace, "--as-tensorflow")
    live = minitape("graph", none_script, "--format", "dot", "--as-tensorflow").stdout
    assert minitape("graph", trace, "--format", "dot").stdout == live


TWICE = """\
import tensorflow as tf
x = tf.Variable(3.0, name="x")
def squared(v):
    w = v * 1.0
    return w * w
with tf.GradientTape() as tape:
    z = squared(x) + x * 4.0
tape.gradient(z, x)
"""


@pytest.mark.parametrize(
    ("options", "is_there", "is_gone"),
    [
        (("--view", "backward"), "step 1", "not there"),
        (("--around", "#2", "--hops", "0"), "[Mul] #2", "#1"),
        (("--no-constants", "--values", "none"), "2 constants left out", "value"),
        (("--close", "squared"), "[squared] #1 · 2 ops", "[Mul] #1"),
        (("--cards", "4", "--open", "squared"), "further away left out", "2 ops"),
        (("--path", "--unroll", "--log"), "[AddV2]", "off the path"),
        (("--format", "mermaid"), "flowchart TB", "digraph"),
    ],
)
def test_each_option_changes_the_picture(
    minitape: Any, write_script: Any, options: tuple[str, ...], is_there: str, is_gone: str
) -> None:
    ran = minitape("graph", write_script(TWICE), "--as-tensorflow", *options)
    assert ran.exit_code == 0
    assert is_there in ran.stdout
    assert is_gone not in ran.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--around", "two"), "no function or layer 'two'"),
        (("--around", "two", "--ops"), "not the number of an op"),
        (("--depth", "2", "--ops"), "needs `--slide`"),
        (("-o", "tape.gif", "--ops"), "`--format gif` needs `--slide`"),
        (("-o", "tape.mp4", "--ops"), "`--format mp4` needs `--slide`"),
        (("--slide", "--terms"), "`--terms` applies only to a graph of ops"),
        (("--slide", "--no-constants"), "`--no-constants` applies only to a graph of ops"),
        (("--around", "9"), "no op #9"),
        (("--close", "nothing"), "no call to nothing"),
    ],
)
def test_unknown_selection_is_reported(
    minitape: Any, write_script: Any, options: tuple[str, ...], words: str
) -> None:
    ran = minitape("graph", write_script(TWICE), "--as-tensorflow", *options)
    assert ran.exit_code != 0
    assert words in " ".join(ran.stderr.split())


def test_mermaid_format_follows_from_the_suffix(
    minitape: Any, write_script: Any, tmp_path: Path
) -> None:
    to = tmp_path / "tape.mmd"
    assert minitape("graph", write_script(TWICE), "--as-tensorflow", "-o", to).exit_code == 0
    assert to.read_text().startswith("flowchart TB\n")


def test_terms_label_the_edges_of_the_backward_pass(minitape: Any, tmp_path: Path) -> None:
    script = tmp_path / "tiny.py"
    script.write_text(
        "import tensorflow as tf\nx = tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n"
        "tape.gradient(y, x)\n",
        encoding="utf-8",
    )
    ran = minitape("graph", script, "--terms", "--as-tensorflow")
    assert ran.exit_code == 0
    assert "x·∂y/∂y = 3.0·1.0 = 3.0" in ran.stdout
    to = tmp_path / "tape.svg"
    assert (
        minitape(
            "graph", script, "--terms", "--view", "both", "-o", to, "--as-tensorflow"
        ).exit_code
        == 0
    )
    assert "x·∂y/∂y = 3.0·1.0 = 3.0" in "".join(ElementTree.fromstring(to.read_bytes()).itertext())


# --- slides ---


def test_slide_is_a_sixteen_to_nine_svg(minitape: Any, none_script: Path, tmp_path: Path) -> None:
    to = tmp_path / "slide.svg"
    ran = minitape("graph", none_script, "--slide", "-o", to, "--as-tensorflow", "--theme", "dark")
    assert ran.exit_code == 0 and f"wrote {to}\n" in ran.stderr
    page = ElementTree.fromstring(to.read_bytes())
    assert (page.get("width"), page.get("height")) == ("1600", "900")
    assert "No gradient reached" in "".join(page.itertext())


def test_slide_in_the_terminal_is_a_list_of_cards(minitape: Any, none_script: Path) -> None:
    ran = minitape("graph", none_script, "--slide", "--as-tensorflow")
    assert ran.exit_code == 0
    assert ran.stdout.startswith("No gradient reached")
    assert "None" in ran.stdout


def test_unknown_node_of_a_slide_is_rejected(minitape: Any, none_script: Path) -> None:
    ran = minitape("graph", none_script, "--slide", "--open", "encoder", "--as-tensorflow")
    assert ran.exit_code == 5
    assert "no function or layer 'encoder'" in ran.stderr


def test_slide_of_a_stored_trace_equals_that_of_the_script(
    minitape: Any, none_script: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "t.jsonl"
    minitape("trace", none_script, "-o", trace, "--as-tensorflow")
    live = minitape(
        "graph", none_script, "--slide", "--format", "svg", "-o", "-", "--as-tensorflow"
    ).stdout
    assert live == minitape("graph", trace, "--slide", "--format", "svg", "-o", "-").stdout


# --- slide or graph ---

MODEL = """\
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(model(tf.ones([1, 3])))
tape.gradient(loss, model.trainable_variables)
"""


def is_slide(file: Path) -> bool:
    page = ElementTree.fromstring(file.read_bytes())
    return (page.get("width"), page.get("height")) == ("1600", "900")


@pytest.mark.parametrize(
    ("text", "options", "slide"),
    [
        (MODEL, (), True),
        (TWICE, (), False),
        (MODEL, ("--ops",), False),
        (TWICE, ("--slide",), True),
        (MODEL, ("--view", "forward"), False),
        (MODEL, ("--rankdir", "TB"), False),
        (TWICE, ("--depth", "1"), True),
        (TWICE, ("--around", "squared"), True),
        (MODEL, ("--around", "#1"), False),
    ],
)
def test_a_model_is_drawn_on_a_slide_and_options_choose(
    minitape: Any,
    write_script: Any,
    tmp_path: Path,
    text: str,
    options: tuple[str, ...],
    slide: bool,
) -> None:
    to = tmp_path / "picture.svg"
    ran = minitape("graph", write_script(text), "-o", to, "--as-tensorflow", *options)
    assert ran.exit_code == 0, ran.stderr
    assert is_slide(to) is slide


def test_a_text_shows_the_ops_of_a_model(minitape: Any, write_script: Any) -> None:
    ran = minitape("graph", write_script(MODEL), "--as-tensorflow", "--format", "mermaid")
    assert "MatMul" in ran.stdout
