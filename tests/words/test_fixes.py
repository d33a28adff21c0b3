"""What an error of the engine says after `try` is an imperative with a verb, with code in backticks and English outside."""

import ast
import re
from collections.abc import Callable, Iterator

import pytest
from all_texts import ROOT

from minitape.unsupported import advice

_ENGINE = ("autodiff", "config", "core", "data", "debug", "keras", "ops", "unsupported")
_VERBS = re.compile(
    r"(add|assign|build|call|check|collect|combine|compute|convert|create|define|download|draw|encode|end|install|keep|leave|list"
    r"|migrate|open|pad|pair|pass|print|put|read|remove|return|run|save|sort|use|write) "
)
_CODE = re.compile(r"`([^`]*)`")
_ENGLISH = re.compile(r"\b(and|or|which|instead|because|then|such|to)\b")
_BARE_CODE = re.compile(r"\btf\.\w|\w\(|\w=\S|\[\w*[,\]]|\"|\b(None|True|False)\b|\w_\w")


def _fixes() -> Iterator[tuple[str, str]]:
    """Yield each `fix=` argument and each value of a variable `fix` in the engine, with its location."""
    paths = [path for package in _ENGINE for path in (ROOT / "minitape" / package).rglob("*.py")]
    for path in sorted([*paths, *(ROOT / "minitape").glob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.keyword(arg="fix", value=value):
                    texts = list(_texts(value))
                case ast.Assign(targets=[ast.Name(id="fix")], value=value):
                    texts = list(_texts(value))
                case _:
                    continue
            for text in texts:
                yield f"{path.relative_to(ROOT)}:{value.lineno}", text


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the texts of an expression, with `_` for a value that only the running program has."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=values):
            yield "".join(_part(each) for each in values)
        case ast.IfExp(body=body, orelse=orelse):
            yield from [*_texts(body), *_texts(orelse)]
        case ast.BinOp(op=ast.Add()):
            yield _joined(node)


def _joined(node: ast.expr) -> str:
    if isinstance(node, ast.BinOp):
        return _joined(node.left) + _joined(node.right)
    return next(_texts(node), "_")


def _part(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.FormattedValue(value=ast.Call(func=ast.Name(id="code_list"))):
            return "`_`"
        case _:
            return "_"


def _advice() -> Iterator[tuple[str, str]]:
    for name, each in (*advice.NAMESPACES.items(), *advice.REMOVED.items()):
        yield name, each.instead
    yield from advice.VERSION_1.items()
    yield from advice.OTHER_LIBRARIES.items()
    yield "advice.MIGRATION", advice.MIGRATION


def _faults(text: str) -> list[str]:
    prose = re.sub(r"https?:\S+", "", _CODE.sub("", text))
    found = [] if _VERBS.match(text) else ["does not start with a verb"]
    if "`" in prose:
        found.append("has an unclosed backtick")
    found += [
        f"has English in backticks: {code}" for code in _CODE.findall(text) if _ENGLISH.search(code)
    ]
    bare = _BARE_CODE.search(prose)
    if bare:
        found.append(f"has code outside backticks: {bare[0]}")
    if text.endswith("."):
        found.append("ends with a period")
    return found


@pytest.mark.parametrize("source", [_fixes, _advice])
def test_fix_is_an_imperative_with_its_code_in_backticks(
    source: Callable[[], Iterator[tuple[str, str]]],
) -> None:
    texts = [(where, text) for where, text in source() if text]
    assert len(texts) > 200
    assert [(where, text, faults) for where, text in texts if (faults := _faults(text))] == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("an integer", "does not start with a verb"),
        ("use `x", "has an unclosed backtick"),
        ("use `tf.abs(x), or -x`", "has English in backticks: tf.abs(x), or -x"),
        ("use tf.abs", "has code outside backticks: tf.a"),
        ("pass `axis=0`.", "ends with a period"),
    ],
)
def test_fault_is_found(text: str, fault: str) -> None:
    assert _faults(text) == [fault]
