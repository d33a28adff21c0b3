"""TensorFlow's public names, as recorded by tests/unsupported/record.py.

find          one name
same_ending   all names with the same last part, such as tf.nn.reduce_sum and tf.math.reduce_sum
classes       classes whose attributes are recorded too
each          all names, for the page about them
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple


class TensorFlowName(NamedTuple):
    """A name of TensorFlow, with its kind, the first sentence of its documentation, and other names of the same object.

    `kind` is module, class, function, value, attribute, or v1 for names that only TensorFlow 1 has; for v1, `others` are the
    successors of the name.
    """

    name: str
    kind: str
    says: str
    others: tuple[str, ...]


@cache
def _text() -> str:
    return (Path(__file__).parent / "names.tsv").read_text(encoding="utf-8")


def find(name: str) -> TensorFlowName | None:
    """Return the entry of a name such as `tf.math.log`; None if TensorFlow has no such name."""
    start = _text().find(f"\n{name}\t") + 1
    return _entry(_text()[start : _text().index("\n", start)]) if start else None


def same_ending(name: str) -> list[str]:
    """Return the names whose last part is `name`, the shortest first."""
    return _by_ending().get(name, [])


@cache
def _by_ending() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in sorted(re.findall(r"^tf[\w.]+", _text(), re.MULTILINE), key=len):
        found.setdefault(name.rpartition(".")[2], []).append(name)
    return found


@cache
def classes() -> dict[str, str]:
    """Return the classes whose attributes are recorded, by short name, with the full name: `Tensor` and `tf.Tensor`."""
    found = dict.fromkeys(re.findall(r"^(tf\.[\w.]+)\.\w+\tattribute", _text(), re.MULTILINE))
    return {name.rpartition(".")[2]: name for name in found}


def each() -> Iterator[TensorFlowName]:
    return (_entry(line) for line in _text().splitlines() if not line.startswith("#"))


def version() -> str:
    """Return the version of TensorFlow that was recorded."""
    return _text().split(maxsplit=3)[2].rstrip(":")


def _entry(line: str) -> TensorFlowName:
    name, kind, *rest = line.split("\t")
    says, others = rest + [""] * (2 - len(rest))
    return TensorFlowName(name, kind, says, tuple(others.split()))
