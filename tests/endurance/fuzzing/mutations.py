"""Random changes to inputs: bytes, JSON and TOML.

of_bytes     delete, flip, insert or move a few bytes
of_text      the same for text, also line by line
of_json      change values, keys and items of JSON data
of_trace     change the lines of a trace, as JSON and as events that refer to each other
"""

import copy
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

TEXTS = (
    "", " ", "\n", "w", "x[0]", "a.b.c", "é", "名前", "𝔁", "a" * 300, "/", "..", "../../x.py", "-",
    "<cell 3>", "<stdin>", "%s %d", "{x}", "[bold]x[/bold]", "</script><svg>", "&amp;", '"', "'''",
    "\\", "\t", "NaN", "Infinity", "-Infinity", "nan", "None", "float32", "string", "bool",
    "complex64", "bfloat16", "int64", "tf.square(", "lambda: (", "for i in range(3):", "MT201", "Mul",
    "GradientTape", "\u2028", "A=="
)  # fmt: skip
CONTROL = ("\x1b[2J", "\x07", "\u202e", "\r", "\x00", "\x7f", "\x9b", "\u2066")
NUMBERS = (
    0, 1, 2, 3, 7, 64, 65, 4096, 4097, -1, -2, 10**6, 2**31, 2**53 + 1, 2**63 - 1, 2**64, 10**30,
    0.0, -0.0, 0.5, 1e-45, 1e-300, 1e308, -1e308, 1.5e300,
)  # fmt: skip
OTHERS: tuple[Any, ...] = (
    None, True, False, [], {}, [0], [1], [None], [[]], [[1, 2], [3]], {"id": 1}, {"k": "op"}, [1] * 40,
)  # fmt: skip
TOKENS = (
    b"\xff", b"\xc3", b"\xed\xa0\x80", b"{", b"}", b"[", b"]", b'"', b",", b":", b"\n", b"\n\n",
    b"null", b"NaN", b"1e999", b"-", b"\\", b"\\u0000", b"\\ud800", b"[[", b"]]", b"=", b"#",
    b"'''", b'"""', b" ", b"\t", b"99999999999999999999", b"9" * 5000, b"[" * 60,
)  # fmt: skip


def odd(r: random.Random, *, control: bool = False) -> Any:
    """Return an unexpected value."""
    kind = r.randrange(10)
    if kind < 4:
        return r.choice(TEXTS + CONTROL * control)
    if kind < 8:
        return r.choice(NUMBERS)
    if kind == 8:
        return copy.deepcopy(r.choice(OTHERS))
    depth: Any = r.choice(NUMBERS[:5])
    for _ in range(r.choice((2, 5, 40, 400))):
        depth = [depth] if r.random() < 0.9 else {"a": depth}
    return depth


def of_bytes(r: random.Random, data: bytes, others: Sequence[bytes] = ()) -> bytes:
    """Return the data with one to three ranges changed."""
    for _ in range(r.choice((1, 1, 1, 2, 3))):
        if not data:
            return r.choice(TOKENS)
        at = r.randrange(len(data))
        end = min(len(data), at + r.choice((1, 1, 2, 5, 30, 300, 3000)))
        kind = r.randrange(8)
        if kind == 0:
            data = data[:at]
        elif kind == 1:
            data = data[:at] + bytes([r.randrange(256)]) + data[at + 1 :]
        elif kind == 2:
            data = data[:at] + r.choice(TOKENS) + data[at:]
        elif kind == 3:
            data = data[:at] + r.choice(TOKENS) + data[end:]
        elif kind == 4:
            data = data[:at] + data[end:]
        elif kind == 5:
            data = data[:end] + data[at:]
        elif kind == 6:
            to = r.randrange(len(data))
            data = data[:to] + data[at:end] + data[to:]
        else:
            other = r.choice(others) if others else data
            start = r.randrange(max(1, len(other)))
            data = data[:at] + other[start : start + end - at] + data[end:]
    return data


def of_text(r: random.Random, text: str, *, control: bool = False) -> str:
    """Return the text with a few lines or characters changed."""
    for _ in range(r.choice((1, 1, 2, 3))):
        lines = text.splitlines(keepends=True) or [""]
        at, to = r.randrange(len(lines)), r.randrange(len(lines))
        kind = r.randrange(8)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(to, lines[at])
        elif kind == 2:
            lines[at], lines[to] = lines[to], lines[at]
        elif kind == 3:
            lines[at] = lines[at].lstrip() if r.random() < 0.5 else "    " + lines[at]
        else:
            line = lines[at]
            start = r.randrange(len(line) + 1)
            end = min(len(line), start + r.choice((0, 0, 1, 3, 10)))
            lines[at] = line[:start] + r.choice(TEXTS + CONTROL * control) + line[end:]
        text = "".join(lines)
    return text


def places(part: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container in JSON data, with each of its keys."""
    waiting = [part]
    while waiting:
        each = waiting.pop()
        for key in list(each) if isinstance(each, dict) else range(len(each)):
            yield each, key
            if isinstance(each[key], dict | list):
                waiting.append(each[key])


def of_json(r: random.Random, data: Any, *, control: bool = False) -> Any:
    """Return a copy of the data with one to three values, keys or items changed."""
    data = copy.deepcopy(data)
    for _ in range(r.choice((1, 1, 2, 3))):
        at = list(places(data))
        if not at:
            return odd(r, control=control)
        part, key = r.choice(at)
        other, other_key = r.choice(at)
        kind = r.randrange(10)
        if kind < 4:
            part[key] = odd(r, control=control)
        elif kind == 4:
            part[key] = copy.deepcopy(other[other_key])
        elif kind == 5:
            del part[key]
        elif kind == 6 and isinstance(part, dict):
            part[str(r.choice(TEXTS))] = odd(r, control=control)
        elif kind == 6:
            part.insert(key, copy.deepcopy(part[key]))
        elif kind == 7 and isinstance(part[key], str):
            part[key] = of_text(r, part[key], control=control)
        elif kind == 8 and type(part[key]) in (int, float):
            part[key] = _near(r, part[key])
        else:
            part[key] = type(part[key])()
    return data


def _near(r: random.Random, number: float) -> float:
    return r.choice((number + 1, number - 1, 2 * number, -number, number + 1000, int(number)))


@dataclass(frozen=True)
class Lines:
    """A trace: its events as data, and as lines of its file."""

    events: tuple[dict[str, Any], ...]
    lines: tuple[bytes, ...]

    @classmethod
    def of(cls, data: bytes) -> "Lines":
        lines = tuple(data.splitlines())
        return cls(tuple(map(json.loads, lines)), lines)

    @property
    def data(self) -> bytes:
        return b"\n".join(self.lines) + b"\n"


def of_trace(r: random.Random, traces: Sequence[Lines], *, control: bool = False) -> bytes:
    """Change one of the traces; in three of four cases the result is still valid JSON with the right line count."""
    trace = r.choice(traces)
    if r.random() < 0.2:
        return of_bytes(r, trace.data, [each.data for each in traces])
    lines = list(trace.lines)
    for _ in range(r.choice((1, 1, 1, 2, 4))):
        at, to = r.randrange(1, len(lines)), r.randrange(1, len(lines))
        kind = r.randrange(14)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(to, lines[at])
        elif kind == 2:
            lines[at], lines[to] = lines[to], lines[at]
        elif kind == 3:
            lines.insert(to, r.choice(r.choice(traces).lines))
        elif kind == 4:
            del lines[min(at, to) : max(at, to)]
        else:
            event = json.loads(lines[at])
            lines[at] = _dumped(_changed(r, event, traces, kind, control=control))
        if len(lines) < 2:
            break
    if r.random() < 0.9:
        lines = _counted(lines)
    return b"\n".join(lines) + (b"\n" if r.random() < 0.95 else b"")


def _changed(
    r: random.Random, event: Any, traces: Sequence[Lines], kind: int, *, control: bool
) -> Any:
    """Change one event: replace a value with one of the same kind from another event, or change ids, locations, shapes or
    anything else.
    """
    if not isinstance(event, dict):
        return event
    if kind < 8:  # a value of the right type reaches the most code
        like = [
            each
            for each in r.choice(traces).events
            if each["k"] == event.get("k") and each is not event
        ]
        if like:
            other = r.choice(like)
            keys = [key for key in event if key in other and key not in ("i", "k")]
            for key in r.sample(keys, min(len(keys), r.choice((1, 1, 2)))):
                event[key] = copy.deepcopy(other[key])
        return event
    if kind == 8:
        numbers = [at for at in places(event) if type(at[0][at[1]]) is int and at[1] != "i"]
        if numbers:
            part, key = r.choice(numbers)
            part[key] = _near(r, part[key])
        return event
    if kind == 9:
        at = event.get("at")
        if isinstance(at, list) and len(at) > 4:  # an earlier change may have shortened it
            at[r.randrange(1, 5)] = r.choice((0, -1, 1, 2, 3, 50, 10**6, 2**40))
        return event
    if kind == 10:
        for part, key in list(places(event)):
            if key == "shape" and isinstance(part, dict):
                _reshape(r, part)
        return event
    if kind == 11:
        texts = [at for at in places(event) if isinstance(at[0][at[1]], str) and at[1] != "k"]
        if texts:
            part, key = r.choice(texts)
            part[key] = of_text(r, part[key], control=control)
        return event
    return of_json(r, event, control=control)


def _reshape(r: random.Random, tensor: dict[str, Any]) -> None:
    """Return a different shape, with a size and elements that fit it."""
    shape = r.choice(
        ([], [0], [1], [2, 0, 3], [1] * 8, [3], [10**6], [2**40], [0, 2**60], [70], [5000, 2])
    )
    size = 1
    for length in shape:
        size *= length
    tensor["shape"], tensor["n"] = shape, size
    tensor["data"] = _nested(r, shape) if size <= 64 else None
    for key in ("packed", "blocks", "maps"):
        tensor.pop(key, None)
    if r.random() < 0.5:
        tensor["dtype"] = r.choice(
            ("float32", "int32", "bool", "string", "complex64", "float16", "odd")
        )
    for key in ("min", "max", "mean", "std", "l2"):
        if r.random() < 0.2:
            tensor[key] = r.choice((None, "NaN", "Infinity", 1e308, -1, 0))


def _nested(r: random.Random, shape: Sequence[int]) -> Any:
    if not shape:
        return r.choice((0.0, 1, "NaN", "Infinity", True, "1+2j", 1e308, 10**400, "x"))
    return [_nested(r, shape[1:]) for _ in range(shape[0])]


def _counted(lines: Sequence[bytes]) -> list[bytes]:
    """Return the lines with the right line numbers, and an end event with the right count."""
    counted = []
    for number, line in enumerate(lines):
        head, comma, rest = line.partition(b",")
        counted.append(b'{"i": %d,%s' % (number, rest) if head.startswith(b'{"i"') else line)
        if b'"k": "end"' in line and comma:
            counted[-1] = b'{"i": %d, "k": "end", "events": %d, "dropped": 0}' % (
                number,
                number + 1,
            )
    return counted


def _dumped(event: Any) -> bytes:
    try:
        return json.dumps(event, ensure_ascii=False).encode("utf-8", "surrogatepass")
    except (RecursionError, ValueError):  # nested too deeply; more digits than Python writes
        return b"null"
