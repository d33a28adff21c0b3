"""The language of identifiers: no part of a name of minitape/ or cli/ is a word that has a standard term.

A part is what underscores or capitals separate: `heard` in `is_heard`, `_HEARD` and `HeardEvents`. Names that a reader meets
away from where they are assigned (classes, functions, modules, attributes, fields, and the names of the page's script, style
and markup) are checked for more words than local variables: `said` is plain English for a text in a short function, but not
for a field.
"""

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("identifiers")  # the names are read once

ROOT = Path(__file__).parents[2]
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

# Each with what to write instead.
BANNED = {
    "anew": "again, recreated",
    "ear": "tracer",
    "ears": "tracer",
    "fade": "vanish",
    "faded": "vanished",
    "fades": "vanishes",
    "fading": "vanishing",
    "gist": "shape_dtype",
    "hear": "trace",
    "heard": "traced, events",
    "hearing": "connected, traced",
    "lent": "connected, suspended",
    "mend": "fix",
    "mended": "fixed",
    "mending": "fixes",
    "mends": "fixes",
    "story": "timeline",
    "tells": "reports, emits",
    "told": "reported, emitted",
    "unheard": "untraceable",
    "wish": "option",
    "wishes": "options",
}

# The same for declared names: those of classes, functions, attributes and fields, and all names of the page's assets.
BANNED_IN_DECLARATIONS = BANNED | {
    "asked": "requested",
    "noted": "notes",
    "said": "text, message, label, reason",
    "saves": "residuals",
    "spot": "slot, location, position",
    "spots": "slots, locations, positions",
    "turn": "iteration",
    "turns": "iterations",
}

# The same for Python alone: in the page's script, a short function may have a variable `share` or `place`.
BANNED_IN_PYTHON = {
    "hearer": "sink",
    "offspring": "children, child_processes",
    "room": "folder, width, height, limit",
    "rooms": "folders, packages",
    "share": "contribution, fraction, weight",
    "shares": "contributions, fractions, weights",
}
BANNED_IN_PYTHON_DECLARATIONS = BANNED_IN_PYTHON | {
    "kept": "saved, stored, cached, residuals",
    "place": "location, index, position",
    "places": "locations, indices, positions",
}

# A name that is right although a word of the list is part of it: the reason.
EXCEPTED: dict[str, str] = {}
EXCEPTED_DECLARATIONS = {
    "_in_place": "in place: without a copy",
    "_no_in_place": "in place: without a copy",
    "_out_of_place": "out of place: where it does not belong",
    "spots": "a field of the rows that `minitape lesson grade` writes; stored rows have it",
}
# A word that is a term of one package: the page's first view is the story of a run, with scenes.
TERMS = {"story": "minitape/html/"}
# Declarations in these packages keep their names for now.
NOT_YET_RENAMED = (
    "minitape/explain/causes",
    "minitape/fixes",
)


def parts(name: str) -> list[str]:
    """Return the words of an identifier, in lower case."""
    return [part.lower() for part in _PART.findall(name)]


@cache
def identifiers() -> dict[str, str]:
    """Return each identifier of the library and the command line, with the first position at which it occurs."""
    found: dict[str, str] = {}
    for folder in ("minitape", "cli"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            source = io.StringIO(path.read_text(encoding="utf-8"))
            for token in tokenize.generate_tokens(source.readline):
                if token.type == tokenize.NAME:
                    found.setdefault(token.string, f"{path.relative_to(ROOT)}:{token.start[0]}")
    return found


@cache
def declarations() -> dict[str, str]:
    """Return the name of each class, function, attribute and field, with the first position at which it is declared."""
    found: dict[str, str] = {}
    for folder in ("minitape", "cli"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            if where.startswith(NOT_YET_RENAMED):
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    found.setdefault(node.name, f"{where}:{node.lineno}")
                if isinstance(node, ast.ClassDef):
                    for each in node.body:
                        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                            found.setdefault(each.target.id, f"{where}:{each.lineno}")
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    found.setdefault(node.attr, f"{where}:{node.lineno}")
    return found


def asset_names() -> dict[str, str]:
    """Return each word in the page's script, style and markup that can be a name, with the first position at which it occurs.

    Comments of whole lines are left out, and so are texts: strings with a space.
    """
    found: dict[str, str] = {}
    for path in sorted((ROOT / "minitape/html/assets").rglob("*")):
        if path.suffix not in (".js", ".css", ".html"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            code = re.sub(r'"[^"]* [^"]*"|//.*|/\*.*?\*/|>[^<]*<', "", line)
            for name in re.findall(r"[A-Za-z_$][\w$]*", code):
                found.setdefault(name, f"{path.relative_to(ROOT)}:{number}")
    return found


def with_a_banned_word(
    names: dict[str, str], excepted: dict[str, str], banned: dict[str, str]
) -> dict[str, str]:
    """Return the names that contain a banned word, with what to write instead."""
    return {
        f"{where}: {name}": banned[part]
        for name, where in names.items()
        if name not in excepted
        for part in parts(name)
        if part in banned and not is_term(part, where)
    }


def is_term(part: str, where: str) -> bool:
    """Return whether a word is a term of the package in which it occurs."""
    return part in TERMS and where.startswith(TERMS[part])


def test_declarations_have_no_banned_word() -> None:
    banned = BANNED_IN_DECLARATIONS | BANNED_IN_PYTHON_DECLARATIONS
    assert with_a_banned_word(declarations(), EXCEPTED_DECLARATIONS, banned) == {}


def test_page_asset_names_have_no_banned_word() -> None:
    assert with_a_banned_word(asset_names(), {}, BANNED_IN_DECLARATIONS) == {}


def test_identifiers_have_no_banned_word() -> None:
    assert with_a_banned_word(identifiers(), EXCEPTED, BANNED | BANNED_IN_PYTHON) == {}


def test_banned_word_in_an_identifier_is_found() -> None:
    names = {"of_share": "a.py:1", "_hearer": "b.py:2", "shared": "c.py:3", "placed": "d.py:4"}
    assert with_a_banned_word(names, {}, BANNED_IN_PYTHON_DECLARATIONS) == {
        "a.py:1: of_share": BANNED_IN_PYTHON["share"],
        "b.py:2: _hearer": BANNED_IN_PYTHON["hearer"],
    }


def test_module_names_have_no_banned_word() -> None:
    paths = [
        path.relative_to(ROOT)
        for folder in ("minitape", "cli")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".js", ".css", ".html") or path.is_dir()
    ]
    assert [
        str(path)
        for path in paths
        for part in {*parts(path.stem)} & BANNED_IN_DECLARATIONS.keys()
        if not is_term(part, path.as_posix())
    ] == []


def test_term_of_the_page_is_banned_elsewhere() -> None:
    names = {"story_of": "minitape/timeline/build.py:1", "Story": "minitape/html/build.py:2"}
    assert with_a_banned_word(names, {}, BANNED) == {
        "minitape/timeline/build.py:1: story_of": BANNED["story"]
    }


def test_each_exception_is_still_needed() -> None:
    assert EXCEPTED.keys() <= identifiers().keys()
    assert EXCEPTED_DECLARATIONS.keys() <= declarations().keys()


def test_identifier_is_split_into_words() -> None:
    assert parts("_is_heard") == ["is", "heard"]
    assert parts("_UNHEARD") == ["unheard"]
    assert parts("HTMLHeard2") == ["html", "heard"]
    assert parts("linear") == ["linear"]
