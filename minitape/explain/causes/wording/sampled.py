"""A tensor that NumPy samples from, such as the probabilities of a policy: sampling needs the array, and the loss the tensor.

instead_of_array    what to write where an array is used that NumPy also samples from: the tensor, in these places only
"""

import ast
import copy
from collections.abc import Iterator
from typing import NamedTuple

from minitape.explain.causes.rewriting import around_constant, parsed, translated
from minitape.explain.causes.wording.array_methods import parents_in, statements_around
from minitape.explain.flow.program.numpy_names import Names, standard_name
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import walk

# Functions of NumPy and of its generators that draw indices with given probabilities.
_DRAWING = {"binomial", "choice", "choices", "multinomial"}


class Use(NamedTuple):
    """An expression of the program, on its line, and what to write instead."""

    line: int
    written: str
    better: str


def instead_of_array(
    program: str, line: int, statement: str, names: Names, dtype: str
) -> tuple[list[Use], list[int]]:
    """Return where a program uses an array that it also samples from, and the lines that sample.

    Args:
        program: The text of the program.
        line: The line of the statement.
        statement: A statement that names a tensor without its conversion, such as `p = probs[0]`.
        names: The names of NumPy in the program.
        dtype: The dtype of the tensor.

    Returns:
        The uses other than sampling, such as `np.log(p[a])` with `tf.math.log(probs[0, a])`, and the lines that sample, such as
        `np.random.choice(2, p=p)`; two empty lists if the program does not sample from the name.
    """
    name, _, value = statement.partition(" = ")
    tensor = _without_cast(parsed(value))
    if not name.isidentifier() or not _is_plain(tensor):
        return [], []
    assert tensor is not None
    tree = tree_or_empty(program)
    parents = parents_in(tree)
    uses, sampling = list[Use](), list[int]()
    for node in _loads(tree, line, name):
        around = list(_around(parents, node))
        drawn = next((each for each in around if _draws(each)), None)
        if drawn is not None:
            sampling.append(drawn.lineno)
            continue
        use = _with_tensor(node, around, tensor, names, dtype)
        if use is None:
            return [], []
        uses.append(use)
    return (sorted(set(uses)), sorted(set(sampling))) if sampling else ([], [])


def _without_cast(tensor: ast.expr | None) -> ast.expr | None:
    """Return the tensor of a cast, which the sampling may need, but not the loss."""
    match tensor:
        case ast.Call(func=ast.Attribute(value=ast.Name("tf"), attr="cast"), args=[inside, _]):
            return inside
    return tensor


def _is_plain(tensor: ast.expr | None) -> bool:
    """Whether an expression is a name, an attribute or an element of one, so that it may be repeated."""
    while isinstance(tensor, ast.Subscript | ast.Attribute):
        tensor = tensor.value
    return isinstance(tensor, ast.Name)


def _loads(tree: ast.AST, line: int, name: str) -> Iterator[ast.Name]:
    for statement in statements_around(tree, line):
        for node in walk(statement):
            match node:
                case ast.Name(id=used, ctx=ast.Load(), lineno=at) if used == name and at > line:
                    yield node


def _around(parents: dict[ast.AST, ast.AST], node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions around an expression, the innermost first."""
    around = parents.get(node)
    while around is not None and not isinstance(around, ast.stmt):
        if isinstance(around, ast.expr):
            yield around
        around = parents.get(around)


def _draws(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in _DRAWING
        and not ast.unparse(node.func).startswith("tf.")
    )


def _with_tensor(
    name: ast.Name, around: list[ast.expr], tensor: ast.expr, names: Names, dtype: str
) -> Use | None:
    """Return the outermost NumPy call around a name, or else the element that it is indexed for, with the tensor instead."""
    chosen: ast.expr = name
    for each in around:
        if isinstance(each, ast.Subscript) and each.value is chosen:
            chosen = each
    outer = chosen
    for each in around:
        if isinstance(each, ast.Call):
            if standard_name(ast.unparse(each.func), names).startswith(("np.", "math.")):
                outer = each
            else:
                break
    better = _exchanged(outer, name, tensor)
    if isinstance(better, ast.Call):
        translation = translated(better, names=names)
        if translation is None:
            return None
        better = translation
    written, text = around_constant(
        ast.unparse(around[-1] if around else outer),
        ast.unparse(outer),
        ast.unparse(_joined(better)),
        dtype,
    )
    return Use(outer.lineno, written, text)


def _exchanged(node: ast.expr, name: ast.Name, tensor: ast.expr) -> ast.expr:
    """Return a copy of an expression with the tensor in place of its name."""
    return _InPlaceOf(name.id, tensor).visit(copy.deepcopy(node))  # type: ignore[no-any-return]


class _InPlaceOf(ast.NodeTransformer):
    def __init__(self, name: str, tensor: ast.expr) -> None:
        self._name, self._tensor = name, tensor

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return copy.deepcopy(self._tensor) if node.id == self._name else node


def _joined(node: ast.expr) -> ast.expr:
    """Return an expression with one index in place of two: `probs[0][a]` → `probs[0, a]`."""
    return ast.fix_missing_locations(_Joined().visit(node))  # type: ignore[no-any-return]


class _Joined(ast.NodeTransformer):
    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Subscript(
                value=ast.Subscript(value=tensor, slice=ast.Constant() as first),
                slice=ast.Name() | ast.Constant() as second,
            ):
                both = ast.Tuple([first, second], ast.Load())
                return ast.Subscript(tensor, both, ast.Load())
        return node
