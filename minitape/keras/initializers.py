"""First values of weights: each initializer is called with a shape.

    Zeros, Ones, Constant              the same number everywhere
    RandomNormal, RandomUniform        noise of a given size
    GlorotUniform, GlorotNormal        noise whose size keeps signals alive forwards and backwards
    HeUniform, HeNormal                the same behind a relu, which lets half of them through
    LecunUniform, LecunNormal          noise whose size keeps signals alive forwards
    Orthogonal, Identity               matrices that keep lengths

Source: https://keras.io/api/layers/initializers/; Glorot & Bengio 2010, eq. 16; He et al. 2015, eq. 10.
"""

import math
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import Tensor
from minitape.errors import TapeValueError
from minitape.ops import making, random
from minitape.ops.axes import as_ints
from minitape.ops.passing import cast


class Initializer:
    """Makes the first value of a weight."""

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """A tensor of `shape`; float32 by default."""
        raise NotImplementedError


class Zeros(Initializer):
    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        return making.zeros(shape, dtype or dtypes.float32)


class Ones(Initializer):
    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        return making.ones(shape, dtype or dtypes.float32)


class Constant(Initializer):
    def __init__(self, value: Any = 0.0) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        constant: Tensor = cast(making.fill(shape, self.value), dtype or dtypes.float32)
        return constant


class RandomNormal(Initializer):
    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: Any = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        return random.normal(shape, self.mean, self.stddev, dtype or dtypes.float32, self.seed)


class RandomUniform(Initializer):
    def __init__(self, minval: float = -0.05, maxval: float = 0.05, seed: Any = None) -> None:
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        return random.uniform(shape, self.minval, self.maxval, dtype or dtypes.float32, self.seed)


class TruncatedNormal(Initializer):
    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: Any = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        wanted = dtype or dtypes.float32
        return random.truncated_normal(shape, self.mean, self.stddev, wanted, self.seed)


class Identity(Initializer):
    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        rows, columns = as_ints(shape)
        return convert_to_tensor(self.gain * np.eye(rows, columns), dtype or dtypes.float32)


class Orthogonal(Initializer):
    """Saxe, McClelland, Ganguli, arXiv 1312.6120: rows, or columns, at right angles and of length `gain`."""

    def __init__(self, gain: float = 1.0, seed: Any = None) -> None:
        self.gain, self.seed = gain, seed

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        sizes = as_ints(shape)
        columns = sizes[-1]
        rows = math.prod(sizes[:-1])
        tall = (max(rows, columns), min(rows, columns))
        noise = random.normal(tall, dtype=dtypes.float64, seed=self.seed).numpy()
        q, r = np.linalg.qr(noise)
        q = q * np.sign(np.diag(r))  # so that no direction is likelier than another
        matrix = self.gain * (q if rows >= columns else q.T)
        return convert_to_tensor(matrix.reshape(sizes), dtype or dtypes.float32)


class _Scaled(Initializer):
    """Noise whose variance is a share of the number of connections."""

    numerator = 2.0

    def __init__(self, seed: Any = None) -> None:
        self.seed = seed

    def _variance(self, shape: Any) -> float:
        inward, outward = _fans(shape)
        return self.numerator / max(1.0, self._connections(inward, outward))

    def _connections(self, inward: float, outward: float) -> float:
        return inward + outward


class _ByInputs(_Scaled):
    def _connections(self, inward: float, outward: float) -> float:
        return inward


class _UniformNoise(_Scaled):
    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        limit = math.sqrt(3 * self._variance(shape))
        return random.uniform(shape, -limit, limit, dtype or dtypes.float32, self.seed)


class _NormalNoise(_Scaled):
    # Cutting the ends of the bell curve off at two deviations leaves this much of one.
    _after_the_cut = 0.87962566103423978

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        width = math.sqrt(self._variance(shape)) / self._after_the_cut
        return random.truncated_normal(shape, 0.0, width, dtype or dtypes.float32, self.seed)


class GlorotUniform(_UniformNoise):
    pass


class GlorotNormal(_NormalNoise):
    pass


class HeUniform(_ByInputs, _UniformNoise):
    pass


class HeNormal(_ByInputs, _NormalNoise):
    pass


class LecunUniform(_ByInputs, _UniformNoise):
    numerator = 1.0


class LecunNormal(_ByInputs, _NormalNoise):
    numerator = 1.0


def _fans(shape: Any) -> tuple[float, float]:
    """How many connections lead into a unit, and how many out of one."""
    sizes = as_ints(shape)
    if len(sizes) < 2:
        size = float(sizes[0]) if sizes else 1.0
        return size, size
    field = math.prod(sizes[:-2])
    return float(sizes[-2] * field), float(sizes[-1] * field)


_BY_NAME: dict[str, type[Initializer]] = {
    "zeros": Zeros,
    "ones": Ones,
    "random_normal": RandomNormal,
    "normal": RandomNormal,
    "random_uniform": RandomUniform,
    "uniform": RandomUniform,
    "glorot_uniform": GlorotUniform,
    "glorot_normal": GlorotNormal,
    "he_uniform": HeUniform,
    "he_normal": HeNormal,
    "lecun_uniform": LecunUniform,
    "lecun_normal": LecunNormal,
    "truncated_normal": TruncatedNormal,
    "constant": Constant,
    "identity": Identity,
    "orthogonal": Orthogonal,
}

# Keras has the classes under these names too.
zeros, ones, constant, identity, orthogonal = Zeros, Ones, Constant, Identity, Orthogonal
random_normal, random_uniform, truncated_normal = RandomNormal, RandomUniform, TruncatedNormal
glorot_uniform, glorot_normal = GlorotUniform, GlorotNormal
he_uniform, he_normal = HeUniform, HeNormal
lecun_uniform, lecun_normal = LecunUniform, LecunNormal


def get(identifier: Any) -> Any:
    """The initializer that a user means: an object, a class, a function of a shape, or a name.

    Raises:
        ValueError: there is no such name.
    """
    if isinstance(identifier, str) and identifier.lower() in _BY_NAME:
        return _BY_NAME[identifier.lower()]()
    named = {kind.__name__: kind for kind in _BY_NAME.values()}
    if isinstance(identifier, str) and identifier in named:
        return named[identifier]()
    if isinstance(identifier, type):
        return identifier()
    if callable(identifier):
        return identifier
    raise TapeValueError(
        f"Could not interpret initializer identifier: {identifier}",
        fix=f"one of {', '.join(_BY_NAME)}, or a function of a shape",
    )
