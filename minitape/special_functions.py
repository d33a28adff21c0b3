"""`tf.math.special`, and the rarely used names of `tf.math`. The module is imported when one of them is first used."""

from minitape.core.primitive import public
from minitape.lazy_namespace import helpful_getattr
from minitape.ops.functions import bessel, gammas, integrals

bessel_i0 = public(
    bessel.bessel_i0,
    "x",
    about="Return the modified Bessel function of the first kind of order 0.",
    page="math/special/bessel_i0",
)
bessel_i0e = public(
    bessel.bessel_i0e, "x", about="Return e^-|x| times `bessel_i0`.", page="math/special/bessel_i0e"
)
bessel_i1 = public(
    bessel.bessel_i1,
    "x",
    about="Return the modified Bessel function of the first kind of order 1.",
    page="math/special/bessel_i1",
)
bessel_i1e = public(
    bessel.bessel_i1e, "x", about="Return e^-|x| times `bessel_i1`.", page="math/special/bessel_i1e"
)
bessel_j0 = public(
    bessel.bessel_j0,
    "x",
    about="Return the Bessel function of the first kind of order 0.",
    page="math/special/bessel_j0",
)
bessel_j1 = public(
    bessel.bessel_j1,
    "x",
    about="Return the Bessel function of the first kind of order 1.",
    page="math/special/bessel_j1",
)
bessel_k0 = public(
    bessel.bessel_k0,
    "x",
    about="Return the modified Bessel function of the second kind of order 0.",
    page="math/special/bessel_k0",
)
bessel_k0e = public(
    bessel.bessel_k0e, "x", about="Return eˣ times `bessel_k0`.", page="math/special/bessel_k0e"
)
bessel_k1 = public(
    bessel.bessel_k1,
    "x",
    about="Return the modified Bessel function of the second kind of order 1.",
    page="math/special/bessel_k1",
)
bessel_k1e = public(
    bessel.bessel_k1e, "x", about="Return eˣ times `bessel_k1`.", page="math/special/bessel_k1e"
)
bessel_y0 = public(
    bessel.bessel_y0,
    "x",
    about="Return the Bessel function of the second kind of order 0.",
    page="math/special/bessel_y0",
)
bessel_y1 = public(
    bessel.bessel_y1,
    "x",
    about="Return the Bessel function of the second kind of order 1.",
    page="math/special/bessel_y1",
)
dawsn = public(integrals.dawsn, "x", about="Return Dawson's integral.", page="math/special/dawsn")
expint = public(
    integrals.expint, "x", about="Return the exponential integral.", page="math/special/expint"
)
fresnel_cos = public(
    integrals.fresnel_cos,
    "x",
    about="Return Fresnel's cosine integral.",
    page="math/special/fresnel_cos",
)
fresnel_sin = public(
    integrals.fresnel_sin,
    "x",
    about="Return Fresnel's sine integral.",
    page="math/special/fresnel_sin",
)
spence = public(
    integrals.spence,
    "x",
    about="Return Spence's integral, the dilogarithm of 1 - x.",
    page="math/special/spence",
)
# These are only in tf.math.
igamma = public(
    gammas.igamma,
    "a",
    "x",
    about="Return the lower regularized incomplete gamma function.",
    page="math/igamma",
)
igammac = public(
    gammas.igammac,
    "a",
    "x",
    about="Return the upper regularized incomplete gamma function.",
    page="math/igammac",
)
betainc = public(
    gammas.betainc,
    "a",
    "b",
    "x",
    about="Return the regularized incomplete beta function.",
    page="math/betainc",
)

__getattr__ = helpful_getattr(__name__)

__all__ = [
    "bessel_i0",
    "bessel_i0e",
    "bessel_i1",
    "bessel_i1e",
    "bessel_j0",
    "bessel_j1",
    "bessel_k0",
    "bessel_k0e",
    "bessel_k1",
    "bessel_k1e",
    "bessel_y0",
    "bessel_y1",
    "dawsn",
    "expint",
    "fresnel_cos",
    "fresnel_sin",
    "spence",
]
