"""Writes docs/names.md: TensorFlow's public names by namespace, supported, supported with a difference, or not supported.

`python -m pytest tests/unsupported --update` writes it again.
"""

import importlib
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from minitape.unsupported import advice, table
from minitape.unsupported.messages import is_here

PAGE = Path(__file__).parents[2] / "docs" / "names.md"

_INTRO = """# TensorFlow's names

minitape supports {here} of the {all} public names of TensorFlow {version}; {namespaces} namespaces are not supported at all.
To explain a program that uses an unsupported name, run it on TensorFlow itself: `minitape explain --on tensorflow SCRIPT`.

If TensorFlow has a function under two names (`tf.abs`, `tf.math.abs`), this page counts both. `tf.losses`, `tf.metrics`,
`tf.optimizers` and `tf.initializers` are the modules of the same name in `tf.keras`.
`python -m pytest tests/unsupported --update` writes this page from the recorded table of TensorFlow's names and from the names
that minitape has.
"""

# tf.losses is tf.keras.losses, and so on; what is inside raw_ops and compat is not recorded.
_TWICE = ("tf.initializers", "tf.losses", "tf.metrics", "tf.optimizers", "tf.compat", "tf.raw_ops")


def page() -> str:
    """The whole page."""
    namespaces = _namespaces()
    absent = [
        namespace
        for namespace in namespaces
        if not any(map(is_here, _below(namespace, namespaces)))
    ]
    tops = [
        namespace
        for namespace in absent
        if not any(namespace.startswith(f"{each}.") for each in absent)
    ]
    present = [namespace for namespace in namespaces if namespace not in absent]
    names = [name for namespace in namespaces for name in namespaces[namespace]]
    intro = _INTRO.format(
        version=table.version(), here=sum(map(is_here, names)), all=len(names), namespaces=len(tops)
    )
    parts = [
        intro,
        *(_section(namespace, namespaces[namespace]) for namespace in present),
        _absent(tops, namespaces),
    ]
    return "\n".join(parts)


def _namespaces() -> dict[str, list[str]]:
    """The names in each namespace, without those of nested namespaces."""
    namespaces = defaultdict(list)
    for entry in table.each():
        if entry.kind in ("class", "function", "value"):
            namespace = entry.name.rpartition(".")[0]
            if not f"{namespace}.".startswith(tuple(f"{each}." for each in _TWICE)):
                namespaces[namespace].append(entry.name)
    return dict(sorted(namespaces.items()))


def _below(namespace: str, namespaces: dict[str, list[str]]) -> Iterator[str]:
    for each, names in namespaces.items():
        if each == namespace or each.startswith(f"{namespace}."):
            yield from names


def _section(namespace: str, names: Sequence[str]) -> str:
    here = [name for name in names if is_here(name)]
    lines = [f"## {namespace}\n"]
    if here:
        lines.append(f"Supported: {_listed(here)}\n")
    differing = [f"- `{_last(name)}`: {said}" for name in here for said in _differences(name)]
    if differing:
        lines += ["Supported with a difference:\n", *differing, ""]
    for advised, absent in _by_advice([name for name in names if name not in here]).items():
        lines.append(_unsupported(absent, advised))
    return "\n".join(lines)


def _by_advice(names: Sequence[str]) -> dict[advice.Advice | None, list[str]]:
    found = defaultdict(list)
    for name in names:
        found[advice.of_namespace(name)].append(name)
    return found


def _unsupported(names: Sequence[str], advised: advice.Advice | None) -> str:
    if advised is None:
        return f"Not yet supported: {_listed(names)}\n"
    instead = f" Instead, {advised.instead}." if advised.instead else ""
    return f"Not supported: {_listed(names)}. {advised.why.rstrip('.')}.{instead}\n"


def _differences(name: str) -> list[str]:
    """What a docstring says after "Unlike TensorFlow" or "Unlike in TensorFlow"."""
    namespace, _, last = name.rpartition(".")
    path = f"minitape{namespace.removeprefix('tf')}"
    thing: Any = getattr(importlib.import_module(path), last)
    text = inspect.getdoc(thing) or "" if callable(thing) else ""
    return [
        " ".join(said.split()).removeprefix(", ").removeprefix(": ") + "."
        for said in re.findall(
            r"Unlike (?:in )?TensorFlow(.*?)(?:\.(?=\s)|\.?$|\n\n)", text, re.DOTALL
        )
    ]


def _absent(tops: Sequence[str], namespaces: dict[str, list[str]]) -> str:
    rows = [
        "## Namespaces that are not supported\n",
        "| namespace | names | why | instead |",
        "| --- | --- | --- | --- |",
    ]
    for namespace in tops:
        reported = advice.of_namespace(namespace) or advice.Advice("Not yet supported.")
        rows.append(
            f"| `{namespace}` | {len(list(_below(namespace, namespaces)))} | {reported.why} | {reported.instead} |"
        )
    return "\n".join(rows) + "\n"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{_last(name)}`" for name in names)


def _last(name: str) -> str:
    return name.rpartition(".")[2]
