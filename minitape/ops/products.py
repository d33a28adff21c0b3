"""Products that sum over an axis.

    matmul, matvec     matrix products, also of batches
    tensordot, einsum  sums of products over any axes
    cross              the cross product of vectors
    matrix_transpose, adjoint

A product is linear in each factor, so the cotangent of a factor is ȳ times the other factor, with axes transposed to fit.
"""

from functools import lru_cache
from string import ascii_letters
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import flag, listed, strict_flag
from minitape.core.batched import raw_dtype
from minitape.core.blas import product
from minitape.core.convert import as_operand, is_engine_value
from minitape.core.declaration import EVERY_INPUT, EveryInput
from minitape.core.mismatch import matrix_mismatch
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError, TapeTypeError, TapeValueError
from minitape.ops.axes import as_ints, canonical_axis, whole_number
from minitape.ops.broadcasting import _broadcast, sum_to
from minitape.ops.complex_numbers import conj
from minitape.ops.diagonals import diag_part
from minitape.ops.identity import cast
from minitape.ops.reshaping import _reshape, _transpose, expand_dims, squeeze
from minitape.ops.rules import Stacked, leading_axes_broadcast, leading_axes_of_all

# --- matrices ---


def flipped(x: Value) -> Value:
    """Return the transposed matrix; in a batch, each matrix is transposed."""
    if type(x) is np.ndarray:  # faster for arrays than calling the op
        return x.swapaxes(-1, -2)
    rank = len(x.shape)
    return _transpose(x, perm=(*range(rank - 2), rank - 1, rank - 2))


_NO_PRODUCT = "?bBhHILQ"


def _matmul_kernel(a: Array, b: Array) -> Array:
    if a.dtype.char in _NO_PRODUCT:
        raise InvalidArgumentError(
            f"`MatMul` does not support {dtypes.of(a).name} values, because sums of their products overflow.",
            fix="use `tf.cast(x, tf.int32)`, or pass `output_type=tf.int32` for int8",
            code="MT506",
        )
    if a.ndim < 2 or b.ndim < 2:
        raise InvalidArgumentError(
            f"MatMul: In[0] and In[1] must be matrices, but their shapes are {a.shape} and {b.shape}.",
            fix="use `tf.linalg.matvec(A, x)` or `tf.tensordot(x, y, axes=1)`, or `tf.expand_dims(x, 1)` for a column",
            code="MT507",
        )
    try:
        return product(a, b)
    except ValueError:
        if a.shape[-1] == b.shape[-2]:
            raise
        raise matrix_mismatch(a, b) from None


matmul_primitive: Primitive = Primitive(
    "MatMul",
    _matmul_kernel,
    vjp=(
        lambda ybar, y, a, b: sum_to(matmul_primitive(ybar, flipped(b)), a),
        lambda ybar, y, a, b: sum_to(matmul_primitive(flipped(a), ybar), b),
    ),
    batch=leading_axes_broadcast,
    residuals=("b", "a"),
    rule="ā = ȳ·bᵀ   b̄ = aᵀ·ȳ",
)


def matmul(
    a: Value,
    b: Value,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Value:
    """Return the product of two matrices; leading axes are batch axes and broadcast.

    Args:
        a: A tensor of shape [..., n, k].
        b: A tensor of shape [..., k, m] with the dtype of the first argument; one of them may be bfloat16 and the other float32.
        transpose_a: Whether to transpose `a` first.
        transpose_b: Whether to transpose `b` first.
        adjoint_a: Whether to use the conjugate transpose of `a`.
        adjoint_b: Whether to use the conjugate transpose of `b`.
        a_is_sparse: Ignored, because it is only a hint about zeros.
        b_is_sparse: Ignored, like `grad_a`, `grad_b` and `name`.
        output_type: The dtype of the product; int32 for factors of int8.

    Returns:
        A tensor of shape [..., n, m].

    Raises:
        InvalidArgumentError: the rank of a factor is below 2, the sizes do not fit, or integers have less than 32 bits.
        ValueError: both the transpose and the adjoint of a factor are requested.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps a factor if the gradient of the other
    one is needed.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/matmul
    """
    is_turned = strict_flag(transpose_a, "transpose_a"), strict_flag(transpose_b, "transpose_b")
    is_adjoint = flag(adjoint_a, "adjoint_a"), flag(adjoint_b, "adjoint_b")
    for which, transpose, adjoint in zip("ab", is_turned, is_adjoint, strict=True):
        if transpose and adjoint:
            raise TapeValueError(
                f"`matmul` got both `transpose_{which}=True` and `adjoint_{which}=True`, but only one of them can be `True`.",
                fix=f"pass `adjoint_{which}=True`, which is the conjugate transpose",
            )
    if output_type is not None:
        a, b = cast(a, output_type), cast(b, output_type)
    first, second = as_operand(a, b), as_operand(b, a)
    if is_turned[0] or is_adjoint[0]:
        first = matrix_transpose(a, conjugate=is_adjoint[0])
    if is_turned[1] or is_adjoint[1]:
        second = matrix_transpose(b, conjugate=is_adjoint[1])
    return matmul_primitive(*_in_one_precision(first, second))


def _in_one_precision(first: Value, second: Value) -> tuple[Value, Value]:
    """Return two matrices unchanged, or in float32 if one is bfloat16 and the other float32, as TensorFlow multiplies them."""
    if is_engine_value(first) and is_engine_value(second):
        pair = {raw_dtype(first).name, raw_dtype(second).name}
        if pair == {"bfloat16", "float32"} and len(first.shape) == len(second.shape) == 2:
            return cast(first, dtypes.float32), cast(second, dtypes.float32)
    return first, second


def matvec(
    a: Value,
    b: Value,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Value:
    """Return the product of a matrix and a vector.

    Args:
        a: A tensor of shape [..., n, k].
        b: A tensor of shape [..., k].
        transpose_a: Whether to transpose `a` first.
        adjoint_a: Whether to use the conjugate transpose of `a`.
        a_is_sparse: Ignored, like `b_is_sparse` and `name`.

    Returns:
        A tensor of shape [..., n].

    Raises:
        InvalidArgumentError: the sizes do not fit.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/matvec
    """
    column = expand_dims(as_operand(b), axis=-1)
    return squeeze(matmul(a, column, transpose_a=transpose_a, adjoint_a=adjoint_a), axis=[-1])


def tensordot(a: Value, b: Value, axes: Any, name: str | None = None) -> Value:
    """Return the sum of products over given axes of both values.

    Args:
        a: Any rank.
        b: Any rank, of the same dtype.
        axes: A number n: the last n axes of `a` and the first n of `b`; or two lists of axes of equal length.
        name: Ignored.

    Returns:
        A tensor with the other axes of `a`, followed by those of `b`.

    Raises:
        ValueError: the numbers of axes differ.
        InvalidArgumentError: their sizes differ.

    Gradient: Derivatives of any order are supported, including batched ones.

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
        count = whole_number(axes)
        if count > min(rank_a, rank_b):
            raise TapeValueError(
                f"`axes` must not be larger than the number of dimensions of tensor: {count} > {min(rank_a, rank_b)}.",
                code="MT507",
            )
        return tuple(range(rank_a - count, rank_a)), tuple(range(count))
    pair = listed(axes, "axes")
    if len(pair) != 2:
        raise TapeValueError(
            f"`axes` must be an integer or a pair of lists of axes, but is {axes!r}.",
            fix="pass `axes=[[1], [0]]`",
        )
    first, second = map(as_ints, pair)
    if len(first) != len(second):
        raise TapeValueError(
            f"Different number of contraction axes {first} and {second}.",
            fix="list as many axes of `a` as of `b`",
            code="MT507",
        )
    of_a = tuple(canonical_axis(axis, rank_a, "tensordot") for axis in first)
    of_b = tuple(canonical_axis(axis, rank_b, "tensordot") for axis in second)
    return of_a, of_b


# --- einsum ---


def _einsum_vjp(position: int, ybar: Value, y: Value, *factors: Value, equation: str) -> Value:
    """Replace the factor by ȳ: sum ȳ times the other factors over all labels that the factor does not have."""
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
    # A label that only this factor has was summed over, so all its elements get the same cotangent.
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
    residuals=EVERY_INPUT,
    rule="each factor receives ȳ times the other factors, summed over the labels that the factor does not have",
)


def einsum(
    equation: str, *inputs: Value, optimize: Any = "greedy", name: str | None = None
) -> Value:
    """Return a sum of products, written with a label for each axis: "ij,jk->ik" is a matrix product.

    Args:
        equation: The labels of each factor, `->`, and the labels of the result; without an arrow, the labels that occur
            once, in alphabetical order. `...` represents leading axes.
        inputs: The factors, of one dtype.
        optimize: Ignored, like `name`.

    Returns:
        A tensor with the axes that the equation names and the dtype of the factors.

    Raises:
        ValueError: the number of factors differs from the equation, a label is not a letter, or a label of the result is in no
            factor or occurs twice.
        InvalidArgumentError: the rank of a factor differs from its labels, or a label has two sizes.

    Gradient: Derivatives of any order are supported, including batched ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/einsum

    >>> einsum("i,i->", np.array([1.0, 2.0]), np.array([3.0, 4.0])).numpy()
    np.float64(11.0)
    """
    if not isinstance(equation, str):
        raise TapeTypeError(
            f"The equation of `einsum` must be a string, but is {equation!r}.",
            fix='use `"ij,jk->ik"`',
        )
    values = [as_operand(value, *inputs) for value in inputs]
    values = [as_operand(value) for value in values]
    terms, output = _letters(equation, tuple([len(value.shape) for value in values]))
    pairs = [_diagonals(term, value) for term, value in zip(terms, values, strict=True)]
    terms, values = [term for term, _ in pairs], [value for _, value in pairs]
    _check_sizes(equation, terms, values)
    return _einsum(*values, equation=f"{','.join(terms)}->{output}")


@lru_cache(maxsize=256)  # a program has few equations, and uses each of them at every step
def _letters(equation: str, ranks: Ints) -> tuple[list[str], str]:
    """Return the labels of each factor and of the result, after checking the labels of the result."""
    terms, output = _spelled_out(equation.replace(" ", ""), ranks)
    twice = [letter for letter in output if output.count(letter) > 1]
    if twice:
        raise TapeValueError(
            f"Output subscripts of {equation!r} contain the label {twice[0]} more than once.",
            fix="use `tf.linalg.diag(x)`, which puts the elements on a diagonal",
        )
    missing = set(output) - set("".join(terms))
    if missing:
        raise TapeValueError(
            f"Output subscripts of {equation!r} contain the label {min(missing)} not present in the input subscripts.",
            fix="use only labels that occur before the arrow",
        )
    return terms, output


def _spelled_out(equation: str, ranks: Ints) -> tuple[list[str], str]:
    """Return the labels of each factor and of the result, with `...` replaced by unused letters."""
    inputs, arrow, output = equation.partition("->")
    terms = inputs.split(",")
    if len(terms) != len(ranks):
        raise TapeValueError(
            f"The equation {equation!r} has {len(terms)} factors, but `einsum` got {len(ranks)} values.",
            fix="write one group of letters for each factor, separated by commas",
        )
    if not arrow:
        once = sorted(c for c in set(inputs) - set(",.") if inputs.count(c) == 1)
        output = ("..." if "..." in inputs else "") + "".join(once)
    strange = set(equation) - set(ascii_letters) - set(",.->")
    if strange:
        raise TapeValueError(
            f"The equation {equation!r} contains {min(strange)!r}, which is not a letter.",
            fix='use `"ij,jk->ik"`',
        )
    free = "".join(letter for letter in ascii_letters if letter not in equation)
    widths = [rank - len(term.replace("...", "")) for term, rank in zip(terms, ranks, strict=True)]
    widest = max((w for w, term in zip(widths, terms, strict=True) if "..." in term), default=0)
    spelled = []
    for term, width, rank in zip(terms, widths, ranks, strict=True):
        if width < 0 or (width and "..." not in term):
            raise InvalidArgumentError(
                f"The factor {term!r} of the equation {equation!r} got a value of rank {rank}.",
                fix="write one letter for each axis",
                code="MT507",
            )
        spelled.append(term.replace("...", free[widest - width : widest]))
    return spelled, output.replace("...", free[:widest])


def _check_sizes(equation: str, terms: list[str], values: list[Value]) -> None:
    """Raise an error if a label has two sizes."""
    sizes: dict[str, int] = {}
    for term, value in zip(terms, values, strict=True):
        for letter, size in zip(term, value.shape, strict=True):
            known = sizes.get(letter, size)
            broadcasts = letter not in equation and 1 in (size, known)  # the label replaces `...`
            if size != known and not broadcasts:
                raise InvalidArgumentError(
                    f"The label {letter!r} of the equation {equation!r} has both size {known} and size {size}.",
                    fix="use the same label only for axes of the same size; `print(x.shape)` shows the sizes of a factor",
                    code="MT507",
                )
            sizes[letter] = size if known == 1 else known


def _diagonals(term: str, value: Value) -> tuple[str, Value]:
    """Replace a factor with a repeated label by its diagonal, so that each label occurs once."""
    if len(set(term)) == len(term):
        return term, value
    for letter in term:
        while term.count(letter) > 1:
            first, second = [i for i, other in enumerate(term) if other == letter][:2]
            rest = tuple(i for i in range(len(term)) if i not in (first, second))
            sizes = value.shape[first], value.shape[second]
            if sizes[0] != sizes[1]:
                raise InvalidArgumentError(
                    f"The label {letter!r} occurs twice in {term!r}, for axes of sizes {sizes[0]} and {sizes[1]}.",
                    fix="use the same label only for axes of the same size; `print(x.shape)` shows the sizes of a factor",
                    code="MT507",
                )
            value = diag_part(_transpose(value, perm=(*rest, first, second)))
            term = "".join(term[i] for i in rest) + letter
    return term, value


# --- cross product and transposes ---


def _cross_kernel(a: Array, b: Array) -> Array:
    if a.shape != b.shape or a.shape[-1:] != (3,):
        raise InvalidArgumentError(
            f"`cross` requires two values of the same shape whose last axis has size 3, but got the shapes {a.shape} "
            f"and {b.shape}.",
            code="MT507",
        )
    return np.cross(a, b)


_cross: Primitive = Primitive(
    "Cross",
    _cross_kernel,
    vjp=(
        lambda ybar, y, a, b: _cross(b, ybar),
        lambda ybar, y, a, b: _cross(ybar, a),
    ),
    batch=leading_axes_of_all,
    residuals=("b", "a"),
    rule="ā = b × ȳ   b̄ = ȳ × a",
    dtype_kinds="fi",
)


def cross(a: Value, b: Value, name: str | None = None) -> Value:
    """Return the cross product of vectors.

    Args:
        a: A tensor of shape [..., 3].
        b: Of the same shape and dtype.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `a`.

    Raises:
        InvalidArgumentError: the shapes differ, or the last axis does not have size 3.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps both inputs.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/cross
    """
    return _cross(as_operand(a, b), as_operand(b, a))


def matrix_transpose(a: Value, name: str = "matrix_transpose", conjugate: bool = False) -> Value:
    """Swap the last two axes.

    Args:
        a: A tensor of shape [..., n, m].
        name: Ignored.
        conjugate: Whether to return the complex conjugate.

    Returns:
        A tensor of shape [..., m, n].

    Raises:
        ValueError: the rank is below 2.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/matrix_transpose
    """
    x = as_operand(a)
    if len(x.shape) < 2:
        raise TapeValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2. Received shape: {tuple(x.shape)}",
            fix="use `tf.expand_dims(x, 0)` for a row",
            code="MT507",
        )
    return conj(flipped(x)) if conjugate else flipped(x)


def adjoint(matrix: Value, name: str | None = None) -> Value:
    """Return the conjugate transpose.

    Args:
        matrix: A tensor of shape [..., n, m].
        name: Ignored.

    Returns:
        A tensor of shape [..., m, n].

    Raises:
        ValueError: the rank is below 2.

    Gradient: Derivatives of any order are supported, including batched ones. The tape keeps no values.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/adjoint
    """
    return matrix_transpose(matrix, conjugate=True)
