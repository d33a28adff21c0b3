"""A changed syntax tree is written as text, and unchanged code stays exactly as it was."""

import ast
import copy
import sys
from collections.abc import Callable

import pytest

from minitape.fixes.text.patching import marked, patched
from minitape.source_text import decoded, deep_trees, encoded

TEXT = '''\
import numpy as np  # arrays


def loss(x):
    # what is left
    left = np.square( x - 1.0 )  # each
    return left


for step in range(3):

    with tf.GradientTape() as tape:
        # the prediction
        y = loss(2 * w)   # twice
        note = """kept
as it is"""
    print(tape.gradient(y, w))
'''
FIRST = TEXT.splitlines()


def changed(change: Callable[[ast.Module], None], text: str = TEXT) -> str | None:
    tree = copy.deepcopy(marked(text))
    change(tree)
    return patched(text, ast.fix_missing_locations(tree))


def lines_that_differ(new: str | None) -> tuple[list[str], list[str]]:
    assert new is not None
    before, after = FIRST, new.splitlines()
    return [x for x in before if x not in after], [x for x in after if x not in before]


def the(tree: ast.Module, kind: type[ast.AST]) -> list[ast.AST]:
    return [node for node in ast.walk(tree) if isinstance(node, kind)]


def test_unchanged_tree_is_written_unchanged() -> None:
    assert changed(lambda _: None) == TEXT


def test_renaming_changes_only_one_name() -> None:
    def fix(tree: ast.Module) -> None:
        next(each for each in the(tree, ast.Name) if each.id == "np").id = "tf"  # type: ignore[attr-defined]

    assert lines_that_differ(changed(fix)) == (
        ["    left = np.square( x - 1.0 )  # each"],
        ["    left = tf.square( x - 1.0 )  # each"],
    )


def test_argument_that_replaces_its_call_keeps_its_formatting() -> None:
    def fix(tree: ast.Module) -> None:
        (statement,) = (
            each for each in the(tree, ast.Assign) if ast.unparse(each).startswith("left")
        )
        statement.value = statement.value.args[0]  # type: ignore[attr-defined]

    assert lines_that_differ(changed(fix))[1] == ["    left = x - 1.0  # each"]


def test_parentheses_are_kept_where_needed() -> None:
    text = "y = 2 * np.array(a + b)\n"

    def fix(tree: ast.Module) -> None:
        product = tree.body[0].value  # type: ignore[attr-defined]
        product.right = product.right.args[0]

    assert changed(fix, text) == "y = 2 * (a + b)\n"


def test_statement_is_moved_with_its_comment_and_indentation() -> None:
    def fix(tree: ast.Module) -> None:
        loop = tree.body[2]
        assert isinstance(loop, ast.For)
        within = loop.body[0]
        assert isinstance(within, ast.With)
        loop.body.insert(0, within.body.pop(0))

    new = changed(fix)
    assert new is not None
    assert "    # the prediction\n    y = loss(2 * w)   # twice\n" in new
    assert lines_that_differ(new)[0] == [
        "        # the prediction",
        "        y = loss(2 * w)   # twice",
    ]


def test_multiline_string_is_not_indented() -> None:
    def fix(tree: ast.Module) -> None:
        loop = tree.body[2]
        assert isinstance(loop, ast.For)
        within = loop.body[0]
        assert isinstance(within, ast.With)
        loop.body.insert(1, within.body.pop())

    new = changed(fix)
    assert new is not None
    assert '    note = """kept\nas it is"""\n' in new


def test_new_statement_is_on_its_own_line() -> None:
    def fix(tree: ast.Module) -> None:
        (within,) = the(tree, ast.With)
        within.body.insert(0, ast.parse("tape.watch(w)").body[0])  # type: ignore[attr-defined]

    assert lines_that_differ(changed(fix)) == ([], ["        tape.watch(w)"])


def test_new_block_encloses_its_statement() -> None:
    def fix(tree: ast.Module) -> None:
        loop = tree.body[2]
        assert isinstance(loop, ast.For)
        item = ast.withitem(ast.Name("tape", ast.Load()))
        loop.body[1] = ast.With([item], [loop.body[1]])

    assert lines_that_differ(changed(fix))[1] == [
        "    with tape:",
        "        print(tape.gradient(y, w))",
    ]


def test_decorator_can_be_removed() -> None:
    text = "class A:\n    @cache\n    @other\n    def f(self):\n        return 1  # one\n"

    def fix(tree: ast.Module) -> None:
        (function,) = the(tree, ast.FunctionDef)
        del function.decorator_list[0]  # type: ignore[attr-defined]

    assert changed(fix, text) == text.replace("    @cache\n", "")


@pytest.mark.parametrize(
    "text", ["a = 1; b = np.sin(a)\n", "if a: b = np.sin(a)\n", "a = [\n  np.sin(1),\n]; b = a\n"]
)
def test_statement_that_shares_a_line_is_not_moved(text: str) -> None:
    """If two statements are on one line, neither can be moved alone."""

    def fix(tree: ast.Module) -> None:
        tree.body.insert(0, tree.body.pop())
        if isinstance(tree.body[0], ast.If):
            tree.body.append(tree.body[0].body.pop())
            tree.body[0].body.append(ast.Pass())

    new = changed(fix, text)
    assert new is None or ast.dump(ast.parse(new)) != ast.dump(ast.parse(text))


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_encoding_and_line_endings_are_kept(ending: str) -> None:
    data = f"# -*- coding: latin-1 -*-{ending}x = 'é'{ending}".encode("latin-1")
    assert encoded(decoded(data), data) == data
    assert "é" in decoded(data)


# --- deep expressions ---


def _calls_for(terms: int) -> int:
    """The number of function calls for writing a sum with this number of terms, of which the innermost has changed."""
    text = "y = np.sin(w)" + " + 1" * terms + "\n"
    calls = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    with deep_trees():
        tree = copy.deepcopy(marked(text))
        next(each for each in the(tree, ast.Name) if each.id == "np").id = "tf"  # type: ignore[attr-defined]
        before = sys.getprofile()
        sys.setprofile(count)
        try:
            changed = patched(text, tree)
        finally:
            sys.setprofile(before)
    assert changed == text.replace("np", "tf")
    return calls


def test_work_is_proportional_to_number_of_terms() -> None:
    assert _calls_for(400) < 2.2 * _calls_for(200)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "1.0"),
        ("1", "True"),
        ("0.0", "-0.0"),
        ("'a'", "b'a'"),
        ("None", "..."),
        ("f()", "f"),
        ("[a]", "(a,)"),
    ],
)
def test_constants_that_compare_equal_are_distinguished(one: str, other: str) -> None:
    text, new = f"y = g({one}, 2)\n", f"y = g({other}, 2)\n"

    def fix(tree: ast.Module) -> None:
        tree.body[0].value.args[0] = ast.parse(other).body[0].value  # type: ignore[attr-defined]

    assert changed(fix, text) == new
