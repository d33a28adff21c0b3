"""Docstrings name what exists: parameters in `Args`, modules and names in the table of a package."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("minitape/**/*.py"), *ROOT.glob("cli/**/*.py")])
_SECTION = re.compile(r"^(\s*)(Args|Returns|Raises|Source|Yields|Gradient|Examples?):")
_ENTRY = re.compile(r"^(\s*)([A-Za-z_]\w*)((?:, \w+)*):(?: |$)")
_ROW = re.compile(r"^ *`?([A-Za-z_]\w*)`?  +\S")


def documented(docstring: str) -> Iterator[str]:
    """The names that the `Args` of a docstring explain."""
    section, indent = "", 0
    for line in docstring.splitlines():
        if found := _SECTION.match(line):
            indent, section = len(found[1]), found[2]
        elif section == "Args" and (entry := _ENTRY.match(line)) and len(entry[1]) == indent + 4:
            yield entry[2]
            yield from filter(None, entry[3].split(", "))


def parameters(function: ast.FunctionDef) -> set[str]:
    given = function.args
    names = {each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
    return names | {each.arg for each in (given.vararg, given.kwarg) if each is not None}


def test_documented_args_are_parameters() -> None:
    """A function with `**settings` may explain the settings themselves."""
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {name}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.args.kwarg is None
        for name in documented(ast.get_docstring(node, clean=False) or "")
        if name not in parameters(node) and "settings" not in parameters(node)
    ]
    assert wrong == []


def test_package_table_lists_its_modules() -> None:
    wrong = []
    for path in FILES:
        if path.name != "__init__.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        text = path.read_text(encoding="utf-8")
        present = {each.stem for each in path.parent.iterdir()} | set(
            re.findall(r"\w+", text[text.find('"""', 3) :])
        )
        docstring = ast.get_docstring(tree) or ""
        for row in filter(None, map(_ROW.match, docstring.splitlines())):
            if row[1] not in present:
                wrong.append(f"{path.relative_to(ROOT)}: {row[1]}")
    assert wrong == []
