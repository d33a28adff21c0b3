"""`tf.math`: elementwise arithmetic and reductions.

A primitive returns arrays for arrays, because rules run on arrays. `public` wraps it for users, with TensorFlow's parameter names
and with tensors as results.
"""

from itertools import chain

from minitape.core.primitive import public
from minitape.lazy_namespace import helpful_getattr, with_submodules
from minitape.ops import arithmetic, comparison, exponential, minmax, trigonometry
from minitape.ops import special as beyond_elementary
from minitape.ops.activations import log_softmax, softmax
from minitape.ops.arithmetic import accumulate_n, add_n, reciprocal_no_nan, scalar_mul
from minitape.ops.arithmetic import divide_no_nan_for_users as divide_no_nan
from minitape.ops.broadcasting import reduce_mean, reduce_sum
from minitape.ops.comparison import round
from minitape.ops.complex_numbers import abs, angle, conj, imag, real, sign
from minitape.ops.counting import (
    bincount,
    confusion_matrix,
    in_top_k,
    invert_permutation,
    is_non_decreasing,
    is_strictly_increasing,
)
from minitape.ops.cumulative import cumprod, cumsum, cumulative_logsumexp, reduce_prod
from minitape.ops.exponential import log_sigmoid
from minitape.ops.minmax import (
    argmax,
    argmin,
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_min,
)
from minitape.ops.segments import (
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)
from minitape.ops.sorting import top_k
from minitape.ops.special import erfcinv, lbeta, polyval
from minitape.ops.statistics import (
    count_nonzero,
    l2_normalize,
    reduce_euclidean_norm,
    reduce_logsumexp,
    reduce_std,
    reduce_variance,
)

_BOOL = "A bool tensor with the broadcast shape."
_BOOL_OF_ONE = "A bool tensor with the shape of `x`."

# --- arithmetic ---

add = public(
    arithmetic.add, "x", "y", about="Return x + y; strings are concatenated.", page="math/add"
)
subtract = public(arithmetic.subtract, "x", "y", about="Return x - y.", page="math/subtract")
multiply = public(arithmetic.multiply, "x", "y", about="Return x · y.", page="math/multiply")
divide = public(arithmetic.divide, "x", "y", about="Return x / y.", page="math/divide")
truediv = divide
floordiv = public(
    arithmetic.floordiv, "x", "y", about="Return x / y, rounded down.", page="math/floordiv"
)
floormod = public(
    arithmetic.floormod,
    "x",
    "y",
    about="Return the remainder of x / y, with the sign of y.",
    page="math/floormod",
)
mod = floormod
truncatediv = public(
    arithmetic.truncatediv,
    "x",
    "y",
    about="Return x / y, rounded towards 0.",
    page="math/truncatediv",
)
truncatemod = public(
    arithmetic.truncatemod,
    "x",
    "y",
    about="Return the remainder of x / y, with the sign of x.",
    page="math/truncatemod",
)
multiply_no_nan = public(
    arithmetic.multiply_no_nan,
    "x",
    "y",
    about="Return x · y, and 0 where y is 0, even if x is NaN or infinite.",
    page="math/multiply_no_nan",
)
reciprocal = public(arithmetic.reciprocal, "x", about="Return 1 / x.", page="math/reciprocal")
nextafter = public(
    arithmetic.nextafter,
    "x1",
    "x2",
    about="Return the next representable number after x1 in the direction of x2.",
    page="math/nextafter",
)
pow = public(arithmetic.pow, "x", "y", about="Return x to the power of y.", page="math/pow")
square = public(arithmetic.square, "x", about="Return x².", page="math/square")
squared_difference = public(
    arithmetic.squared_difference,
    "x",
    "y",
    about="Return (x - y)²; |x - y|² for complex numbers.",
    page="math/squared_difference",
)
sqrt = public(arithmetic.sqrt, "x", about="Return the square root.", page="math/sqrt")
rsqrt = public(arithmetic.rsqrt, "x", about="Return 1 / √x.", page="math/rsqrt")
negative = public(arithmetic.negative, "x", about="Return -x.", page="math/negative")
maximum = public(
    minmax.maximum, "x", "y", about="Return the larger of x and y.", page="math/maximum"
)
minimum = public(
    minmax.minimum, "x", "y", about="Return the smaller of x and y.", page="math/minimum"
)

# --- functions ---

exp = public(exponential.exp, "x", about="Return eˣ.", page="math/exp")
expm1 = public(
    exponential.expm1, "x", about="Return eˣ - 1, accurate for x near 0.", page="math/expm1"
)
log = public(exponential.log, "x", about="Return the natural logarithm.", page="math/log")
log1p = public(
    exponential.log1p, "x", about="Return log(1 + x), accurate for x near 0.", page="math/log1p"
)
sigmoid = public(exponential.sigmoid, "x", about="Return 1 / (1 + e⁻ˣ).", page="math/sigmoid")
tanh = public(exponential.tanh, "x", about="Return the hyperbolic tangent.", page="math/tanh")
softplus = public(
    exponential.softplus, "features", about="Return log(1 + eˣ).", page="math/softplus"
)
erf = public(exponential.erf, "x", about="Return the error function.", page="math/erf")
erfc = public(
    exponential.erfc,
    "x",
    about="Return 1 - erf(x), accurate where erf(x) is near 1.",
    page="math/erfc",
)
lgamma = public(
    beyond_elementary.lgamma,
    "x",
    about="Return the logarithm of the absolute value of the gamma function.",
    page="math/lgamma",
)
digamma = public(
    beyond_elementary.digamma, "x", about="Return the derivative of `lgamma`.", page="math/digamma"
)
polygamma = public(
    beyond_elementary.polygamma,
    "a",
    "x",
    about="Return the derivative of order a of `digamma`, at x.",
    page="math/polygamma",
)
zeta = public(
    beyond_elementary.zeta,
    "x",
    "q",
    about="Return the Hurwitz zeta function, Σ (q + k)⁻ˣ for k = 0, 1, 2 ...",
    page="math/zeta",
)
erfinv = public(
    beyond_elementary.erfinv, "x", about="Return the inverse of `erf`.", page="math/erfinv"
)
ndtri = public(
    beyond_elementary.ndtri,
    "x",
    about="Return the quantile of the standard normal distribution.",
    page="math/ndtri",
)
xlogy = public(
    beyond_elementary.xlogy,
    "x",
    "y",
    about="Return x · log y, and 0 where x is 0.",
    page="math/xlogy",
)
xlog1py = public(
    beyond_elementary.xlog1py,
    "x",
    "y",
    about="Return x · log(1 + y), and 0 where x is 0.",
    page="math/xlog1py",
)
xdivy = public(
    beyond_elementary.xdivy, "x", "y", about="Return x / y, and 0 where x is 0.", page="math/xdivy"
)
sin = public(trigonometry.sin, "x", about="Return the sine of x in radians.", page="math/sin")
cos = public(trigonometry.cos, "x", about="Return the cosine of x in radians.", page="math/cos")
tan = public(trigonometry.tan, "x", about="Return the tangent of x in radians.", page="math/tan")
asin = public(
    trigonometry.asin, "x", about="Return the inverse sine, in radians.", page="math/asin"
)
acos = public(
    trigonometry.acos, "x", about="Return the inverse cosine, in radians.", page="math/acos"
)
atan = public(
    trigonometry.atan, "x", about="Return the inverse tangent, in radians.", page="math/atan"
)
atan2 = public(
    trigonometry.atan2,
    "y",
    "x",
    about="Return the angle of the point (x, y), from -π to π.",
    page="math/atan2",
)
sinh = public(trigonometry.sinh, "x", about="Return the hyperbolic sine.", page="math/sinh")
cosh = public(trigonometry.cosh, "x", about="Return the hyperbolic cosine.", page="math/cosh")
asinh = public(
    trigonometry.asinh, "x", about="Return the inverse hyperbolic sine.", page="math/asinh"
)
acosh = public(
    trigonometry.acosh, "x", about="Return the inverse hyperbolic cosine.", page="math/acosh"
)
atanh = public(
    trigonometry.atanh, "x", about="Return the inverse hyperbolic tangent.", page="math/atanh"
)

# --- comparison ---

less = public(
    comparison.less, "x", "y", about="Return whether x < y.", page="math/less", returns=_BOOL
)
less_equal = public(
    comparison.less_equal,
    "x",
    "y",
    about="Return whether x ≤ y.",
    page="math/less_equal",
    returns=_BOOL,
)
greater = public(
    comparison.greater, "x", "y", about="Return whether x > y.", page="math/greater", returns=_BOOL
)
greater_equal = public(
    comparison.greater_equal,
    "x",
    "y",
    about="Return whether x ≥ y.",
    page="math/greater_equal",
    returns=_BOOL,
)
equal = public(
    comparison.equal, "x", "y", about="Return whether x = y.", page="math/equal", returns=_BOOL
)
not_equal = public(
    comparison.not_equal,
    "x",
    "y",
    about="Return whether x ≠ y.",
    page="math/not_equal",
    returns=_BOOL,
)
logical_and = public(
    comparison.logical_and,
    "x",
    "y",
    about="Return whether x and y are both true.",
    page="math/logical_and",
)
logical_or = public(
    comparison.logical_or, "x", "y", about="Return whether x or y is true.", page="math/logical_or"
)
logical_xor = public(
    comparison.logical_xor,
    "x",
    "y",
    about="Return whether exactly one of x and y is true.",
    page="math/logical_xor",
)
logical_not = public(
    comparison.logical_not, "x", about="Return whether x is false.", page="math/logical_not"
)
is_nan = public(
    comparison.is_nan,
    "x",
    about="Return whether x is NaN.",
    page="math/is_nan",
    returns=_BOOL_OF_ONE,
)
is_inf = public(
    comparison.is_inf,
    "x",
    about="Return whether x is infinite.",
    page="math/is_inf",
    returns=_BOOL_OF_ONE,
)
is_finite = public(
    comparison.is_finite,
    "x",
    about="Return whether x is neither NaN nor infinite.",
    page="math/is_finite",
    returns=_BOOL_OF_ONE,
)
floor = public(comparison.floor, "x", about="Round down to an integer.", page="math/floor")
ceil = public(comparison.ceil, "x", about="Round up to an integer.", page="math/ceil")
rint = public(
    comparison.rint,
    "x",
    about="Round to the nearest integer. A number halfway between two integers is rounded to the even integer.",
    page="math/rint",
)

# A module that is imported when one of its names is first used.
_LATER = {
    "special_functions": (
        "bessel_i0",
        "bessel_i0e",
        "bessel_i1",
        "bessel_i1e",
        "betainc",
        "igamma",
        "igammac",
        "special",
    )
}

__getattr__ = with_submodules(__name__, _LATER, helpful_getattr(__name__))

__all__ = [
    "abs",
    "accumulate_n",
    "acos",
    "acosh",
    "add",
    "add_n",
    "angle",
    "argmax",
    "argmin",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bincount",
    "ceil",
    "confusion_matrix",
    "conj",
    "cos",
    "cosh",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "cumulative_logsumexp",
    "digamma",
    "divide",
    "divide_no_nan",
    "equal",
    "erf",
    "erfc",
    "erfcinv",
    "erfinv",
    "exp",
    "expm1",
    "floor",
    "floordiv",
    "floormod",
    "greater",
    "greater_equal",
    "imag",
    "in_top_k",
    "invert_permutation",
    "is_finite",
    "is_inf",
    "is_nan",
    "is_non_decreasing",
    "is_strictly_increasing",
    "l2_normalize",
    "lbeta",
    "less",
    "less_equal",
    "lgamma",
    "log",
    "log1p",
    "log_sigmoid",
    "log_softmax",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "multiply_no_nan",
    "ndtri",
    "negative",
    "nextafter",
    "not_equal",
    "polygamma",
    "polyval",
    "pow",
    "real",
    "reciprocal",
    "reciprocal_no_nan",
    "reduce_all",
    "reduce_any",
    "reduce_euclidean_norm",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_std",
    "reduce_sum",
    "reduce_variance",
    "rint",
    "round",
    "rsqrt",
    "scalar_mul",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "softmax",
    "softplus",
    "sqrt",
    "square",
    "squared_difference",
    "subtract",
    "tan",
    "tanh",
    "top_k",
    "truediv",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
    "xdivy",
    "xlog1py",
    "xlogy",
    "zeta",
    *chain.from_iterable(_LATER.values()),
]
