"""`tf.math.special`, and the names of `tf.math` that few programs use: imported when one of them is first used."""

from minitape.core.primitive import public
from minitape.lazy_namespace import telling
from minitape.ops.functions import bessel, gammas, integrals

bessel_i0 = public(bessel.bessel_i0, "x")
bessel_i0e = public(bessel.bessel_i0e, "x")
bessel_i1 = public(bessel.bessel_i1, "x")
bessel_i1e = public(bessel.bessel_i1e, "x")
bessel_j0 = public(bessel.bessel_j0, "x")
bessel_j1 = public(bessel.bessel_j1, "x")
bessel_k0 = public(bessel.bessel_k0, "x")
bessel_k0e = public(bessel.bessel_k0e, "x")
bessel_k1 = public(bessel.bessel_k1, "x")
bessel_k1e = public(bessel.bessel_k1e, "x")
bessel_y0 = public(bessel.bessel_y0, "x")
bessel_y1 = public(bessel.bessel_y1, "x")
dawsn = public(integrals.dawsn, "x")
expint = public(integrals.expint, "x")
fresnel_cos = public(integrals.fresnel_cos, "x")
fresnel_sin = public(integrals.fresnel_sin, "x")
spence = public(integrals.spence, "x")
# These are only in tf.math.
igamma = public(gammas.igamma, "a", "x")
igammac = public(gammas.igammac, "a", "x")
betainc = public(gammas.betainc, "a", "b", "x")

__getattr__ = telling(__name__)

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
