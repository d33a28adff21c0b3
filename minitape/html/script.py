"""Combines the modules of the page's script into one script, so that a policy can allow it by its hash.

They are concatenated in the order of their imports, inside one function, without `import` and `export`. So no two modules may
share a top-level name, and only three forms are supported: `import { a, b } from "./c.js";`, `import "./c.js";`, and `export`
before a declaration of one name.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from minitape.html.parts import asset

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"(\.[^"\n]+)";\n', re.M)
_DECLARATION = re.compile(
    r"^(export )?(?:const|let|class|function|async function) ([\w$]+)(.*)", re.M
)
_OTHER = re.compile(r"^(?:import|export|var|(?:const|let) *[\[{]).*", re.M)


@lru_cache(maxsize=8)  # cached, because it takes most of the time of a small page
def script(entry: str, read: Callable[[str], str] = lambda path: asset(f"script/{path}")) -> str:
    """Return one script that consists of the module `entry` and all modules that it imports.

    Args:
        entry: The path of the module below `assets/script`.
        read: Returns the text of a module.

    Raises:
        ValueError: modules import each other in a cycle, or import a name that is not exported; or two modules declare the same
        name; or an import, an export or a declaration has an unsupported form.
    """
    modules = _in_order(entry, read)
    owners: dict[str, str] = {}
    exported: dict[str, set[str]] = {}
    for path, text in modules.items():
        for other, names in _imports(path, text):
            for name in names - exported[other]:
                raise ValueError(f"{path} imports {name}, which {other} does not export.")
        for name, _ in _declared(text):
            if owners.setdefault(name, path) != path:
                raise ValueError(f"{owners[name]} and {path} both have a {name} at their top.")
        exported[path] = {name for name, is_exported in _declared(text) if is_exported}
    bodies = (f"// --- {path} ---\n\n{_body(path, text)}" for path, text in modules.items())
    return '"use strict";\n(async () => {\n' + "\n".join(bodies) + "})();\n"


def _in_order(entry: str, read: Callable[[str], str]) -> dict[str, str]:
    """Return the text of each module, after all modules that it imports."""
    found: dict[str, str] = {}

    def visit(path: str, above: tuple[str, ...]) -> None:
        if path in above:
            raise ValueError(
                f"The imports of these modules form a cycle: {' → '.join((*above, path))}."
            )
        if path in found:
            return
        text = read(path)
        for other, _ in _imports(path, text):
            visit(other, (*above, path))
        found[path] = text

    visit(entry, ())
    return found


def _imports(path: str, text: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the imported modules, each with the imported names."""
    for names, other in _IMPORT.findall(text):
        yield (
            posixpath.normpath(posixpath.join(posixpath.dirname(path), other)),
            {*re.findall(r"[^\s,]+", names)},
        )


def _declared(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the top-level names of a module, and whether they are exported. `const a = 1, b = 2;` declares two."""
    for export, first, rest in _DECLARATION.findall(text):
        for name in (first, *_further(rest)):
            yield name, bool(export)


def _further(rest: str) -> Iterator[str]:
    """Yield the names after commas in a one-line declaration, ignoring commas within brackets and quotes."""
    depth, quote = 0, ""
    for at, letter in enumerate(rest):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'`":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif depth == 0 and letter == ";":
            return
        elif depth == 0 and letter == ",":
            yield from re.findall(r"^,\s*([\w$]+)", rest[at:])


def _body(path: str, text: str) -> str:
    body = _DECLARATION.sub(lambda found: found[0].removeprefix("export "), _IMPORT.sub("", text))
    odd = _OTHER.search(body)
    if odd:
        raise ValueError(
            f"{path}: this statement is not supported at the top of a module: {odd[0]}"
        )
    return body.replace("\n\n\n", "\n\n")
