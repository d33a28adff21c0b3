"""Compares a student's file with its starter: finds the block to edit, and the changes outside it.

    compared        a starter and a student's text → a Comparison
    Comparison      whether the file is untouched, the changes outside the block, and the restored program
    OutsideChange   a line outside the block that differs
    inserted        the starter with the block of a notebook's cell
    block_lines     the numbers of the lines in the block
    block_text      the block as text
    bound_names     the names that a text assigns or defines

Comments, blank lines and additional imports are not changes.
"""

from __future__ import annotations

import ast
import difflib
import io
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct

from minitape.source_text import lines_of

TODO, END = "# TODO", "# END"


class OutsideChange(Struct, frozen=True):
    """A change outside the block.

    `line` is the number of the line in the student's text; `was` is the text in the starter, "" for an added line; `now` is the
    student's text, "" for a removed line. A file without the lines `# TODO` and `# END` has a change in which both are empty.
    """

    line: int
    was: str
    now: str


@dataclass(frozen=True)
class Comparison:
    """A student's text, compared with the starter.

    Attributes:
        is_untouched: Whether both texts are the same program.
        outside: The changes outside the block.
        restored: The starter with the student's block in place of its own; None if nothing changed outside, or if the block
            was not found. If the lines `# TODO` and `# END` are missing, it has the student's statements that bind new names.
            It can be run after `imports`.
        is_rebuilt: Whether the block was not found, so that `restored` was assembled from single statements. The checks must
            then pass with the student's own program too.
        imports: The import statements that the student added outside the block.
        taken: The names that the block assigns although the starter's lines before the block define them.
    """

    is_untouched: bool
    outside: tuple[OutsideChange, ...] = ()
    restored: str | None = None
    imports: str = ""
    taken: tuple[str, ...] = ()
    is_rebuilt: bool = False


@dataclass(frozen=True)
class _Split:
    """A text in three parts: the lines up to `# TODO`, the block, and the lines from `# END` on."""

    before: Sequence[str]
    block: Sequence[str]
    after: Sequence[str]


def compared(starter: str, text: str) -> Comparison:
    """Compare a student's text with its starter; both are Python.

    Args:
        starter: The text of the exercise's file.
        text: The student's text; for a notebook, its code cells, joined.
    """
    given = _split(starter)
    if given is None:
        return Comparison(_same(starter, text))
    own = _split(text)
    if own is None:
        return _without_marks(given, starter, text)
    restored = "\n".join((*given.before, *own.block, *given.after))
    taken = tuple(sorted(_taken(given, own.block)))
    if _same(restored, text):
        return Comparison(_same(starter, text), taken=taken)
    imports = _added_imports(starter, (*own.before, *own.after))
    padding = [""] * max(0, len(own.before) - len(given.before))
    first_after = len(own.before) + len(own.block)
    outside = (
        *_changes(given.before, own.before, 1, imports),
        *_changes(given.after, own.after, first_after + 1, imports),
    )
    if not outside:
        return Comparison(_same(starter, text), taken=taken)
    # The block keeps its line numbers, so that messages about it name the right line.
    lines = (*given.before[:-1], *padding, given.before[-1], *own.block, *given.after)
    return Comparison(False, outside, "\n".join(lines), "\n".join(imports), taken)


def inserted(starter: str, cells: Sequence[str]) -> str | None:
    """Return the starter with the block of a notebook's cell in it; None if no cell has a block for this exercise.

    Args:
        starter: The text of the exercise's file.
        cells: The texts of the cells that were run, the newest last. If the notebook has several exercises, the cell is used
            whose lines around the block, and whose names in the block, agree with the starter.
    """
    given = _split(starter)
    if given is None:
        return None
    lines = set(_significant((*given.before, *given.after)))
    best: tuple[int, _Split] | None = None
    for cell in cells:
        own = _split(cell)
        if own is None:
            continue
        around = lines.intersection(_significant((*own.before, *own.after)))
        names = _names(given.block) & _names(own.block)
        score = len(around) + len(names)
        if score and (best is None or score >= best[0]):
            best = score, own
    if best is None:
        return None
    return "\n".join((*given.before, *best[1].block, *given.after)) + "\n"


def _names(block: Sequence[str]) -> set[str]:
    try:
        return bound_names("\n".join(block))
    except SyntaxError:
        return set()


def block_lines(text: str) -> range | None:
    """Return the numbers of the lines in the block; None if the text has no block."""
    found = _split(text)
    if found is None:
        return None
    return range(len(found.before) + 1, len(found.before) + len(found.block) + 1)


def block_text(text: str) -> str:
    """Return the lines of the block; the whole text if it has no block."""
    found = _split(text)
    return text if found is None else "\n".join(found.block)


def bound_names(text: str) -> set[str]:
    """Return the names that the statements at the top level of a text assign or define; imports do not count."""
    found: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            found |= {
                each.id
                for each in ast.walk(node)
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            }
    return found


def _taken(given: _Split, block: Sequence[str]) -> set[str]:
    """Return the names that a block at the top level assigns although the lines before it already define them, except those that
    the starter's block assigns too.
    """
    try:
        before = bound_names("\n".join(given.before))
        return before & bound_names("\n".join(block)) - bound_names("\n".join(given.block))
    except SyntaxError:  # the block is inside a function
        return set()


def _split(text: str) -> _Split | None:
    lines = lines_of(text)
    marks = [line.strip() for line in lines]
    if marks.count(TODO) != 1 or marks.count(END) != 1:
        return None
    first, last = marks.index(TODO), marks.index(END)
    return (
        _Split(lines[: first + 1], lines[first + 1 : last], lines[last:]) if first < last else None
    )


def _without_marks(given: _Split, starter: str, text: str) -> Comparison:
    """Compare a text without the lines around the block; everything else must begin and end as in the starter."""
    before, after = _significant(given.before), _significant(given.after)
    lines = _significant(lines_of(text))
    middle = len(lines) - len(after)
    is_whole = middle >= len(before) and lines[: len(before)] == before and lines[middle:] == after
    if is_whole or _same(starter, text):
        return Comparison(_same(starter, text))
    rebuilt = _rebuilt(given, text)
    return Comparison(False, (OutsideChange(0, "", ""),), rebuilt, is_rebuilt=rebuilt is not None)


def _rebuilt(given: _Split, text: str) -> str | None:
    """Return the starter whose block contains the statements of a text that can only belong to the block.

    These are its definitions and assignments of names that the lines around the block do not have; None if the block is inside
    a function, or if the text assigns no name of the block.
    """
    around = "\n".join((*given.before, *given.after))
    try:
        taken, wanted = bound_names(around), bound_names("\n".join(given.block))
        statements = ast.parse(text).body
    except SyntaxError:
        return None
    own = []
    for each in statements:
        names = bound_names(ast.unparse(each))
        if names and names.isdisjoint(taken):
            own.append(ast.unparse(each))
    if wanted.isdisjoint(bound_names("\n".join(own))):
        return None
    return "\n".join((*given.before, *own, *given.after))


def _same(one: str, other: str) -> bool:
    """Whether two texts are the same program."""
    try:
        return _dumped(one) == _dumped(other)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return one.split() == other.split()


def _dumped(text: str) -> list[str]:
    """Return the statements of a text; `pass` does not count, because it replaces a notebook's magics."""
    return [ast.dump(each) for each in ast.parse(text).body if not isinstance(each, ast.Pass)]


def _significant(lines: Sequence[str]) -> list[str]:
    """Return the lines without comments, omitting lines that are then empty."""
    return [code for _, code in _numbered(lines)]


def _numbered(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return each line that contains code, without its comment, and its number from 0."""
    comments = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline):
            if token.type == tokenize.COMMENT:
                comments[token.start[0] - 1] = token.start[1]
    except (tokenize.TokenError, IndentationError, SyntaxError):
        pass
    codes = (
        (number, line[: comments.get(number, len(line))].rstrip())
        for number, line in enumerate(lines)
    )
    return [(number, code) for number, code in codes if code and code != "pass"]


def _changes(
    given: Sequence[str], own: Sequence[str], first: int, imports: Sequence[str]
) -> list[OutsideChange]:
    """Return how the lines of a part differ; `first` is the number of the student's first line."""
    was, now = _numbered(given), _numbered(own)
    matcher = difflib.SequenceMatcher(None, [c for _, c in was], [c for _, c in now], False)
    found = []
    for tag, i, to_i, j, to_j in matcher.get_opcodes():
        if tag == "equal":
            continue
        old = [code.strip() for _, code in was[i:to_i]]
        new = [(number, code.strip()) for number, code in now[j:to_j]]
        new = [(number, code) for number, code in new if code not in imports]
        for k in range(max(len(old), len(new))):
            number = new[min(k, len(new) - 1)][0] if new else (now[j][0] if j < len(now) else 0)
            found.append(
                OutsideChange(
                    first + number,
                    old[k] if k < len(old) else "",
                    new[k][1] if k < len(new) else "",
                )
            )
    return found


def _added_imports(starter: str, lines: Sequence[str]) -> list[str]:
    """Return the import statements at the top level of `lines` that the starter does not have."""
    known = {line.strip() for line in lines_of(starter)}
    words = ("import ", "from ")
    return [
        code
        for _, code in _numbered(lines)
        if code.startswith(words) and code not in known and _is_statement(code)
    ]


def _is_statement(code: str) -> bool:
    """Whether a line is a statement of its own."""
    try:
        ast.parse(code)
    except SyntaxError:
        return False
    return True
