"""The catalog of texts: every placeholder gets a value, every value has a placeholder, and every text is used."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from minitape import course, explain, fixes, verify
from minitape.explain.causes import texts
from minitape.explain.causes.texts import Entry, Template, joined
from minitape.templates import NoteEntry

_PACKAGES = {texts.__name__: [each.name for each in pkgutil.iter_modules(texts.__path__)]} | {
    "minitape.explain.texts": ["notes", "report"],
    "minitape.fixes": ["fix_texts"],
    "minitape.verify.texts": ["audit", "check", "proof"],
}
_MODULES = {
    name: importlib.import_module(f"{package}.{name}")
    for package, names in _PACKAGES.items()
    for name in names
}
_CATALOG = {
    (name, key): text
    for name, module in _MODULES.items()
    for key, text in vars(module).items()
    if key.isupper()
}
_FILLED = {
    at: text for at, text in _CATALOG.items() if isinstance(text, Entry | NoteEntry | Template)
}
_CODE = sorted(
    path
    for package in (course, explain, fixes, verify)
    for path in Path(package.__path__[0]).rglob("*.py")
)


def _uses(tree: ast.Module) -> Iterator[tuple[tuple[str, str], ast.AST]]:
    """The positions where a module reads a text of a catalog: as `texts.NAME`, or by importing the name."""
    aliases = {
        name.asname or name.name: name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if name.name in _PACKAGES.get(node.module or "", [])
    }
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=alias), attr=key) if alias in aliases:
                yield (aliases[alias], key), node
            case ast.ImportFrom(module=str() as module):
                package, _, name = module.rpartition(".")
                if name in _PACKAGES.get(package, []):
                    yield from (((name, each.name), node) for each in node.names)


def _trees() -> Iterator[tuple[Path, ast.Module]]:
    for path in _CODE:
        yield path, ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("at", sorted(_FILLED), ids="-".join)
def test_text_is_filled_with_exactly_its_placeholders(at: tuple[str, str]) -> None:
    text = _FILLED[at]
    values = {name: f"<{name}>" for name in text.placeholders}
    filled = text(**values)
    shown = filled if isinstance(filled, str) else " ".join(asdict(filled).values())
    assert {name for name in values if f"<{name}>" not in shown} == set()
    with pytest.raises(TypeError, match="nothing_like_it"):
        text(**values, nothing_like_it="")
    for name in values:
        with pytest.raises(TypeError, match=name):
            text(**{key: value for key, value in values.items() if key != name})


def test_every_call_fills_all_placeholders() -> None:
    """The calls are read from the code, so that calls that no test runs are checked too."""
    wrong = []
    for path, tree in _trees():
        used = {id(node): at for at, node in _uses(tree)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or id(node.func) not in used:
                continue
            at = used[id(node.func)]
            given = {each.arg for each in node.keywords}
            if None not in given and given != _FILLED[at].placeholders:
                wrong.append(f"{path.name}:{node.lineno}: {at[1]}")
    assert wrong == []


def test_every_text_is_used() -> None:
    used = {at for _, tree in _trees() for at, _ in _uses(tree)}
    assert sorted(_CATALOG.keys() - used) == []
    assert sorted(used - _CATALOG.keys()) == []


def test_joined_list_reads_like_a_sentence() -> None:
    assert [joined("a"), joined("ab"), joined("abc")] == ["a", "a and b", "a, b and c"]
