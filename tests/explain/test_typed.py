"""Code in the advice after `try` can be pasted: it parses, and its names are known on the line where it belongs.

A name that the advice introduces, such as `width`, comes with its value: with `width = 0.1`.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from explain.judge import CASES
from explain.test_words import _PAGES
from traced import traced

from minitape.explain.flow.program.scopes import is_known_at

_CALL = re.compile(r"(?<![\w.\]\)])(?:\w+(?:\[[^\]\s]*\])?\.)*\w+\(")
_WATCH = re.compile(r"^(?:\w+\.)*watch\(")
_LINE = re.compile(r"\bline (\d+)")
_INNER = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda
_STATEMENT = re.compile(r"`([^`]*)` \(line \d+\)")


def calls_in(text: str) -> Iterator[str]:
    """The outermost calls in a text, each up to its closing parenthesis."""
    start = 0
    while found := _CALL.search(text, start):
        depth = 0
        for end in range(found.end() - 1, len(text)):
            depth += (text[end] in "([{") - (text[end] in ")]}")
            if depth == 0:
                break
        yield text[found.start() : end + 1]
        start = end + 1


def own_names(code: str, text: str) -> set[str]:
    """The names of an expression that its text does not assign."""
    nodes = list(ast.walk(ast.parse(code, mode="eval")))
    bound = {each.arg for each in nodes if isinstance(each, ast.arg)}
    bound |= {
        each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    read = {each.id for each in nodes if isinstance(each, ast.Name)} - bound
    given = r"\b{name}(, \w+)* = |`{name}` is |\bfor [^:]*\b{name}\b[^:]* in |\blambda [^:]*\b{name}\b[^:]*:"
    return {name for name in read if not re.search(given.format(name=name), text)}


def faults_of(reported: dict[str, Any], programs: list[str], requested: int) -> Iterator[str]:
    """Return the advice of an answer that cannot be typed into the programs that it concerns."""
    text = reported["try"]
    said = [int(line.split()[0]) for line in reported["lines"]] + list(
        map(int, _LINE.findall(text))
    )
    for code in calls_in(text):
        lines = [requested] if _WATCH.match(code) else [requested, *said]
        try:
            compile(code, "told", "eval")
        except SyntaxError as error:
            yield f"{code}: {error.msg}"
            continue
        if "..." in code:
            yield f"{code}: something is left out"
        for name in own_names(code, text):
            if not any(_is_known(each, line, name) for each in programs for line in lines):
                yield f"{code}: {name} has no value there"
        for name in re.findall(r"\bself\.\w+", code):
            if not any(is_known_at(each, line, name) for each in programs for line in lines):
                yield f"{code}: nothing there speaks of {name}"
    for statement in _STATEMENT.findall(text):
        if " = " in statement and not _parses(statement):
            yield f"{statement}: no statement"


def _is_known(program: str, line: int, name: str) -> bool:
    """Whether a name has a value on a line; names that a comprehension or a lambda on that line binds count too."""
    if is_known_at(program, line, name):
        return True
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, _INNER) and node.lineno <= line <= (node.end_lineno or 0):
            inner = [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
            inner += [each.arg for each in ast.walk(node) if isinstance(each, ast.arg)]
            if name in inner:
                return True
    return False


def _parses(statement: str) -> bool:
    try:
        compile(f"def f():\n {statement}", "told", "exec")
    except SyntaxError:
        return False
    return True


def _programs(script: Path) -> list[str]:
    """A case, and the files below its folder that it imports."""
    text = script.read_text(encoding="utf-8")
    folders = set(re.findall(r"(?:from|import) (\w+)", text))
    others = [each for folder in folders for each in (script.parent / folder).glob("**/*.py")]
    return [text, *(each.read_text(encoding="utf-8") for each in others)]


@pytest.mark.parametrize("folder", _PAGES)
def test_code_in_advice_can_be_typed(folder: str) -> None:
    pages: dict[str, Any] = json.loads(_PAGES[folder].read_text(encoding="utf-8"))
    faults = [
        f"{name}: {fault}"
        for name, answers in pages.items()
        for reported in answers
        for fault in faults_of(reported, _programs(CASES[name].script), CASES[name].line)
    ]
    assert faults == []


_PROGRAM = "class Trainer:\n    def step(self, x):\n        self.net(x)\n        tape.gradient(y, self.net.w)\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("tape.watch(sequential/dense/kernel) first", "sequential has no value there"),
        ("tape.watch(self.w)", "nothing there speaks of self.w"),
        ("f(a=1, a=2)", "keyword argument repeated"),
        ("call generator(...)", "something is left out"),
        ("tf.tanh(x / width)", "width has no value there"),
        ("keep it: `y = = 3` (line 2)", "no statement"),
    ],
)
def test_advice_that_cannot_be_typed_is_detected(text: str, fault: str) -> None:
    """The check itself can fail."""
    program = f"import tensorflow as tf\ntape = y = None\n{_PROGRAM}"
    assert fault in "; ".join(faults_of({"try": text, "lines": []}, [program], 6))


def test_weight_is_named_as_in_the_calling_code(tmp_path: Path) -> None:
    """`self.bias` in the layer is `self.head.bias` in the trainer; the call identifies it by the list that it passes."""
    run = traced(
        """
        class Head(tf.Module):
            def __init__(self):
                self.bias = tf.Variable(1.0)
                self.scale = tf.Variable(2.0)
        class Trainer:
            def __init__(self):
                self.head = Head()
            def step(self):
                with tf.GradientTape(watch_accessed_variables=False) as tape:
                    y = self.head.bias * self.head.scale
                return tape.gradient(y, self.head.trainable_variables)
        Trainer().step()
        """,
        tmp_path,
    )
    fixes = [source.findings[0].fix for source in run.report.calls[0].sources]
    assert ["self.head.trainable_variables[0]" in fixes[0], "[1]" in fixes[1]] == [True, True]


def test_dictionary_entry_is_named_by_its_key(tmp_path: Path) -> None:
    """A gradient call processes a dictionary in the order of its keys."""
    run = traced(
        """
        def slope(params):
            with tf.GradientTape() as tape:
                y = params["b"] * params["a"]
            return tape.gradient(y, params)
        params = {"b": tf.constant(2.0), "a": tf.constant(3.0)}
        slope(params)
        """,
        tmp_path,
    )
    fixes = [source.findings[0].fix for source in run.report.calls[0].sources]
    assert ["params['a']" in fixes[0], "params['b']" in fixes[1]] == [True, True]
