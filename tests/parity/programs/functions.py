"""Special functions: near 0, at 0, far out, and where they change their formula; first and second order, forward mode."""

from typing import Any

import numpy as np

from programs.case import Case, rounds, table
from programs.slopes import slopes

ALL = [-3.0, -1.0, -1e-3, 1e-9, 1e-3, 0.3, 0.5, 1.5, 2.0, 5.0, 5.9, 7.5, 8.1, 15.0, 25.0, 39.9]
ALL += [40.1, 55.0]
POSITIVE = [each for each in ALL if each > 1e-6]
EDGES = [0.0, np.nan]

FUNCTIONS = {
    **{f"bessel_{name}": ALL for name in ("i0e", "i1e", "j0", "j1")},
    **{f"bessel_{name}": ALL[:14] for name in ("i0", "i1")},
    **{f"bessel_{name}": POSITIVE for name in ("k0", "k0e", "k1", "k1e", "y0", "y1")},
    "dawsn": ALL,
    "expint": POSITIVE,
    "fresnel_cos": ALL,
    "fresnel_sin": ALL,
    "spence": POSITIVE,
}

SHAPES = np.exp(np.random.default_rng(0).uniform(-3, 3.5, (3, 24))).round(4)
A, B, X = SHAPES.tolist()
PARTS = np.random.default_rng(1).uniform(0.01, 0.99, 24).round(4).tolist()

# Both sum series of dozens of terms, by other formulas; slopes are differences of such sums.
SERIES = rounds(1e-11, "series and continued fractions of dozens of terms, by other formulas")
SERIES_32 = rounds(2e-5, "TensorFlow's are polynomials of float32; minitape computes in float64")


def _values(name: str, points: list[float], dtype: str) -> Any:
    def program(tf: Any, np: Any) -> Any:
        return getattr(tf.math.special, name)(tf.constant(points, getattr(tf, dtype)))

    return program


def igamma_at_its_edges(tf: Any, np: Any) -> Any:
    a = tf.constant([0.0, 1.0, -1.0, 1.0, 1.0, 0.0, np.inf, 1.0, 1e-3], tf.float64)
    x = tf.constant([1.0, 0.0, 1.0, -1.0, np.inf, 0.0, 1.0, np.nan, 0.5], tf.float64)
    return [tf.math.igamma(a, x), tf.math.igammac(a, x)]


def betainc_at_its_edges(tf: Any, np: Any) -> Any:
    a = tf.constant([3.0, 1.0, 0.0, -1.0, 1.0, 1.0, 2.0], tf.float64)
    b = tf.constant([3.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0], tf.float64)
    x = tf.constant([0.0, 1.0, 0.5, 0.5, 1.5, -0.1, 0.5], tf.float64)
    return tf.math.betainc(a, b, x)


def they_broadcast(tf: Any, np: Any) -> Any:
    a, x = tf.constant([[0.5], [2.0]]), tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch([a, x])
        y = tf.math.igamma(a, x)
    return [y, tape.gradient(y, [a, x])]


def the_slope_by_x_can_be_differentiated(tf: Any, np: Any) -> Any:
    """The one by a cannot: of a sum of both the second order is refused, of that by x alone it is not."""
    x = tf.constant([0.5, 2.0], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.math.betainc(tf.constant(2.0, tf.float64), tf.constant(3.0, tf.float64), x / 4)
        slope = inner.gradient(y, x)
    return [y, slope, outer.gradient(slope, x)]


def refused_for_whole_numbers(tf: Any, np: Any) -> Any:
    return tf.math.bessel_i0(tf.constant([1, 2]))


TABLE: tuple[Case, ...] = table(
    {
        **{
            name: SERIES(slopes(lambda tf, x, name=name: getattr(tf.math.special, name)(x), points))
            for name, points in FUNCTIONS.items()
        },
        **{
            f"{name}_of_float32": SERIES_32(_values(name, points[:13], "float32"))
            for name, points in FUNCTIONS.items()
            if not name.startswith("fresnel")
        },
        **{f"{name}_at_edges": _values(name, EDGES, "float64") for name in FUNCTIONS},
        **{
            name: SERIES(slopes(lambda tf, a, x, name=name: getattr(tf.math, name)(a, x), A, X))
            for name in ("igamma", "igammac")
        },
        "betainc": SERIES(slopes(lambda tf, a, b, x: tf.math.betainc(a, b, x), A, B, PARTS)),
        "igamma_of_float32": SERIES_32(
            slopes(
                lambda tf, a, x: tf.math.igamma(a, x),
                A,
                X,
                dtype="float32",
                second=False,
                forward=False,
            )
        ),
    }
)
