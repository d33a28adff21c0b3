"""Program text as Python reads it."""

import ast
import sys

import pytest

from minitape.listen import source
from minitape.run.program import of_file
from minitape.source_text import Located, decoded, encoded, lines_of, tree_of


def calls(work) -> int:
    """How many calls of functions a piece of work takes."""
    count = 0

    def count_call(frame, event, _) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(count_call)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "data",
    [
        b"a = 1\rb = 2\r",
        b"\xef\xbb\xbfa = 1\r\nb = 2\r\n",
        b"a = 1\r\nb = 2\n",
        b"# coding: latin-1\n\x0ca = '\xe9'\n",
    ],
    ids=["CR", "BOM", "mixed", "latin-1"],
)
def test_text_read_and_written_again_is_the_same_file(data):
    assert encoded(decoded(data), data) == data
    assert "\r" not in decoded(data)


def test_a_form_feed_ends_no_line():
    assert lines_of("a = 1\n\x0cb = '\x1c\u2028'\n") == ("a = 1", "\x0cb = '\x1c\u2028'")


def test_a_segment_is_what_ast_gives():
    text = "é = 'ü' * 3 + naïve(\n  'ß', x)\n" * 3
    within = Located(text)
    nodes = [node for node in ast.walk(tree_of(text)) if isinstance(node, ast.expr)]
    assert [within.segment(node) for node in nodes] == [
        ast.get_source_segment(text, node) for node in nodes
    ]


@pytest.mark.parametrize("letter", ["a", "é"])
def test_looking_up_all_places_of_a_line_is_linear_in_its_length(letter):
    def work(n: int):
        text = f"{letter} = {' + '.join([letter * 40] * n)}\n"
        within = Located(text)
        places = [node for node in ast.walk(tree_of(text)) if isinstance(node, ast.Name)]
        return lambda: [within.segment(node) for node in places]

    assert calls(work(2_000)) < 2.5 * calls(work(1_000))


def test_a_sum_of_2900_terms_is_parsed_at_the_usual_recursion_limit():
    before = sys.getrecursionlimit()
    tree_of("x = " + " + ".join(["w"] * 2_900))
    assert sys.getrecursionlimit() == before


def test_a_stack_in_a_deep_recursion_takes_as_many_steps_as_in_a_shallow_one():
    filename = "<stdin>"
    names = {"Stack": source.Stack, "sizes": []}
    text = "def f(n):\n    sizes.append(len(Stack()._frames))\n    if n:\n        f(n - 1)\n"
    exec(compile(text, filename, "exec"), names)

    def looked_at(n: int) -> int:
        names["sizes"].clear()
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(20_000)
        try:
            names["f"](n)
        finally:
            sys.setrecursionlimit(before)
            source.forget_frames()
        return sum(names["sizes"])

    assert looked_at(4_000) < 2.5 * looked_at(2_000)


def test_a_notebook_leaves_out_what_is_not_python_and_says_which_lines(tmp_path):
    path = tmp_path / "n.ipynb"
    cell = "files = !ls\\nx = 3 % 2\\n!pip install x\\ns = '''\\n!no magic\\n'''\\nn = %pwd\\n?len"
    path.write_bytes(
        b'\xef\xbb\xbf{"cells": [{"cell_type": "code", "source": "' + cell.encode() + b'"}]}'
    )
    program = of_file(path)
    names: dict[str, object] = {}
    exec(program.parts[0].text, names)
    assert (names["files"], names["x"], names["n"]) == ([], 1, None)
    assert names["s"] == "\n!no magic\n"
    assert program.left_out == ("not Python, left out: cell 1 (lines 1, 3, 7, 8)",)


def test_a_notebook_of_nested_brackets_is_no_notebook(tmp_path):
    path = tmp_path / "n.ipynb"
    path.write_text("[" * 100_000)
    with pytest.raises(ValueError, match="no notebook"):
        of_file(path)


def test_a_script_whose_name_begins_with_a_dash_is_not_an_option(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-dash.py").write_text("x = 1\n")
    assert of_file(type(tmp_path)("-dash.py")).invoked == "./-dash.py"
