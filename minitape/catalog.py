"""The catalog of ops as data: what each op computes, its gradient rule, and where it is declared.

    ops         every op, by family, in the order of its module
    chosen      the ops whose entry contains a word
    find        one op or public function by any of its names
    near        names that are similar to a mistyped one

Nothing is written by hand. The rules come from the declarations, the public names from the public API, the line numbers from the
source.
"""

import ast
import difflib
import importlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

import minitape.ops.all_ops  # noqa: F401  (declares the ops of modules that are not imported yet)
from minitape.core.declaration import (
    EVERY_INPUT,
    NO_READS,
    EveryInput,
    Reads,
    inputs_read,
    output_read,
)
from minitape.core.primitive import Primitive
from minitape.core.registry import PRIMITIVES

_PACKAGE = Path(__file__).resolve().parent
# Modules with ops that `import minitape` does not import.
_OPENED_LATER = ("image", "signal")
_KINDS = {
    "f": "float",
    "c": "complex",
    "i": "int",
    "u": "unsigned int",
    "b": "bool",
    "O": "string",
}
_SYNTAX = {
    "AddV2": "a + b",
    "Sub": "a - b",
    "Mul": "a * b",
    "RealDiv": "a / b",
    "FloorDiv": "a // b",
    "FloorMod": "a % b",
    "Pow": "a ** b",
    "MatMul": "a @ b",
    "Neg": "-x",
    "Abs": "abs(x)",
    "Less": "a < b",
    "LessEqual": "a <= b",
    "Greater": "a > b",
    "GreaterEqual": "a >= b",
    "Equal": "a == b",
    "NotEqual": "a != b",
    "LogicalAnd": "a & b",
    "LogicalOr": "a | b",
    "LogicalXor": "a ^ b",
    "LogicalNot": "~x",
    "StridedSlice": "x[...]",
}


@dataclass(frozen=True)
class CatalogOp:
    """One op of the catalog.

    `gradient` is `rule`, `zero` (a rule that returns zeros), `none` (not differentiable: the path ends) or `missing` (TensorFlow
    has no rule, so a gradient call raises LookupError). `public` are the functions with this op's name, `used_by` are other
    functions that call it, and `residuals` are the values that a tape saves for it.
    """

    name: str
    family: str
    public: tuple[str, ...]
    used_by: tuple[str, ...]
    syntax: str
    about: str
    gradient: str
    rule: str
    residuals: str
    dtypes: str
    batch: str
    file: str
    line: int
    example: str


@dataclass(frozen=True)
class CatalogFunction:
    """A public function that is not an op but calls ops, which a tape records."""

    name: str
    about: str
    calls: tuple[str, ...]
    file: str
    line: int
    example: str


@cache
def ops() -> tuple[CatalogOp, ...]:
    """Return every op that a public TensorFlow function calls or that a rule needs, family by family."""
    public = _public_names()
    locations = _declarations()
    return tuple(
        _op(PRIMITIVES[name], public.get(name, {}), *locations[name]) for name in locations
    )


@cache
def families() -> dict[str, str]:
    """Return each module of the catalog with the first sentence of its docstring."""
    titles = {}
    for name, file in {op.family: op.file for op in ops()}.items():
        module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
        titles[name] = _first_sentence(module)
    return titles


def chosen(word: str, *, without_gradient: bool) -> list[CatalogOp]:
    """Return the ops whose entry contains a word, among all ops or among those without a gradient."""
    return [
        op
        for op in ops()
        if (not without_gradient or op.gradient in ("none", "missing"))
        and word.lower() in " ".join((op.name, *op.public, op.about, op.rule, op.family)).lower()
    ]


def find(name: str) -> CatalogOp | CatalogFunction | None:
    """Return the op or function of this name: `MatMul`, `matmul`, `tf.matmul`, `linalg.matmul` or `@`."""
    wanted = name.removeprefix("tf.")
    by_name = {op.name: op for op in ops()}
    if wanted in by_name:
        return by_name[wanted]
    for op in ops():
        symbol = "".join(letter for letter in op.syntax if not letter.isalnum()).strip()
        if wanted in _short_names(op.public) or (symbol and wanted in (symbol, op.syntax)):
            return op
    for found, function in _windows():
        if wanted in _short_names((found,)) and callable(function):
            return _function(found, function)
    return {op.name.lower(): op for op in ops()}.get(wanted.lower())


def near(name: str) -> list[str]:
    """Return up to three names of the catalog that are similar to `name`."""
    wanted = name.removeprefix("tf.").lower()
    spellings: dict[str, str] = {}
    for op in ops():
        spellings.setdefault(op.name.lower(), op.name)
    for found, _ in _windows():
        for short in _short_names((found,)):
            spellings.setdefault(short.lower(), found)
    close = difflib.get_close_matches(wanted, spellings, n=6)
    return list(dict.fromkeys(spellings[each] for each in close))[:3]


def _short_names(names: tuple[str, ...]) -> set[str]:
    """Return the short forms of a name: `tf.linalg.matmul` may be written as `linalg.matmul` or `matmul`."""
    without = [name.removeprefix("tf.") for name in names]
    return {*without, *(name.rpartition(".")[2] for name in without)}


# --- one op ---


def _op(primitive: Primitive, callers: dict[str, Any], file: Path, line: int) -> CatalogOp:
    faces = {name: each for name, each in callers.items() if _stands_for(each, file)} or callers
    named = sorted(faces, key=lambda name: not _is_named_after(name, primitive))
    own = [name for name in named if _is_named_after(name, primitive)] or named[:1]
    functions = [faces[name] for name in own if not hasattr(faces[name], "__wrapped_primitive__")]
    return CatalogOp(
        primitive.name,
        file.stem,
        tuple(named),
        tuple(name for name in callers if name not in faces),
        _SYNTAX.get(primitive.name, ""),
        _first_sentence(functions[0]) if functions else "",
        primitive.gradient,
        primitive.rule,
        _residuals(primitive),
        _dtypes(primitive),
        _batch(primitive),
        file.relative_to(_PACKAGE.parent).as_posix(),
        line,
        next(filter(None, map(_example, functions)), "") or _worked(primitive, faces, named),
    )


def _dtypes(primitive: Primitive) -> str:
    # bfloat16, whose kind is "V", is one of the floats.
    kinds = ", ".join(_KINDS[kind] for kind in primitive.dtype_kinds if kind != "V")
    is_first = primitive.same_dtype_args is not None and 0 not in primitive.same_dtype_args
    return f"{kinds} (the first input)" if is_first else kinds


def _worked(primitive: Primitive, faces: dict[str, Any], named: list[str]) -> str:
    """Return a small example: the result of an op without attributes for plain numbers, and each derivative there."""
    rules = primitive.rules
    is_plain = bool(named) and hasattr(faces[named[0]], "__wrapped_primitive__")
    if (
        not is_plain
        or not rules
        or primitive.dtype_kinds[0] != "f"
        or isinstance(rules, EveryInput)
    ):
        return ""
    if len(rules) > 2:
        return ""
    for numbers in ((0.5, 2.0), (1.5, 2.0)):
        given = [np.float64(number) for number in numbers[: len(rules)]]
        with np.errstate(all="ignore"):
            y = primitive.kernel(*given)
            derivatives = [rule(np.float64(1.0), y, *given) for rule in rules if rule is not None]
        if derivatives and np.isfinite([y, *derivatives]).all():
            shown = ", ".join(f"{number:g}" for number in given)
            found = ", ".join(f"{derivative:.6g}" for derivative in derivatives)
            return f"{named[0]}({shown}) = {y:.6g}, derivative {found}"
    return ""


def _stands_for(function: Any, file: Path) -> bool:
    """Whether a function is the op under its public name: the op itself, or a function in the same module."""
    if isinstance(function, Primitive) or hasattr(function, "__wrapped_primitive__"):
        return True
    code = getattr(inspect.unwrap(function), "__code__", None)
    return code is not None and Path(code.co_filename) == file


def _is_named_after(public: str, primitive: Primitive) -> bool:
    return primitive.name.lower().startswith(public.rpartition(".")[2].replace("_", ""))


def _residuals(primitive: Primitive) -> str:
    """Return the values that are saved for the backward pass, as text."""
    rules = primitive.rules
    if not rules:
        return "nothing"
    if isinstance(rules, EveryInput):
        return "every input" if primitive.residual_masks[0] else "shapes only"
    masks = NO_READS
    for position, rule in enumerate(rules):
        masks |= primitive.residual_masks[position] if rule is not None else NO_READS
    return _letters(masks, len(rules)) if masks else "shapes only"


def _letters(residual_masks: Reads, count: int) -> str:
    inputs = ["x" if count == 1 else EVERY_INPUT[i] for i in inputs_read(residual_masks, count)]
    return ", ".join(inputs + (["y"] if output_read(residual_masks) else []))


def _batch(primitive: Primitive) -> str:
    if primitive.batch is None:
        return "none: a Jacobian through this op is computed row by row"
    return _first_sentence(primitive.batch) or "a custom rule"


def _first_sentence(thing: Any) -> str:
    text = inspect.getdoc(thing) or ""
    return " ".join(text.partition("\n\n")[0].split())


def _example(function: Any) -> str:
    """Return the first example of a docstring, as written there."""
    lines = (inspect.getdoc(function) or "").splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith(">>>")), None)
    if start is None:
        return ""
    block = lines[start:]
    end = block.index("") if "" in block else len(block)
    return "\n".join(block[:end])


# --- places and names ---


@cache
def _declarations() -> dict[str, tuple[Path, int]]:
    """Return each op with the module and line of its declaration, which has the form `name = Primitive("Name", ...)`."""
    found = {}
    for file in sorted((_PACKAGE / "ops").rglob("*.py")):
        for statement in ast.parse(file.read_text(encoding="utf-8")).body:
            name = _declared(statement)
            if name in PRIMITIVES:
                found[name] = file, statement.lineno
    return found


def _declared(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(statement.value, ast.Call):
        first = statement.value.args[0] if statement.value.args else None
        if isinstance(first, ast.Constant):
            return str(first.value)
    return ""


@cache
def _windows() -> tuple[tuple[str, Any], ...]:
    """Return each public name and its object, the shortest names first."""
    root = importlib.import_module("minitape")
    namespaces = [(name, getattr(root, name)) for name in root.__all__]
    modules = [("tf", root)]
    modules += [
        (f"tf.{name}", namespace)
        for name, namespace in namespaces
        if isinstance(namespace, ModuleType)
    ]
    modules += [(f"tf.{name}", getattr(root, name)) for name in _OPENED_LATER]
    return tuple(
        (f"{prefix}.{name}", getattr(module, name))
        for prefix, module in modules
        for name in getattr(module, "__all__", ())
        if not isinstance(getattr(module, name), ModuleType | type)
    )


@cache
def _public_names() -> dict[str, dict[str, Any]]:
    """Return, for each op, the public functions that call it directly."""
    names: dict[str, dict[str, Any]] = {}
    for public, function in _windows():
        for op in _called(function):
            names.setdefault(op, {})[public] = function
    return names


def _called(function: Any) -> list[str]:
    """Return the ops that a function calls by name, directly or through private functions of its module."""
    if isinstance(function, Primitive):
        return [function.name]
    wrapped = getattr(function, "__wrapped_primitive__", None)
    if wrapped is not None:
        return [wrapped.name]
    found: list[str] = []
    seen: set[Any] = set()
    waiting: list[Callable[..., Any]] = [function]
    while waiting:
        each = waiting.pop()
        code = getattr(each, "__code__", None)
        if code is None or code in seen:
            continue
        seen.add(code)
        for name in _global_names(code):
            value = each.__globals__.get(name)
            if isinstance(value, Primitive):
                found.append(value.name)
            elif name.startswith("_") and callable(value) and _is_beside(value, each):
                waiting.append(value)
    return list(dict.fromkeys(found))


def _is_beside(value: Any, function: Any) -> bool:
    return bool(getattr(value, "__module__", "") == function.__module__)


def _global_names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _global_names(constant)


def _function(name: str, function: Any) -> CatalogFunction:
    function = inspect.unwrap(function)
    code = getattr(function, "__code__", None)
    file = Path(code.co_filename) if code is not None else _PACKAGE
    inside = file.relative_to(_PACKAGE.parent).as_posix() if file.is_relative_to(_PACKAGE) else ""
    line = code.co_firstlineno if code is not None else 0
    called = tuple(_called(function))
    return CatalogFunction(
        name, _first_sentence(function), called, inside, line, _example(function)
    )
