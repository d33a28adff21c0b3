"""Applies the text of a fix literally, as a person would type it: the text is replaced, inserted or moved, and nothing else
changes.

typed     a program with the first alternative of a printed fix applied; None if it cannot be typed
kinds_of  the names of the catalog's texts in a fix
"""

import ast
import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import pairwise
from pkgutil import iter_modules
from typing import NamedTuple

from minitape.explain.causes import texts as catalog
from minitape.explain.report import Finding
from minitape.templates import DiagnosticText, Entry, Template

_CODE = r"`([^`]+)`"
_ON_LINE = r"(?: \(line (\d+)\)| on line (\d+)| instead on line (\d+))?"


class Typing(NamedTuple):
    """A program that is being edited: its lines, the line of the finding, and the line that opens the tape."""

    lines: list[str]
    finding: Finding
    opened: int

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def typed(program: str, finding: Finding, opened: int, call: int) -> str | None:
    """Return the program with the fix of a finding applied; None if the fix is advice that cannot be typed.

    Args:
        program: The text of the script.
        finding: A finding on a line of that script.
        opened: The line of the `with` block of the tape.
        call: The line of the gradient call.
    """
    fix = finding.fix
    for way in (
        _switch, _deleted, _out_of_map, _collected, _loop, _call_again, _then_called, _into_block, _out_of_block, _accumulated,
        _setting, _decorator, _block_head, _last_line, _without_line, _run_again, _moved_before, _before_line,
        _initialized, _instead, _moved, _added_after, _added, _smooth, _soft_function, _written, _expression, _zeros,
        _requested, _removed,
    ):  # fmt: skip
        work = Typing(program.splitlines(), finding, opened)
        if way(work, fix, call):
            return work.text if _is_python(work.text) else None
    return None


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _loop(work: Typing, fix: str, _: int) -> bool:
    """write `slow = [...]` instead of the loop on line 5"""
    found = re.match(rf"write {_CODE} instead of the loop on line (\d+), so that", fix)
    if found is None:
        return False
    at = int(found[2])
    loop = _statement(work, at)
    _replace(work, at, loop.end_lineno or at, found[1])
    return True


def _deleted(work: Typing, fix: str, call: int) -> bool:
    """delete line 7, so that `x` stays a tensor, and use `A` instead of `B` (line 10)"""
    found = re.match(
        r"delete line (\d+)(?:, so that `[^`]*` stays a tensor(?:, and (use .*))?)?$", fix
    )
    if found is None or (found[2] and not _instead(work, found[2], call)):
        return False
    statement = _statement(work, int(found[1]))
    del work.lines[statement.lineno - 1 : statement.end_lineno]
    _fill_empty_blocks(work)
    return True


def _out_of_map(work: Typing, fix: str, call: int) -> bool:
    """write `return x` (line 9) and `for x in data:` (line 14), and add `y = x * w` as the first line of the `with` block"""
    found = re.match(
        rf"write {_CODE} \(line (\d+)\) and {_CODE} \(line (\d+)\), and add {_CODE} as the first line of the `with` block",
        fix,
    )
    if found is None or not _added(
        work, f"add `{found[5]}` as the first line of the `with` block", call
    ):
        return False
    for line, text in ((int(found[2]), found[1]), (int(found[4]), found[3])):
        _replace(work, line, line, text)
    return True


def _collected(work: Typing, fix: str, _: int) -> bool:
    """write `values = []` before the loop (line 8) and `values.append(x)` after line 10, and use `A` instead of `B` (line 11)"""
    found = re.match(
        rf"write {_CODE} before the loop \(line (\d+)\) and {_CODE} after line (\d+), and use {_CODE} instead of {_CODE} "
        r"\(line (\d+)\)",
        fix,
    )
    if found is None or not _exchange(work, int(found[7]), found[6], found[5]):
        return False
    for text, line, shift in ((found[3], int(found[4]), 0), (found[1], int(found[2]), -1)):
        work.lines.insert(line + shift, _indented(work, line, text))
    return True


def _call_again(work: Typing, fix: str, call: int) -> bool:
    """write `tape.gradient(loss, model.trainable_variables)`"""
    found = re.match(
        r"(?:write|use) `([^`]*\.(?:gradient|jacobian)\([^`]*\)(?:\[\w+\])?)`(?! instead)", fix
    )
    return found is not None and _call(work, call, found[1])


def _into_block(work: Typing, fix: str, call: int) -> bool:
    """write `y = model(x)` (line 9), in the `with` block on line 12"""
    found = re.match(rf"write {_CODE} \(line (\d+)\), in the `with` block on line (\d+)", fix)
    if found is None:
        return False
    statement = _statement(work, int(found[2]))
    _replace(work, statement.lineno, statement.end_lineno or statement.lineno, found[1])
    return _moved(work, f"move line {found[2]} into the `with` block on line {found[3]}", call)


def _instead(work: Typing, fix: str, _: int) -> bool:
    """use `A` instead of `B` (line 5) and `C` instead of `D` (line 6)"""
    if fix.startswith("move"):
        return False
    written = re.match(rf"(?:[^`]*: )?(?:write )?{_CODE} \(line (\d+)\), and (?:use )?`", fix)
    pairs = list(
        re.finditer(
            rf"{_CODE} (?:instead|in place) of {_CODE}(?! where){_ON_LINE}", fix.split("; ")[0]
        )
    )
    if not pairs:
        return False
    if written is not None:
        _replace(work, int(written[2]), int(written[2]), written[1])
    for pair in pairs:
        at = int(pair[3] or pair[4] or pair[5] or work.finding.location.line)
        if not _exchange(work, at, pair[2], pair[1]):
            return False
    added = re.match(rf"add {_CODE} after line (\d+), and use `", fix)
    if added is not None:
        _insert_after(work, int(added[2]), added[1])
    return True


def _moved(work: Typing, fix: str, call: int) -> bool:
    """move lines 4, 5 and 6 into the `with` block, in this order"""
    found = re.match(r"(?:move|indent) lines? ((?:\d+(?:, | and )?)+)(?: to (\d+))?", fix)
    if found is None or ("block" not in fix):
        return False
    numbers = [int(each) for each in re.findall(r"\d+", found[1])]
    if found[2]:
        numbers = list(range(numbers[0], int(found[2]) + 1))
    target = re.search(r"`with` block on line (\d+)", fix)
    opened = int(target[1]) if target else work.opened
    block = _statement(work, opened)
    if not isinstance(block, ast.With):
        return False
    inside = work.lines[block.body[0].lineno - 1]
    indent = inside[: len(inside) - len(inside.lstrip())]
    moved: list[str] = []
    outer = [_outermost(work, number) for number in numbers]
    inside_others = {
        n for each in outer for n in range(each.lineno + 1, (each.end_lineno or 0) + 1)
    }
    numbers = [number for number in numbers if number not in inside_others]
    for number in numbers:
        statement = _statement(work, number)
        end = statement.end_lineno or number
        text = textwrap.dedent("\n".join(work.lines[statement.lineno - 1 : end]))
        moved += textwrap.indent(text, indent).splitlines()
    ends = {n: (_statement(work, n).end_lineno or n) for n in numbers}
    before = [n for n in numbers if n < opened]
    at = block.body[0].lineno - 1 if before else (block.end_lineno or opened)
    work.lines[at:at] = moved
    for number in sorted(numbers, reverse=True):
        shift = 0 if number <= at else len(moved)
        del work.lines[number - 1 + shift : ends[number] + shift]
    _fill_empty_blocks(work)
    return True


def _added_after(work: Typing, fix: str, _: int) -> bool:
    """add `tape.watch(x)` after line 15"""
    found = re.match(rf"add {_CODE} after line (\d+)", fix)
    if found is None:
        return False
    _insert_after(work, int(found[2]), found[1])
    return True


def _then_called(work: Typing, fix: str, call: int) -> bool:
    """write `value = f(x)` inside the `with` block, and then call `tape.gradient(value, x)`"""
    found = re.match(rf"write {_CODE} inside the `with` block, and then call {_CODE}", fix)
    block = _statement(work, work.opened) if found is not None else None
    if found is None or not isinstance(block, ast.With) or not _call(work, call, found[2]):
        return False
    work.lines.insert(block.end_lineno or 0, _indented(work, block.body[0].lineno, found[1]))
    return True


def _out_of_block(work: Typing, fix: str, _: int) -> bool:
    """move line 9 out of the `stop_recording` block"""
    found = re.match(r"move line (\d+) out of the `stop_recording` block", fix)
    if found is None:
        return False
    line = int(found[1])
    around = [
        node
        for node in ast.walk(ast.parse(work.text))
        if isinstance(node, ast.With) and node.lineno < line <= (node.end_lineno or 0)
    ]
    if not around:
        return False
    block = max(around, key=lambda node: node.lineno)
    statement = _outermost(work, line)
    indent = re.match(r"\s*", work.lines[block.lineno - 1])
    end = statement.end_lineno or line
    text = textwrap.dedent("\n".join(work.lines[line - 1 : end]))
    moved = textwrap.indent(text, indent[0] if indent else "").splitlines()
    work.lines[block.end_lineno or end : block.end_lineno or end] = moved
    del work.lines[line - 1 : end]
    _fill_empty_blocks(work)
    return True


def _accumulated(work: Typing, fix: str, _: int) -> bool:
    """add up the iterations: `h += layer(x)`, with `h = 0.0` before the loop"""
    found = re.search(
        rf"on line (\d+), or add up the iterations: {_CODE}, with {_CODE} before the loop", fix
    )
    if found is None:
        return False
    line = int(found[1])
    statement = _statement(work, line)
    _replace(work, statement.lineno, statement.end_lineno or line, found[2])
    loops = [
        node
        for node in ast.walk(ast.parse(work.text))
        if isinstance(node, ast.For | ast.While) and node.lineno < line <= (node.end_lineno or 0)
    ]
    loop = max(loops, key=lambda node: node.lineno)
    work.lines.insert(loop.lineno - 1, _indented(work, loop.lineno, found[3]))
    return True


def _setting(work: Typing, fix: str, _: int) -> bool:
    """use `activation="sigmoid"` for a single output"""
    found = re.search(r"use `(\w+)=([^`]+)`", fix)
    line = work.lines[work.finding.location.line - 1]
    better = (
        "" if found is None else re.sub(rf"\b{found[1]}=[^,()]+", f"{found[1]}={found[2]}", line)
    )
    if not better or better == line:
        return False
    work.lines[work.finding.location.line - 1] = better
    return True


def _added(work: Typing, fix: str, _: int) -> bool:
    """add `tape.watch(x)` as the first line of the `with` block"""
    found = re.match(
        rf"(?:(?:add|move|call) {_CODE} (?:as the first line of|to the top of) the `with` block|"
        rf"write {_CODE} once more, as the first line)",
        fix,
    )
    if found is None:
        return False
    line = found[1] or found[2]
    at = re.search(r"`with` block on line (\d+)", fix)
    block = _statement(work, int(at[1]) if at else work.opened)
    if not isinstance(block, ast.With):
        return False
    if fix.startswith("move"):
        old = _statement(work, work.finding.location.line)
        _replace(work, old.lineno, old.end_lineno or old.lineno, "pass")
    first = block.body[0].lineno
    work.lines.insert(first - 1, _indented(work, first, line))
    return True


def _smooth(work: Typing, fix: str, _: int) -> bool:
    """or a smooth step: `tf.sigmoid((a - b) / width)`, with `width = 0.1` to start with"""
    found = re.search(
        rf"use a smooth step, such as {_CODE}, with {_CODE}|smooth step: {_CODE}, with {_CODE}(?: and {_CODE})?",
        fix,
    )
    place = work.finding.location
    if found is None or place.line != place.end_line:
        return False
    step = found[1] or found[3]
    line = work.lines[place.line - 1]
    work.lines[place.line - 1] = line[: place.column] + step + line[place.end_column :]
    _insert_before(work, place.line, *(each for each in (found[2], found[4], found[5]) if each))
    return True


def _switch(work: Typing, fix: str, _: int) -> bool:
    """use `step * a + (1.0 - step) * b` instead of `tf.where(c, a, b)` (line 3), with `step = ...` before it and with `width`
    to start with; or only with `width`
    """
    found = re.match(
        rf"use {_CODE} instead of {_CODE} \(line (\d+)\), with (?:{_CODE} before it and with )?{_CODE} to start with",
        fix,
    )
    if found is None or not _exchange(work, int(found[3]), found[2], found[1]):
        return False
    _insert_before(work, int(found[3]), *(each for each in (found[5], found[4]) if each))
    return True


def _soft_function(work: Typing, fix: str, _: int) -> bool:
    """or use `tf.nn.leaky_relu(x)`, which has a gradient on both sides"""
    found = re.search(r"use `(tf\.nn\.(?:softplus|leaky_relu)\([^`]*\))`", fix)
    place = work.finding.location
    if found is None or place.line != place.end_line:
        return False
    line = work.lines[place.line - 1]
    work.lines[place.line - 1] = line[: place.column] + found[1] + line[place.end_column :]
    return True


def _before_line(work: Typing, fix: str, _: int) -> bool:
    """clean `x` first: `x = tf.where(tf.math.is_nan(x), 0.0, x)` before line 7"""
    found = re.search(rf"first: {_CODE} (before|after) line (\d+)", fix)
    if found is None:
        return False
    line = int(found[3])
    if found[2] == "after":
        return _added_after(work, f"add `{found[1]}` after line {line}", line)
    _insert_before(work, line, found[1])
    return True


def _initialized(work: Typing, fix: str, _: int) -> bool:
    """initialize it with small random values: `gate = tf.Variable(...)` (line 5)"""
    found = re.search(rf"small random values: {_CODE} \(line (\d+)\)", fix)
    if found is None:
        return False
    statement = _statement(work, int(found[2]))
    _replace(work, statement.lineno, statement.end_lineno or statement.lineno, found[1])
    return True


def _without_line(work: Typing, fix: str, _: int) -> bool:
    """remove `tape.reset()` on line 9"""
    found = re.match(rf"remove {_CODE} on line (\d+)", fix)
    if found is None:
        return False
    return _exchange(work, int(found[2]), found[1], "None")


def _run_again(work: Typing, fix: str, _: int) -> bool:
    """run `weights = [self.table]` again after line 16"""
    found = re.match(rf"run {_CODE} again after line (\d+)", fix)
    if found is None:
        return False
    _insert_after(work, int(found[2]), found[1])
    return True


def _moved_before(work: Typing, fix: str, _: int) -> bool:
    """move line 14 before the loop (line 13); move `w = weight([2, 3])` before the function, so that it runs once"""
    loop = re.match(r"move line (\d+) before the loop \(line (\d+)\)", fix)
    function = re.match(rf"move {_CODE} before the function", fix)
    if loop is None and function is None:
        return False
    line = int(loop[1]) if loop else work.finding.location.line
    statement = _statement(work, line)
    if loop is not None:
        target = int(loop[2])
    else:
        around = [
            node.lineno
            for node in ast.walk(ast.parse(work.text))
            if isinstance(node, ast.FunctionDef) and node.lineno < line <= (node.end_lineno or 0)
        ]
        if not around:
            return False
        target = max(around)
    end = statement.end_lineno or line
    text = textwrap.dedent("\n".join(work.lines[statement.lineno - 1 : end]))
    del work.lines[statement.lineno - 1 : end]
    _fill_empty_blocks(work)
    _insert_before(work, target, *text.splitlines())
    return True


def _decorator(work: Typing, fix: str, _: int) -> bool:
    """use `@property` instead of `@cached_property`; remove `@functools.cache`"""
    found = re.match(r"(?:use `(@[^`]+)` instead of|remove) `(@[^`]+)`", fix)
    if found is None:
        return False
    lines = [number for number, line in enumerate(work.lines) if line.strip().startswith(found[2])]
    near = min(lines, key=lambda number: abs(number - work.finding.location.line), default=None)
    if near is None:
        return False
    work.lines[near] = work.lines[near].replace(work.lines[near].strip(), found[1] or "")
    return True


def _block_head(work: Typing, fix: str, _: int) -> bool:
    """write `with tf.GradientTape(persistent=True) as tape:` on line 5"""
    found = re.fullmatch(r"write `(with [^`]*:)` on line (\d+)", fix)
    if found is None:
        return False
    line = int(found[2])
    work.lines[line - 1] = _indented(work, line, found[1])
    return True


def _last_line(work: Typing, fix: str, _: int) -> bool:
    """add `return clipped` as its last line"""
    found = re.match(rf"add {_CODE} as its last line", fix)
    if found is None:
        return False
    _insert_after(work, work.finding.location.line, found[1])
    return True


def _written(work: Typing, fix: str, _: int) -> bool:
    """write `S` (line 5)"""
    found = re.match(
        rf"(?:write|use floats:|give the variable a new value instead:|call) {_CODE}{_ON_LINE}", fix
    ) or re.match(
        rf"(?:keep the tensor: write |use the tensor itself, without `[^`]*`: |add ){_CODE}{_ON_LINE}",
        fix,
    )
    if found is None:
        return False
    at = int(found[2] or found[3] or found[4] or work.finding.location.line)
    if found[1].isidentifier():
        return False
    declared = re.search(r"`(\w+)` then needs `(global \w+)` as its first line", fix)
    is_on_line = "as a separate statement" in fix or any(found[group] for group in (2, 3, 4))
    ok = _put(work, at, found[1], is_on_line)
    likewise = fix[found.end() :].partition("; then add")[0].split(";")[-1]
    for more in re.finditer(rf"{_CODE} \(line (\d+)\)", likewise):
        if "likewise" in fix or "get the tensors" in fix:
            _put(work, int(more[2]), more[1], True)
    for more in re.finditer(rf"then add {_CODE} after line (\d+), because", fix):
        _insert_after(work, int(more[2]), more[1])
    if declared is not None:
        functions = (
            each for each in ast.walk(ast.parse(work.text)) if isinstance(each, ast.FunctionDef)
        )
        function = next(each for each in functions if each.name == declared[1])
        first = function.body[0].lineno
        work.lines.insert(first - 1, _indented(work, first, declared[2]))
    return ok


def _put(work: Typing, at: int, text: str, is_statement: bool) -> bool:
    """Place a statement on a line; an expression without its own line goes to the line of the finding."""
    if text.startswith("def "):
        return False
    if re.match(r"(for|while) ", text) and not text.endswith(":") and not _is_python(text):
        text += ":"
    node = ast.parse(text if not text.rstrip().endswith(":") else f"{text} pass").body[0]
    if text.rstrip().endswith(":"):
        work.lines[at - 1] = _indented(work, at, text)
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Lambda):
        written = [
            each
            for each in ast.walk(ast.parse(work.text))
            if isinstance(each, ast.Lambda) and each.lineno == at
        ]
        return len(written) == 1 and _exchange(work, at, ast.unparse(written[0]), text)
    if isinstance(node, ast.Expr) and not is_statement:
        place = work.finding.location
        if place.column >= 0 and place.end_line == place.line:
            line = work.lines[at - 1]
            work.lines[at - 1] = line[: place.column] + text + line[place.end_column :]
            return True
    statement = _statement(work, at)
    _replace(work, statement.lineno, statement.end_lineno or at, text)
    return True


def _expression(work: Typing, fix: str, _: int) -> bool:
    """use `E`, with `inside = x` before it"""
    found = re.match(
        rf"(?:use|use a straight-through estimator:|add a small number inside:|keep the input slightly inside this range:|"
        rf"swap the arguments:|keep `[^`]*` above 0:|select a safe input before you compute the angle:|"
        rf"subtract the maximum first,) "
        rf"{_CODE}(?! on line| in | where| itself| only| of | after| instead)(.*)",
        fix,
    )
    if found is None:
        return False
    before = re.match(rf", with {_CODE}", found[2])
    place = work.finding.location
    if "where `" in found[2] or "instead of" in found[2]:
        return False
    if place.column < 0 or place.line != place.end_line:
        return False
    line = work.lines[place.line - 1]
    work.lines[place.line - 1] = line[: place.column] + found[1] + line[place.end_column :]
    if before is not None:
        statement = _statement(work, place.line)
        work.lines.insert(statement.lineno - 1, _indented(work, statement.lineno, before[1]))
    return True


def _zeros(work: Typing, fix: str, call: int) -> bool:
    """request zeros: `tape.gradient(y, w, unconnected_gradients="zero")`"""
    found = re.search(rf"request zeros: {_CODE}", fix)
    return found is not None and _call(work, call, found[1])


def _requested(work: Typing, fix: str, call: int) -> bool:
    """or request the gradient of this value: `tape.gradient(h, w)`"""
    found = re.search(
        rf"(?:request the gradients? of [^:]*|for zeros|to get zeros, write):? {_CODE}",
        fix,
    )
    return found is not None and _call(work, call, found[1])


def _call(work: Typing, at: int, text: str) -> bool:
    for node in ast.walk(ast.parse(work.text)):
        match node:
            case ast.Call(func=ast.Attribute(attr="gradient" | "jacobian")):
                if node.lineno <= at <= (node.end_lineno or 0):
                    written = ast.get_source_segment(work.text, node) or ""
                    return _exchange(work, node.lineno, written, text)
    return False


def _removed(work: Typing, fix: str, _: int) -> bool:
    """remove `trainable=False`"""
    found = re.search(rf"remove {_CODE}", fix)
    if found is None:
        return False
    place, what = work.finding.location, found[1]
    line = work.lines[place.line - 1]
    if what == "stop_gradient":
        better = re.sub(r"tf\.stop_gradient\(", "(", line, count=1)
    elif "=" in what:
        better = re.sub(rf"(, *)?{re.escape(what)}", "", line)
    else:
        better = line.replace(what, "")
    work.lines[place.line - 1] = better
    return better != line


# --- editing ---


def _statement(work: Typing, line: int) -> ast.stmt:
    found = [
        node
        for node in ast.walk(ast.parse(work.text))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return min(found, key=lambda node: (node.end_lineno or 0) - node.lineno)


def _indented(work: Typing, line: int, text: str) -> str:
    """Return a text with the indentation of a line."""
    like = work.lines[line - 1]
    return like[: len(like) - len(like.lstrip())] + text


def _insert_after(work: Typing, line: int, text: str) -> None:
    """Insert a line after the statement on a line, with its indentation."""
    statement = _statement(work, line)
    new = _indented(work, statement.lineno, text)
    work.lines.insert(statement.end_lineno or statement.lineno, new)


def _insert_before(work: Typing, line: int, *texts: str) -> None:
    """Insert lines before the statement on a line, with its indentation."""
    first = _statement(work, line).lineno
    work.lines[first - 1 : first - 1] = [_indented(work, first, text) for text in texts]


def _outermost(work: Typing, line: int) -> ast.stmt:
    """Return the largest statement that begins on a line; the statement around the line if none begins there."""
    starting = [
        node
        for node in ast.walk(ast.parse(work.text))
        if isinstance(node, ast.stmt) and node.lineno == line
    ]
    return starting[0] if starting else _statement(work, line)


def _replace(work: Typing, first: int, last: int, text: str) -> None:
    work.lines[first - 1 : last] = [_indented(work, first, text)]


def _exchange(work: Typing, at: int, old: str, new: str) -> bool:
    """Replace an expression in the statement on a line; spaces and quotes may differ."""
    whole = work.text
    wanted = _plain(old)
    for node in ast.walk(ast.parse(whole)):
        if not isinstance(node, ast.expr) or not node.lineno <= at <= (node.end_lineno or 0):
            continue
        if ast.unparse(node) == wanted:
            segment = ast.get_source_segment(whole, node) or ""
            before = sum(len(each) + 1 for each in work.lines[: node.lineno - 1])
            line = work.lines[node.lineno - 1]
            start = before + len(line.encode()[: node.col_offset].decode())
            work.lines[:] = (whole[:start] + new + whole[start + len(segment) :]).splitlines()
            return True
    return False


def _plain(text: str) -> str:
    try:
        return ast.unparse(ast.parse(text, mode="eval").body)
    except SyntaxError:
        return text


def _fill_empty_blocks(work: Typing) -> None:
    """Add `pass` to a block that lost all its lines, as a person would do."""
    head = re.compile(r"\s*(for|if|with|while|else|def)\b.*:\s*$")
    for index, (line, below) in enumerate(pairwise(work.lines)):
        indents = [len(each) - len(each.lstrip()) for each in (line, below)]
        if head.match(line) and below.strip() and indents[1] <= indents[0]:
            work.lines[index] = f"{line} pass"


# --- the texts in a fix ---


def catalog_names() -> dict[int, str]:
    """Return the name of each text of the catalog, by its identity."""
    names: dict[int, str] = {}
    for module in iter_modules(catalog.__path__):
        texts = import_module(f"{catalog.__name__}.{module.name}")
        for name, value in vars(texts).items():
            if isinstance(value, Entry | Template | str) and name.isupper():
                names.setdefault(id(value), f"{module.name}.{name}")
    return names


class Kinds:
    """Records which texts of the catalog become part of a fix."""

    def __init__(self) -> None:
        self._names = catalog_names()
        self._filled: list[tuple[str, str]] = []
        self._entries: list[tuple[str, str]] = []  # whose fix is another text of the catalog
        self._constants = [
            (self._names[id(value)], value)
            for module in iter_modules(catalog.__path__)
            for value in vars(import_module(f"{catalog.__name__}.{module.name}")).values()
            if isinstance(value, str) and id(value) in self._names
        ]

    @contextmanager
    def noted(self) -> Iterator[None]:
        fill, words = Template.__call__, Entry.__call__

        def filled(template: Template, **values: object) -> str:
            text = fill(template, **values)
            self._filled.append((self._names.get(id(template), ""), text))
            return text

        def worded(entry: Entry, **values: object) -> DiagnosticText:
            text = words(entry, **values)
            kept = self._entries if re.fullmatch(r"\{\w+\}", entry.fix) else self._filled
            kept.append((self._names.get(id(entry), ""), text.fix))
            return text

        Template.__call__, Entry.__call__ = filled, worded  # type: ignore[method-assign]
        try:
            yield
        finally:
            Template.__call__, Entry.__call__ = fill, words  # type: ignore[method-assign]

    def of(self, fix: str) -> set[str]:
        """Return the names of the texts in a fix."""
        parts = {name for name, text in self._filled if name and len(text) > 12 and text in fix}
        parts |= {name for name, text in self._constants if len(text) > 12 and text in fix}
        return parts or {name for name, text in self._entries if text == fix}
