"""`tf.math`: elementwise arithmetic and reductions.

A primitive returns arrays for arrays, because its rules run on them. `public` wraps it for users: with TensorFlow's parameter
names, and tensors as results.
"""

from itertools import chain

from minitape.core.primitive import public
from minitape.lazy_namespace import telling, with_pages
from minitape.ops import arithmetic, comparing, exponential, extremes, trigonometry
from minitape.ops import special as beyond_elementary
from minitape.ops.activations import log_softmax, softmax
from minitape.ops.arithmetic import accumulate_n, add_n, reciprocal_no_nan, scalar_mul
from minitape.ops.arithmetic import divide_no_nan_for_users as divide_no_nan
from minitape.ops.broadcasting import reduce_mean, reduce_sum
from minitape.ops.comparing import round
from minitape.ops.complexes import abs, angle, conj, imag, real, sign
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
from minitape.ops.extremes import (
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

# --- arithmetic ---

add = public(arithmetic.add, "x", "y")
subtract = public(arithmetic.subtract, "x", "y")
multiply = public(arithmetic.multiply, "x", "y")
divide = public(arithmetic.divide, "x", "y")
truediv = divide
floordiv = public(arithmetic.floordiv, "x", "y")
floormod = public(arithmetic.floormod, "x", "y")
mod = floormod
truncatediv = public(arithmetic.truncatediv, "x", "y")
truncatemod = public(arithmetic.truncatemod, "x", "y")
multiply_no_nan = public(arithmetic.multiply_no_nan, "x", "y")
reciprocal = public(arithmetic.reciprocal, "x")
nextafter = public(arithmetic.nextafter, "x1", "x2")
pow = public(arithmetic.pow, "x", "y")
square = public(arithmetic.square, "x")
squared_difference = public(arithmetic.squared_difference, "x", "y")
sqrt = public(arithmetic.sqrt, "x")
rsqrt = public(arithmetic.rsqrt, "x")
negative = public(arithmetic.negative, "x")
maximum = public(extremes.maximum, "x", "y")
minimum = public(extremes.minimum, "x", "y")

# --- functions ---

exp = public(exponential.exp, "x")
expm1 = public(exponential.expm1, "x")
log = public(exponential.log, "x")
log1p = public(exponential.log1p, "x")
sigmoid = public(exponential.sigmoid, "x")
tanh = public(exponential.tanh, "x")
softplus = public(exponential.softplus, "features")
erf = public(exponential.erf, "x")
erfc = public(exponential.erfc, "x")
lgamma = public(beyond_elementary.lgamma, "x")
digamma = public(beyond_elementary.digamma, "x")
polygamma = public(beyond_elementary.polygamma, "a", "x")
zeta = public(beyond_elementary.zeta, "x", "q")
erfinv = public(beyond_elementary.erfinv, "x")
ndtri = public(beyond_elementary.ndtri, "x")
xlogy = public(beyond_elementary.xlogy, "x", "y")
xlog1py = public(beyond_elementary.xlog1py, "x", "y")
xdivy = public(beyond_elementary.xdivy, "x", "y")
sin = public(trigonometry.sin, "x")
cos = public(trigonometry.cos, "x")
tan = public(trigonometry.tan, "x")
asin = public(trigonometry.asin, "x")
acos = public(trigonometry.acos, "x")
atan = public(trigonometry.atan, "x")
atan2 = public(trigonometry.atan2, "y", "x")
sinh = public(trigonometry.sinh, "x")
cosh = public(trigonometry.cosh, "x")
asinh = public(trigonometry.asinh, "x")
acosh = public(trigonometry.acosh, "x")
atanh = public(trigonometry.atanh, "x")

# --- comparison ---

less = public(comparing.less, "x", "y")
less_equal = public(comparing.less_equal, "x", "y")
greater = public(comparing.greater, "x", "y")
greater_equal = public(comparing.greater_equal, "x", "y")
equal = public(comparing.equal, "x", "y")
not_equal = public(comparing.not_equal, "x", "y")
logical_and = public(comparing.logical_and, "x", "y")
logical_or = public(comparing.logical_or, "x", "y")
logical_xor = public(comparing.logical_xor, "x", "y")
logical_not = public(comparing.logical_not, "x")
is_nan = public(comparing.is_nan, "x")
is_inf = public(comparing.is_inf, "x")
is_finite = public(comparing.is_finite, "x")
floor = public(comparing.floor, "x")
ceil = public(comparing.ceil, "x")
rint = public(comparing.rint, "x")

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

__getattr__ = with_pages(__name__, _LATER, telling(__name__))

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
