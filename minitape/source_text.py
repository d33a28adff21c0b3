"""Program text as Python reads it, with its encoding, its lines, and positions in it.

    decoded       the bytes of a source file as text, as Python decodes them
    encoded       changed text as bytes again, with the encoding and the line ends of the original file
    lines_of      the lines of a text as Python counts them
    located       a text with a table of its lines, created once for each text
    file_text     the same for a file by its name, as Python shows it in a traceback
    walk          the nodes of a tree, and children those of one node; both omit the constants of long tables of data
    parsed        the syntax tree of a text, even of a very large or very deep one
    deep_trees    a context in which Python can recurse as deeply as a long expression nests

A syntax tree counts columns in bytes of UTF-8; all displayed columns count characters. All searches here take the same time
regardless of the position in a file or a line.

This module needs only the standard library of Python 3.10 or later, because it also runs in the script's process.
"""

from __future__ import annotations

import ast
import difflib
import gc
import linecache
import re
import sys
import tokenize
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice

# The depth of Python calls for a recursion over the tree of a long expression. A sum of 3,000 terms nests 3,000 deep, and
# `ast.unparse` and `copy.deepcopy` need about four calls for each level.
_CALLS = 30_000
_TABLE = 64  # elements; a longer list of constants counts as data
_DOTS = "..."
_BLOCK = 512  # in bytes: the distance between two entries in the table of a line that is not ASCII
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_BYTES_LINE = re.compile(rb"([^\r\n]*)(?:\r\n|\r|\n|\Z)")


def decoded(data: bytes) -> str:
    r"""Return the text of a source file, decoded as its BOM or coding comment (PEP 263) requires, with lines that end in `\n`.

    Bytes that cannot be decoded become U+FFFD, so that line numbers stay right in a file that Python refuses.

    >>> decoded(b"\xef\xbb\xbfx = 1\r\ny = 2\r")
    'x = 1\ny = 2\n'
    """
    text = data.decode(_encoding(data), errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def encoded(text: str, like: bytes) -> bytes:
    r"""Return a changed text as the bytes of a file, in the encoding of `like`, with the original end of each unchanged line.

    Args:
        text: The new text, its lines ending in `\n`.
        like: The original file.

    Raises:
        UnicodeEncodeError: the text contains a character that the encoding of the file cannot represent.

    >>> encoded("x = 1\ny = 3\nz = 4\n", b"x = 1\ny = 2\r\nz = 4\r")
    b'x = 1\ny = 3\r\nz = 4\r'
    """
    encoding = _encoding(like)
    before = _LINE.findall(like.decode(encoding, errors="replace"))
    bodies = [line.rstrip("\r\n") for line in before]
    ends = [line[len(body) :] for line, body in zip(before, bodies)]
    kinds = set(filter(None, ends)) or {"\n"}
    if len(kinds) == 1:
        return text.replace("\n", kinds.pop()).encode(encoding)
    lines = text.split("\n")
    ends_after = [ends[0]] * (len(lines) - 1) + [""]
    for _, i, j, k, m in difflib.SequenceMatcher(None, bodies, lines).get_opcodes():
        for was, now in zip(range(i, j), range(k, min(m, len(lines) - 1))):
            ends_after[now] = ends[was] or ends[0]
    return "".join(map(str.__add__, lines, ends_after)).encode(encoding)


def _encoding(data: bytes) -> str:
    try:
        return tokenize.detect_encoding(iter(_head(data)).__next__)[0]
    except SyntaxError:  # an encoding that Python does not know, or bytes that are not UTF-8
        return "utf-8"


def _head(data: bytes) -> list[bytes]:
    """Return the first two lines, in which Python looks for a coding comment; `tokenize` does not end a line at a lone CR."""
    return [found[1] + b"\n" for found in islice(_BYTES_LINE.finditer(data), 2)]


def lines_of(text: str) -> tuple[str, ...]:
    r"""Return the lines as Python counts them, without their ends; `str.splitlines` would also split at form feeds, for example.

    >>> lines_of("a = 1\n\x0cb = 2\n")
    ('a = 1', '\x0cb = 2')
    """
    return located(text).lines


class Located:
    """A text with a table of its lines; `located` creates it once for each text.

    Attributes:
        text: The text; a line ends in `\\n`, `\\r\\n` or `\\r`.
        lines: Its lines without their ends.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0]
        lines = []
        for found in _LINE.finditer(text):
            line = found.group()
            if line:
                lines.append(line.rstrip("\r\n"))
                self._starts.append(found.end())
        self.lines = tuple(lines)
        self._tables: dict[int, _Bytes] = {}

    def column(self, line: int, column: int) -> int:
        """Convert a column in bytes to a column in characters.

        Args:
            line: The number of a line, from 1; for a line beyond the last one, `column` is returned unchanged.
            column: A column in bytes of UTF-8, from 0.
        """
        if not 1 <= line <= len(self.lines) or self.lines[line - 1].isascii():
            return column
        if line not in self._tables:
            self._tables[line] = _Bytes(self.lines[line - 1])
        return self._tables[line].characters(column)

    def offset(self, line: int, column: int) -> int:
        """Return the index in `text` of a line (from 1) and a column in bytes of UTF-8."""
        if line > len(self.lines):
            return len(self.text)
        return min(self._starts[line - 1] + self.column(line, column), self._starts[line])

    def start(self, line: int) -> int:
        """Return the index in `text` at which a line (from 1) starts; for the line after the last, the index of the end."""
        return self._starts[min(line, len(self._starts)) - 1]

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return the indices in `text` at which a node of its syntax tree starts and ends."""
        last = node.end_lineno or node.lineno
        end = node.col_offset if node.end_col_offset is None else node.end_col_offset
        return self.offset(node.lineno, node.col_offset), self.offset(last, end)

    def segment(self, node: ast.expr | ast.stmt, most: int | None = None) -> str:
        """Return the source text of a node of the syntax tree.

        Args:
            node: A node of the syntax tree of this text.
            most: The largest length in characters; a longer text is shortened in the middle.
        """
        start, end = self.span(node)
        if most is None or end - start <= most:
            return self.text[start:end]
        last = (most - len(_DOTS)) // 2
        return f"{self.text[start : start + most - len(_DOTS) - last]}{_DOTS}{self.text[end - last : end]}"


class _Bytes:
    """The bytes of one line, with the number of characters before each block of them."""

    def __init__(self, line: str) -> None:
        self._bytes = line.encode(errors="replace")
        self._before = [0]
        for start in range(0, len(self._bytes), _BLOCK):
            self._before.append(self._before[-1] + self._count(start, start + _BLOCK))

    def characters(self, column: int) -> int:
        column = min(column, len(self._bytes))
        block = column // _BLOCK
        return self._before[block] + self._count(block * _BLOCK, column)

    def _count(self, start: int, end: int) -> int:
        """Return the number of characters that start in a range of bytes; a character starts at each byte except 0b10xxxxxx."""
        return sum(byte & 0xC0 != 0x80 for byte in self._bytes[start:end])


@lru_cache(maxsize=64)
def located(text: str) -> Located:
    """Return the text with a table of its lines."""
    return Located(text)


def file_text(filename: str) -> Located:
    """Return the text of a file as Python knows it, with a table of its lines; an empty text if Python cannot read the file.

    All code that `exec` and `eval` compile has the file name "<string>", under which Python 3.13 knows the program of
    `python -c`. So the text of that name is never certain, and is empty here.
    """
    lines = linecache.getlines(filename) if filename != _ANY_STRING else []
    known = _texts.get(filename)
    if known is None or known[0] is not lines:
        known = _texts[filename] = lines, located("".join(lines))
    return known[1]


# The key is the list of lines in `linecache`, which is replaced when the file changes.
_texts: dict[str, tuple[list[str], Located]] = {}
_ANY_STRING = "<string>"


@lru_cache(maxsize=16)
def parsed(text: str) -> ast.Module:
    """Return the syntax tree of a text, shared by all callers, which must not change it.

    Raises:
        SyntaxError: the text is not valid Python, or nests deeper than this Python can parse.
    """
    return tree_of(text)


def tree_of(text: str) -> ast.Module:
    """Return the syntax tree of a text, parsed again at each call.

    Raises:
        SyntaxError: see `parsed`.
    """
    was_on = gc.isenabled()
    # a tree has no cycles, and collecting garbage while it grows takes longer than building it
    gc.disable()
    try:
        with deep_trees():
            return ast.parse(text)
    except (ValueError, RecursionError, MemoryError) as error:  # a null byte, or nested too deeply
        raise SyntaxError(str(error)) from None
    finally:
        if was_on:
            gc.enable()


def children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the same nodes as `ast.iter_child_nodes`, but omit the numbers and strings of a long table of data."""
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            yield value
        elif isinstance(value, list):
            is_table = name == "elts" and len(value) > _TABLE
            for each in value:
                if isinstance(each, ast.AST) and not (is_table and type(each) is ast.Constant):
                    yield each


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the same nodes as `ast.walk`, in the same order, but omit the numbers and strings of a long table of data."""
    waiting = deque([node])
    while waiting:
        at = waiting.popleft()
        waiting.extend(children(at))
        yield at


@contextmanager
def deep_trees() -> Iterator[None]:
    """Let Python functions recurse as deeply as the syntax tree of a long expression nests.

    Deeper nesting still raises RecursionError.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _CALLS))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
