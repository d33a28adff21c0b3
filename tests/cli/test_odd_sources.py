"""Programs of unusual forms and large sizes are explained, as long as Python runs them."""

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.one_in(6)

LOST = b"""\
import numpy as np
import minitape as tf

w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.square(w)
    loss = tf.reduce_sum(np.square(y))
print("slope", tape.gradient(loss, w))
"""
LONG = 1_000_000  # the length of the longest line
WIDEST = 20_000  # the length of an output line


def cells(*parts: str) -> bytes:
    """A notebook with these code cells."""
    made = [{"cell_type": "code", "source": part, "metadata": {}, "outputs": []} for part in parts]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4}).encode()


ODD = {
    "plain": LOST,
    "CR": LOST.replace(b"\n", b"\r"),
    "CRLF": LOST.replace(b"\n", b"\r\n"),
    "mixed line ends": LOST.replace(b"\n", b"\r\n", 3).replace(b"tape:\n", b"tape:\r"),
    "BOM": b"\xef\xbb\xbf" + LOST,
    "form feed": LOST.replace(b"w = tf", b"\x0cw = tf").replace(b'"slope"', b'"\x0cslope"'),
    "latin-1": b"# coding: latin-1\ngr\xf6\xdfe = '\xe9'\n" + LOST,
    "cp1252": b"# -*- coding: cp1252 -*-\neuro = '\x80'\n" + LOST,
    "tabs": LOST.replace(b"    ", b"\t").replace(b"loss = tf", b"loss\t=\ttf"),
    "dash": LOST,
    "no last line end": LOST.rstrip(),
}
FILES = {"dash": "-dash.py"}
NOTEBOOKS = {
    "plain": cells(LOST.decode()),
    "shell": cells("files = !ls\n!pip list\n", LOST.decode()),
    "magic": cells("%matplotlib inline\n?len\nlen??\n", "%%bash\nif then (\n", LOST.decode()),
    "time": cells("%%time\n" + LOST.decode()),
    "BOM in a cell": cells("\ufeff%%time\n" + LOST.decode()),
    "own magic": cells("\n%%why w\n" + LOST.decode()),
    "two magics": cells("%%capture printed\n%%tape --why w\n" + LOST.decode()),
    "indented": cells("  %load_ext tensorboard\n  x = 1\nif x:\n    !ls\n", LOST.decode()),
    "calls": cells("/len 'a'\n,len a b\n;len a b\n", LOST.decode()),
    "in a block": cells("if True:\n    !ls\n    %time\n", LOST.decode()),
    "BOM": b"\xef\xbb\xbf" + cells(LOST.decode()),
}
NESTED = b"np.square(" * 90 + b"y" + b")" * 90
RECURSION = b"""\
import sys
sys.setrecursionlimit(5000)
def deeper(x, n):
    return tf.sin(x) if n == 0 else deeper(x * 1.0, n - 1)
"""
TERMS = b" + ".join([b"np.square(y)", *[b"1.0"] * 899])
LARGE = {
    "long line": LOST.replace(b"\nw = ", b"\nlong = '" + b"a" * LONG + b"'; w = "),
    "long line of the mistake": LOST.replace(b"(y))", b"(y)) + len('" + b"a" * LONG + b"')"),
    "literal": b"table = [%s]\n" % b", ".join(b"%d" % i for i in range(20_000)) + LOST,
    "lines": b"n = 1\n" * 5_000 + LOST,
    "sum": LOST.replace(b"np.square(y)", TERMS),
    "nest": LOST.replace(b"2.0", b"1.0").replace(b"np.square(y)", NESTED),
    "recursion": RECURSION + LOST.replace(b"tf.square(w)", b"deeper(w, 1000)"),
}
PROGRAMS = {**ODD, **LARGE}


@pytest.fixture
def store_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Write a program to the working folder, and return its name."""
    monkeypatch.chdir(tmp_path)

    def store(data: bytes, name: str = "lesson.py") -> str:
        Path(name).write_bytes(data)
        return name

    return store


def mistake_lines(answer: str) -> list[int]:
    return [each["line"] for each in json.loads(answer)["data"]["mistakes"]]


def line_of(data: bytes) -> int:
    """The line in which the value leaves the tape, as Python counts lines."""
    return len(re.findall(rb"\r\n|\r|\n", data.partition(b"np.square(")[0])) + 1


def widest(text: str) -> int:
    return max(map(len, text.splitlines()), default=0)


@pytest.mark.parametrize("name", PROGRAMS)
def test_mistake_is_found_on_its_line(minitape: Any, store_program: Any, name: str) -> None:
    data = PROGRAMS[name]
    file = store_program(data, FILES.get(name, "lesson.py"))
    ran = minitape("explain", "--format", "json", "--", file)
    assert ran.exit_code == 1, ran.stderr
    assert mistake_lines(ran.stdout) == [line_of(data)]


def test_marker_is_below_its_expression_on_a_line_with_tabs(
    minitape: Any, store_program: Any
) -> None:
    ran = minitape("explain", store_program(ODD["tabs"]))
    code, marker = next(
        pair for pair in pairwise(ran.stdout.splitlines()) if "np.square(y))" in pair[0]
    )
    assert "\N{MIDDLE DOT}" not in code and "\t" not in code
    assert code.index("np.square(y)") == marker.index("^")
    assert marker.count("^") == len("np.square(y)")


@pytest.mark.parametrize("name", ["CR", "mixed line ends", "BOM", "cp1252", "no last line end"])
def test_fix_changes_one_expression_and_no_other_byte(
    minitape: Any, store_program: Any, name: str
) -> None:
    data = ODD[name]
    file = store_program(data)
    ran = minitape("explain", "--fix", "--yes", file)
    assert ran.exit_code == 0, ran.stdout + ran.stderr
    assert Path(file).read_bytes() == data.replace(b"np.square(y)", b"tf.square(y)")


def test_mistake_at_the_end_of_a_long_line_is_visible(minitape: Any, store_program: Any) -> None:
    data = LOST.replace(b"tf.reduce_sum(", b"len('" + b"a" * 100_000 + b"') + tf.reduce_sum(")
    ran = minitape("explain", store_program(data))
    code, marker = next(
        pair for pair in pairwise(ran.stdout.splitlines()) if "np.square(y))" in pair[0]
    )
    assert code.index("np.square(y)") == marker.index("^")
    assert marker.count("^") == len("np.square(y)")


# The arguments of a command, and the programs that it shows.
SHOWN = [
    ("trace", (), "latin-1"),
    ("trace", (), "long line of the mistake"),
    ("step", ("--text",), "CR"),
    ("step", ("--text",), "long line"),
    ("step", ("--text",), "sum"),
    ("html", ("-o", "out.html"), "form feed"),
    ("html", ("-o", "out.html"), "long line of the mistake"),
    ("graph", ("-o", "out.svg"), "dash"),
    ("graph", ("-o", "out.svg"), "long line of the mistake"),
    ("graph", ("-o", "out.svg"), "nest"),
    ("explain", (), "long line of the mistake"),
]


@pytest.mark.parametrize(("command", "options", "name"), SHOWN)
def test_program_is_shown_with_long_lines_shortened(
    minitape: Any, store_program: Any, command: str, options: tuple[str, ...], name: str
) -> None:
    ran = minitape(
        command, *options, "--", store_program(PROGRAMS[name], FILES.get(name, "lesson.py"))
    )
    assert ran.exit_code == (1 if command == "explain" else 0), ran.stderr
    pages = [page.read_text() for page in Path().glob("out.*")]
    assert len(pages) == options.count("-o")
    assert "\N{REPLACEMENT CHARACTER}" not in "".join([ran.stdout, *pages])
    assert widest(ran.stdout + ran.stderr) < WIDEST
    assert all("a" * 10_000 not in page for page in pages)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_python_cells_of_a_notebook_are_explained(
    minitape: Any, store_program: Any, name: str
) -> None:
    ran = minitape("explain", store_program(NOTEBOOKS[name], "lesson.ipynb"))
    assert ran.exit_code == 1, ran.stderr
    assert "loss = tf.reduce_sum(np.square(y))" in ran.stdout
    for command in ("trace", "step"):
        assert minitape(command, "lesson.ipynb").exit_code == 0


def test_cell_with_a_syntax_error_does_not_hide_the_cells_before_it(
    minitape: Any, store_program: Any
) -> None:
    ran = minitape("explain", store_program(cells(LOST.decode(), "x = = 1\n"), "lesson.ipynb"))
    assert ran.exit_code == 1
    assert 'File "<cell 2>", line 1' in ran.stderr
    assert "none of it ran" not in ran.stderr
    ran = minitape("explain", store_program(cells("x = = 1\n", LOST.decode()), "lesson.ipynb"))
    assert ran.exit_code == 3
    assert "The script does not compile, so none of it ran." in ran.stderr


def test_file_of_brackets_is_not_a_notebook(minitape: Any, store_program: Any) -> None:
    ran = minitape("explain", store_program(b"[" * 100_000, "lesson.ipynb"))
    assert ran.exit_code in (2, 3)
    assert "this is a bug" not in ran.stderr
