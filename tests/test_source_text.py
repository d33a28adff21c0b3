"""Program text as Python reads it."""

import ast
import linecache
import sys
from collections import Counter
from pathlib import Path

import pytest

import minitape
import minitape_cli
from minitape import raised_at, source_text
from minitape.explain.flow.program.loops import loops_of
from minitape.explain.report import FixedFile
from minitape.run.program import of_file
from minitape.source_text import (
    Located,
    decoded,
    encoded,
    file_text,
    lines_of,
    located,
    parsed,
    tree_of,
    walk,
)
from minitape.tracer import source

# Where text is split that is not a source, or a source is split by bytes (`bytes.splitlines` splits where Python does), and
# how often in that file.
SPLIT_ELSEWHERE = {
    "minitape/autodiff/rulecheck.py": 1,  # an error's message
    "minitape/autodiff/vectorize.py": 1,  # an error's message
    "minitape/catalog.py": 1,  # a docstring
    "minitape/core/primitive.py": 1,  # an error's message
    "minitape/course/authoring/lint.py": 2,  # hints
    "minitape/course/checks/functions.py": 1,  # a docstring
    "minitape/course/examining.py": 1,  # an error's message
    "minitape/course/grading/answers.py": 1,  # a cell of a notebook
    "minitape/course/grading/grading.py": 1,  # what a grader printed
    "minitape/course/grading/rows.py": 1,  # the rows of a table, as bytes
    "minitape/draw/write/engine.py": 1,  # what Graphviz printed
    "minitape/explain/causes/refusals.py": 1,  # an error's message
    "minitape/unsupported/table.py": 1,  # a table of names
    "minitape/verify/comparing.py": 1,  # an error's message
    "minitape/run/program.py": 2,  # a source, as bytes
    "minitape_cli/console.py": 1,  # a rendered table
    "minitape_cli/pages.py": 1,  # the title of a page
    "minitape_cli/serving/watch.py": 1,  # a rendered report
    "minitape_cli/views/lesson.py": 1,  # what a script printed
    "minitape_cli/views/steps.py": 1,  # advice
}


def splits(call: ast.Call) -> bool:
    """Whether a call splits text into lines, or reads the lines of a source."""
    if not isinstance(call.func, ast.Attribute):
        return False
    if call.func.attr in {"splitlines", "getline", "getlines"}:
        return True
    ends = [each.value for each in call.args if isinstance(each, ast.Constant)]
    return call.func.attr in {"split", "rsplit"} and ends[:1] in (["\n"], ["\r\n"], ["\r"])


@pytest.mark.one_in(3)
def test_only_the_source_text_module_splits_sources_into_lines():
    found: Counter[str] = Counter()
    for package in (minitape, minitape_cli):
        folder = Path(package.__file__).parent
        for file in folder.rglob("*.py"):
            nodes = ast.walk(ast.parse(file.read_bytes()))
            name = file.relative_to(folder.parent).as_posix()
            found[name] += sum(isinstance(node, ast.Call) and splits(node) for node in nodes)
    del found["minitape/source_text.py"]
    assert {name: count for name, count in found.items() if count} == SPLIT_ELSEWHERE


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
        b"# coding: latin-1\r\x0ca = '\xe9'\r",
    ],
    ids=["CR", "BOM", "mixed", "latin-1", "latin-1 CR"],
)
def test_reading_and_writing_a_text_keeps_the_file(data):
    assert encoded(decoded(data), data) == data
    assert "\r" not in decoded(data)
    assert "\N{REPLACEMENT CHARACTER}" not in decoded(data)


def test_form_feed_does_not_end_a_line():
    assert lines_of("a = 1\n\x0cb = '\x1c\u2028'\n") == ("a = 1", "\x0cb = '\x1c\u2028'")


def test_diff_does_not_split_a_line_at_other_separators():
    before = "a = '\u2028\x0c'\nb = np.square(w)\n"
    fixed = FixedFile("lesson.py", before, before.replace("np.", "tf."))
    assert fixed.lines == ((2, "b = tf.square(w)"),)
    assert fixed.diff_lines[2:] == (
        "@@ -1,2 +1,2 @@",
        " a = '\u2028\x0c'",
        "-b = np.square(w)",
        "+b = tf.square(w)",
    )
    assert fixed.diff.count("\n") == len(fixed.diff_lines)


def test_module_scope_covers_all_lines():
    (loop,) = loops_of("a = '\u2028\x0c\x1c'\nfor x in a:\n    pass\n")
    assert loop.lines == (0, 4)


def test_call_site_is_found_as_python_decodes_the_file(tmp_path):
    file = tmp_path / "called.py"
    file.write_bytes(b"# coding: latin-1\n\x0ca = '\xe9\x85'\nfound = (a + 'x', find())\n")
    found = {"find": raised_at.find}
    exec(compile(file.read_bytes(), str(file), "exec"), found)
    assert found["found"][1].line == 3
    assert found["found"][1].code == "found = (a + 'x', find())"


def test_unreadable_file_has_no_lines(tmp_path):
    assert file_text(str(tmp_path / "missing.py")).lines == ()


def test_source_of_one_string_is_not_used_for_another(monkeypatch):
    """Python 3.13 knows the program of `python -c` by the name that all code of `exec` has."""
    program = ["another = program\n"]
    monkeypatch.setitem(linecache.cache, "<string>", (len(program[0]), None, program, "<string>"))
    assert file_text("<string>").lines == ()
    found = {"find": raised_at.find}
    exec("found = find()", found)
    assert found["found"] is None


def test_segment_equals_that_of_ast():
    text = "é = 'ü' * 3 + naïve(\n  'ß', x)\n" * 3
    within = Located(text)
    nodes = [node for node in ast.walk(tree_of(text)) if isinstance(node, ast.expr)]
    assert [within.segment(node) for node in nodes] == [
        ast.get_source_segment(text, node) for node in nodes
    ]


def test_text_is_split_and_parsed_once():
    text = "once = 1\n" * 1_000

    def work():
        return located(text), lines_of(text), parsed(text)

    assert calls(work) > 1_000
    assert calls(work) < 10


def test_lines_of_a_file_are_joined_once(tmp_path, monkeypatch):
    file = tmp_path / "a.py"
    file.write_text("n = 1\n")
    texts = []

    def counted(text):
        texts.append(text)
        return Located(text)

    monkeypatch.setattr(source_text, "located", counted)
    assert file_text(str(file)) is file_text(str(file))
    assert texts == ["n = 1\n"]


def test_search_in_a_tree_skips_the_constants_of_a_table():
    numbers = ", ".join(["1"] * 10_000)
    tree = tree_of(f"table = [{numbers}, f(x), 'a']\npair = [g(2), 3]\n")
    found = list(walk(tree))
    assert len(found) < 30
    names = {each.id for each in found if isinstance(each, ast.Name)}
    assert names == {"table", "pair", "f", "g", "x"}
    assert [each.value for each in found if isinstance(each, ast.Constant)] == [3, 2]


@pytest.mark.parametrize("letter", ["a", "é"])
def test_column_lookup_is_linear_in_the_line_length(letter):
    def work(n: int):
        text = f"{letter} = {' + '.join([letter * 40] * n)}\n"
        within = Located(text)
        places = [node for node in ast.walk(tree_of(text)) if isinstance(node, ast.Name)]
        return lambda: [within.segment(node) for node in places]

    assert calls(work(2_000)) < 2.5 * calls(work(1_000))


def test_sum_of_2900_terms_is_parsed_at_the_default_recursion_limit():
    before = sys.getrecursionlimit()
    tree_of("x = " + " + ".join(["w"] * 2_900))
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("text", ["x = " + "-" * 200_000 + "1", "x = " + "(" * 5_000, "x = '\0'"])
def test_text_that_python_cannot_parse_raises_a_syntax_error(text):
    with pytest.raises(SyntaxError):
        tree_of(text)


def test_stack_capture_takes_equal_steps_in_deep_and_shallow_recursion():
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


def test_notebook_skips_lines_that_are_not_python_and_names_them(tmp_path):
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
    assert program.left_out == ("Left out because it is not Python: cell 1 (lines 1, 3, 7, 8)",)


def test_nested_brackets_are_not_a_notebook(tmp_path):
    path = tmp_path / "n.ipynb"
    path.write_text("[" * 100_000)
    with pytest.raises(ValueError, match="not a notebook"):
        of_file(path)


def test_script_name_with_a_leading_dash_is_not_an_option(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-dash.py").write_text("x = 1\n")
    assert of_file(type(tmp_path)("-dash.py")).invoked == "./-dash.py"
