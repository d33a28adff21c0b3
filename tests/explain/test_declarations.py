"""A cause is declared once, and other code refers to its declaration."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import minitape
import minitape_cli
from minitape.explain import causes
from minitape.explain.causes import CAUSES

_PACKAGES = [Path(package.__file__).parent for package in (minitape, minitape_cli)]
_DECLARATIONS = Path(causes.__file__).parent
# A field of the trace, named after a parameter of gradient calls.
_SAME_WORD = {("gradient_calls.py", "unconnected"), ("cotangents.py", "unconnected")}


def slugs_in(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module that are the slug of a cause, with their lines; in a declaration it is the first argument."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    declared = {
        id(node.args[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Cause"
        and path.parent == _DECLARATIONS
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in CAUSES and id(node) not in declared:
            yield node.lineno, node.value


@pytest.mark.one_in(3)
def test_slug_occurs_only_in_its_declaration() -> None:
    elsewhere = [
        f"{path.relative_to(package.parent)}:{line}: {slug}"
        for package in _PACKAGES
        for path in sorted(package.rglob("*.py"))
        for line, slug in slugs_in(path)
        if (path.name, slug) not in _SAME_WORD
    ]
    assert elsewhere == []


def test_each_slug_is_declared_once_under_its_python_name() -> None:
    declared = [
        (name, ast.literal_eval(node.value.args[0]))
        for path in sorted(_DECLARATIONS.glob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) == "Cause"
        for name in map(ast.unparse, node.targets)
    ]
    assert sorted(slug for _, slug in declared) == sorted(CAUSES)
    assert [name for name, slug in declared if name != slug.replace("-", "_")] == []
