"""Products that sum over an axis, and the diagonals of matrices.

    matmul, matvec           the product of matrices, also of stacks of them
    tensordot, einsum        sums of products over any axes
    diag ↔ diag_part         a vector as the diagonal of a matrix, and back; trace adds the diagonal up

A product is linear in each factor: a factor is owed ȳ times the other one, with the axes turned so that the shapes fit.
"""

from string import ascii_letters
from typing import Any

import numpy as np

from minitape.core.convert import as_operand
from minitape.core.primitive import ANY, EveryInput, Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.ops.axes import as_ints, canonical_axis
from minitape.ops.broadcasting import _broadcast, reduce_sum, sum_to
from minitape.ops.rules import Stacked, elementwise, leading_axes
from minitape.ops.shaping import _reshape, _transpose, expand_dims, squeeze

# --- matrices ---


def flipped(x: Value) -> Value:
    """The matrix transposed; of a stack of matrices, each."""
    rank = len(x.shape)
    return _transpose(x, perm=(*range(rank - 2), rank - 1, rank - 2))


def _matmul_kernel(a: Array, b: Array) -> Array:
    if a.ndim < 2 or b.ndim < 2:
        raise InvalidArgumentError(
            f"MatMul: In[0] and In[1] must be matrices, and their shapes are {a.shape} and {b.shape}.",
            fix="tf.linalg.matvec(A, x), tf.tensordot(x, y, axes=1), or tf.expand_dims for a column",
            code="MT507",
        )
    if a.shape[-1] != b.shape[-2]:
        raise InvalidArgumentError(
            f"Matrix size-incompatible: In[0]: {list(a.shape)}, In[1]: {list(b.shape)}: "
            f"the rows of the first have {a.shape[-1]} entries, the columns of the second {b.shape[-2]}.",
            fix="a [n, k] @ [k, m] pair; tf.transpose turns a matrix",
            code="MT507",
        )
    return np.matmul(a, b)


matmul_primitive: Primitive = Primitive(
    "MatMul",
    _matmul_kernel,
    vjp=(
        lambda ybar, y, a, b: sum_to(matmul_primitive(ybar, flipped(b)), a),
        lambda ybar, y, a, b: sum_to(matmul_primitive(flipped(a), ybar), b),
    ),
    batch=elementwise,
    saves=("b", "a"),
    rule="ā = ȳ·bᵀ   b̄ = aᵀ·ȳ",
)


def matmul(
    a: Value,
    b: Value,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Value:
    """The product of two matrices; leading axes count many of them, and broadcast.

    Args:
        a: Shape [..., n, k].
        b: Shape [..., k, m], of the same dtype.
        transpose_a: Turn `a` first.
        transpose_b: Turn `b` first.
        adjoint_a: The same, for real numbers.
        adjoint_b: The same, for real numbers.
        name: Ignored.

    Raises:
        InvalidArgumentError: a factor has rank below 2, or the sizes do not fit.

    Gradient: to any order, batched. Remembers each factor that the other's rule reads.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/matmul
    """
    first, second = as_operand(a, b), as_operand(b, a)
    if transpose_a or adjoint_a:
        first = flipped(as_operand(a))
    if transpose_b or adjoint_b:
        second = flipped(as_operand(b))
    return matmul_primitive(first, second)


def matvec(
    a: Value,
    b: Value,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    name: str | None = None,
) -> Value:
    """The product of a matrix and a vector.

    Args:
        a: Shape [..., n, k].
        b: Shape [..., k].
        transpose_a: Turn `a` first.
        adjoint_a: The same, for real numbers.
        name: Ignored.

    Raises:
        InvalidArgumentError: the sizes do not fit.

    Gradient: to any order, batched.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/matvec
    """
    column = expand_dims(as_operand(b), axis=-1)
    return squeeze(matmul(a, column, transpose_a=transpose_a, adjoint_a=adjoint_a), axis=[-1])


def tensordot(a: Value, b: Value, axes: Any, name: str | None = None) -> Value:
    """The sum of products over chosen axes of both.

    Args:
        a: Any rank.
        b: Any rank, of the same dtype.
        axes: A number n: the last n axes of `a` and the first n of `b`; or two lists of axes, pair by pair.
        name: Ignored.

    Returns:
        The other axes of `a`, then those of `b`.

    Raises:
        ValueError: the axes do not pair up.
        InvalidArgumentError: their sizes differ.

    Gradient: to any order, batched.

    Source: https://www.tensorflow.org/api_docs/python/tf/tensordot
    """
    x, w = as_operand(a, b), as_operand(b, a)
    x, w = as_operand(x), as_operand(w)
    of_a, of_b = _paired_axes(axes, len(x.shape), len(w.shape))
    free_a = tuple(i for i in range(len(x.shape)) if i not in of_a)
    free_b = tuple(i for i in range(len(w.shape)) if i not in of_b)
    rows = tuple(x.shape[i] for i in free_a)
    columns = tuple(w.shape[i] for i in free_b)
    summed = int(np.prod([x.shape[i] for i in of_a], dtype=np.int64))
    left = _reshape(_transpose(x, perm=free_a + of_a), shape=(_product(rows), summed))
    right = _transpose(w, perm=of_b + free_b)
    right = _reshape(right, shape=(_product(w.shape[i] for i in of_b), _product(columns)))
    return _reshape(matmul_primitive(left, right), shape=rows + columns)


def _product(sizes: Any) -> int:
    return int(np.prod(list(sizes), dtype=np.int64))


def _paired_axes(axes: Any, rank_a: int, rank_b: int) -> tuple[Ints, Ints]:
    if not isinstance(axes, list | tuple) and np.ndim(axes) == 0:
        count = int(axes)
        if count > min(rank_a, rank_b):
            raise TapeValueError(
                f"`axes` must not be larger than the number of dimensions of tensor: {count} > {min(rank_a, rank_b)}.",
                code="MT507",
            )
        return tuple(range(rank_a - count, rank_a)), tuple(range(count))
    first, second = (as_ints(each) for each in axes)
    if len(first) != len(second):
        raise TapeValueError(
            f"Different number of contraction axes {first} and {second}.",
            fix="as many axes of the first as of the second",
            code="MT507",
        )
    of_a = tuple(canonical_axis(axis, rank_a, "tensordot") for axis in first)
    of_b = tuple(canonical_axis(axis, rank_b, "tensordot") for axis in second)
    return of_a, of_b


# --- sums of products by letters ---


def _einsum_vjp(position: int, ybar: Value, y: Value, *factors: Value, equation: str) -> Value:
    """ȳ takes the place of the factor: sum ȳ times the others over all letters that the factor does not have."""
    inputs, output = equation.split("->")
    letters = inputs.split(",")
    own = letters[position]
    others = [i for i in range(len(factors)) if i != position]
    known = set(output).union(*(letters[i] for i in others))
    seen = "".join(letter for letter in own if letter in known)
    terms = ",".join([output, *(letters[i] for i in others)])
    part = _einsum(ybar, *(factors[i] for i in others), equation=f"{terms}->{seen}")
    if seen == own:
        return sum_to(part, factors[position])
    # A letter that only this factor has was summed over: its elements all get the same.
    shape = tuple(factors[position].shape)
    kept = tuple(size if letter in known else 1 for letter, size in zip(own, shape, strict=True))
    return _broadcast(_reshape(part, shape=kept), shape=shape)


def _einsum_batch(op: Primitive, stacked: Stacked, *factors: Value, equation: str) -> Value:
    inputs, output = equation.split("->")
    new = next(letter for letter in ascii_letters if letter not in equation)
    letters = [
        new + own if is_stack else own
        for own, is_stack in zip(inputs.split(","), stacked, strict=True)
    ]
    return op(*factors, equation=f"{','.join(letters)}->{new}{output}")


_einsum: Primitive = Primitive(
    "Einsum",
    lambda *factors, equation: np.einsum(equation, *factors, optimize=len(factors) > 2),
    vjp=EveryInput(_einsum_vjp),
    batch=_einsum_batch,
    saves="abcdefgh",
    rule="each factor gets ȳ times the others, summed over the letters that it does not have",
)


def einsum(equation: str, *inputs: Value, **settings: Any) -> Value:
    """A sum of products, written with a letter for each axis: "ij,jk->ik" is a matrix product.

    Args:
        equation: The letters of each factor, `->`, and those of the result; without an arrow, the letters that occur
            once, in order. `...` stands for leading axes.
        inputs: The factors, of one dtype.
        settings: `name` and `optimize`: ignored.

    Raises:
        ValueError: there are more or fewer factors than groups of letters.
        InvalidArgumentError: a factor has another rank than its letters.

    Gradient: to any order, batched.

    Source: https://www.tensorflow.org/api_docs/python/tf/einsum

    >>> einsum("i,i->", np.array([1.0, 2.0]), np.array([3.0, 4.0])).numpy()
    np.float64(11.0)
    """
    values = [as_operand(value, *inputs) for value in inputs]
    values = [as_operand(value) for value in values]
    terms, output = _spelled_out(equation.replace(" ", ""), [len(value.shape) for value in values])
    for i, (term, value) in enumerate(zip(terms, values, strict=True)):
        terms[i], values[i] = _diagonals(term, value)
    return _einsum(*values, equation=f"{','.join(terms)}->{output}")


def _spelled_out(equation: str, ranks: list[int]) -> tuple[list[str], str]:
    """The letters of each factor and of the result, with `...` written as letters that are not in use."""
    inputs, arrow, output = equation.partition("->")
    terms = inputs.split(",")
    if len(terms) != len(ranks):
        raise TapeValueError(
            f"The equation {equation!r} has {len(terms)} factors, and {len(ranks)} were given.",
            fix="one group of letters for each factor, with commas between",
        )
    if not arrow:
        once = sorted(c for c in set(inputs) - set(",.") if inputs.count(c) == 1)
        output = ("..." if "..." in inputs else "") + "".join(once)
    free = "".join(letter for letter in ascii_letters if letter not in equation)
    widths = [rank - len(term.replace("...", "")) for term, rank in zip(terms, ranks, strict=True)]
    widest = max((w for w, term in zip(widths, terms, strict=True) if "..." in term), default=0)
    spelled = []
    for term, width, rank in zip(terms, widths, ranks, strict=True):
        if width < 0 or (width and "..." not in term):
            raise InvalidArgumentError(
                f"The factor {term!r} of the equation {equation!r} was given a value of rank {rank}.",
                fix="one letter for each axis",
                code="MT507",
            )
        spelled.append(term.replace("...", free[widest - width : widest]))
    return spelled, output.replace("...", free[:widest])


def _diagonals(term: str, value: Value) -> tuple[str, Value]:
    """A letter that comes twice in one factor means its diagonal: take it, so that each letter comes once."""
    for letter in term:
        while term.count(letter) > 1:
            first, second = (i for i, other in enumerate(term) if other == letter)
            rest = tuple(i for i in range(len(term)) if i not in (first, second))
            value = diag_part(_transpose(value, perm=(*rest, first, second)))
            term = "".join(term[i] for i in rest) + letter
    return term, value


# --- diagonals ---


def _diag_kernel(x: Array, *, shape: Ints) -> Array:
    matrix = np.zeros((*x.shape[:-1], *shape), x.dtype)
    places = np.arange(x.shape[-1])
    matrix[..., places, places] = x
    return matrix


_diag: Primitive = Primitive(
    "MatrixDiagV3",
    _diag_kernel,
    vjp=(lambda ybar, y, x, shape: _diag_part(ybar),),
    batch=leading_axes,
    rule="x̄ = the diagonal of ȳ",
    accepts=ANY,
)

_diag_part: Primitive = Primitive(
    "MatrixDiagPartV3",
    lambda x: np.diagonal(x, axis1=-2, axis2=-1),
    vjp=(lambda ybar, y, x: _diag(ybar, shape=tuple(x.shape)[-2:]),),
    batch=leading_axes,
    rule="x̄ = ȳ on the diagonal, 0 elsewhere",
    accepts=ANY,
)


def diag(diagonal: Value, name: str = "diag") -> Value:
    """A square matrix with `diagonal` on its diagonal and zeros elsewhere.

    Args:
        diagonal: Shape [..., n].
        name: Ignored.

    Returns:
        Shape [..., n, n].

    Gradient: to any order, batched. Remembers nothing.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/diag
    """
    x = as_operand(diagonal)
    if not len(x.shape):
        raise InvalidArgumentError("diag wants a vector, and was given a scalar.", code="MT507")
    return _diag(x, shape=(x.shape[-1], x.shape[-1]))


def diag_part(input: Value, name: str = "diag_part") -> Value:
    """The diagonal of a matrix; of a stack of matrices, each.

    Args:
        input: Shape [..., n, m].
        name: Ignored.

    Returns:
        Shape [..., min(n, m)].

    Gradient: to any order, batched. Remembers only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/diag_part
    """
    return _diag_part(as_operand(input))


def trace(x: Value, name: str | None = None) -> Value:
    """The sum of the diagonal.

    Args:
        x: Shape [..., n, m].
        name: Ignored.

    Gradient: to any order, batched. Remembers only the shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/trace
    """
    return reduce_sum(diag_part(x), axis=-1)
