"""Initializers: functions from a shape to the initial value of a weight.

    Zeros, Ones, Constant              a constant, or the values of an array
    RandomNormal, RandomUniform        noise with a given scale
    GlorotUniform, GlorotNormal        noise that preserves the variance in the forward and the backward pass
    HeUniform, HeNormal                noise that preserves the variance before a ReLU, which sets half of the values to 0
    LecunUniform, LecunNormal          noise that preserves the variance in the forward pass
    VarianceScaling                    the general form of these six
    Orthogonal, Identity               matrices that preserve norms

Source: https://keras.io/api/layers/initializers/; Glorot & Bengio 2010, eq. 16; He et al. 2015, eq. 10.
"""

import math
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Ints, Value
from minitape.errors import InvalidArgumentError, TapeValueError, code_list
from minitape.keras import random, saving
from minitape.keras.config import float_dtype
from minitape.ops import creation
from minitape.ops.axes import as_ints, real_number
from minitape.ops.seeds import FixedSeed


class Initializer:
    """Base class of initializers, which are functions from a shape to the initial value of a weight.

    Source: https://keras.io/api/layers/initializers/
    """

    def __call__(self, shape: Any, dtype: Any = None) -> Value:
        """Return an initial value. Subclasses define this method.

        Args:
            shape: Shape of the weight.
            dtype: Dtype of the result; `floatx` (float32) by default.

        Returns:
            A tensor with the given shape and dtype.

        Raises:
            NotImplementedError: the class does not define `__call__`.
        """
        raise NotImplementedError(f"`{type(self).__name__}` has no `__call__(self, shape, dtype)`.")

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this initializer.

        Returns:
            A dict.
        """
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Initializer":
        """Create an initializer from the result of `get_config`.

        Args:
            config: The arguments.

        Returns:
            A new initializer.
        """
        return cls(**config)

    def clone(self) -> "Initializer":
        """Create an initializer with the same arguments.

        Returns:
            A new initializer.
        """
        return type(self).from_config(self.get_config())


class Zeros(Initializer):
    """Return a tensor of zeros.

    Source: https://keras.io/api/layers/initializers/#zeros-class
    """

    def __call__(self, shape: Any, dtype: Any = None) -> Value:
        return creation.zeros(shape, float_dtype(dtype))


class Ones(Initializer):
    """Return a tensor of ones.

    Source: https://keras.io/api/layers/initializers/#ones-class
    """

    def __call__(self, shape: Any, dtype: Any = None) -> Value:
        return creation.ones(shape, float_dtype(dtype))


class Constant(Initializer):
    """Return a constant number or array.

    Args:
        value: A number, or an array that broadcasts to the shape of the weight.

    Raises:
        InvalidArgumentError: the initializer is called with a shape to which the array does not broadcast.

    Source: https://keras.io/api/layers/initializers/#constant-class
    """

    def __init__(self, value: Any = 0.0) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> Value:
        wanted = float_dtype(dtype)
        sizes, numbers = as_ints(shape), np.asarray(self.value)
        if _broadcast(numbers.shape, sizes) != sizes:
            raise InvalidArgumentError(
                f"A constant of shape {numbers.shape} does not broadcast to a weight of shape {sizes}.",
                fix=f"use `Constant(array)` with an array of shape {sizes}",
                code="MT507",
            )
        return convert_to_tensor(np.array(np.broadcast_to(numbers, sizes), wanted.numpy))


def _broadcast(a: Ints, b: Ints) -> Ints | None:
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        return None


class RandomInitializer(Initializer):
    """Base class of random initializers.

    Args:
        seed: Integer seed, or a `SeedGenerator`. With an integer, or None for a random seed, every call returns the
            same values; with a `SeedGenerator` each call returns new ones.
    """

    def __init__(self, seed: Any = None) -> None:
        self.seed = random.checked_seed(seed)
        self._source = FixedSeed() if seed is None else seed


class RandomNormal(RandomInitializer):
    """Draw from a normal distribution.

    Args:
        mean: Mean of the distribution.
        stddev: Standard deviation of the distribution.
        seed: Integer seed, or a `SeedGenerator`. With an integer, or None for a random seed, every call returns the
            same values; with a `SeedGenerator` each call returns new ones.

    Source: https://keras.io/api/layers/initializers/#randomnormal-class
    """

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: Any = None) -> None:
        super().__init__(seed)
        self.mean, self.stddev = mean, stddev

    def __call__(self, shape: Any, dtype: Any = None) -> Value:
        return random.normal(shape, self.mean, self.stddev, dtype, self._source)


class RandomUniform(RandomInitializer):
    """Draw from a uniform distribution.

    Args:
        minval: Lower limit, included.
        maxval: Upper limit, excluded.
        seed: Integer seed, or a `SeedGenerator`. With an integer, or None for a random seed, every call returns the
            same values; with a `SeedGenerator` each call returns new ones.

    Source: https://keras.io/api/layers/initializers/#randomuniform-class
    """

    def __init__(self, minval: float = -0.05, maxval: float = 0.05, seed: Any = None) -> None:
        super().__init__(seed)
        self.minval, self.maxval = minval, maxval

    def __call__(self, shape: Any, dtype: Any = None) -> Value:
        return random.uniform(shape, self.minval, self.maxval, dtype, self._source)


class TruncatedNormal(RandomInitializer):
    """Draw from a normal distribution without values more than two standard deviations from the mean.

    Args:
        mean: Mean of the distribution.
        stddev: Standard deviation before the truncation.
        seed: Integer seed, or a `SeedGenerator`. With an integer, or None for a random seed, every call returns the
            same values; with a `SeedGenerator` each call returns new ones.

    Source: https://keras.io/api/layers/initializers/#truncatednormal-class
    """

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: Any = None) -> None:
        super().__init__(seed)
        self.mean, self.stddev = mean, stddev

    def __call__(self, shape: Any, dtype: Any = None) -> Value:
        return random.truncated_normal(shape, self.mean, self.stddev, dtype, self._source)


class Identity(Initializer):
    """Return an identity matrix times `gain`.

    Args:
        gain: Factor of the matrix.

    Raises:
        ValueError: the initializer is called with a shape whose rank is not 2.

    Source: https://keras.io/api/layers/initializers/#identity-class
    """

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = None) -> Value:
        sizes = as_ints(shape)
        if len(sizes) != 2:
            raise TapeValueError(
                "Identity matrix initializer can only be used for 2D matrices. "
                f"Received: shape={sizes} of rank {len(sizes)}.",
                fix="pass `shape=[rows, columns]`",
            )
        return convert_to_tensor(self.gain * np.eye(*sizes), float_dtype(dtype))


class Orthogonal(RandomInitializer):
    """Return a random matrix with orthogonal rows or columns of norm `gain`.

    Args:
        gain: Factor of the matrix.
        seed: Integer seed, or a `SeedGenerator`. With an integer, or None for a random seed, every call returns the
            same values; with a `SeedGenerator` each call returns new ones.

    Raises:
        ValueError: the initializer is called with a shape of rank below 2.

    Source: https://keras.io/api/layers/initializers/#orthogonal-class; Saxe, McClelland, Ganguli, arXiv 1312.6120.
    """

    def __init__(self, gain: float = 1.0, seed: Any = None) -> None:
        super().__init__(seed)
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = None) -> Value:
        sizes = as_ints(shape)
        if len(sizes) < 2:
            raise TapeValueError(
                "The tensor to initialize must be at least two-dimensional. "
                f"Received: shape={sizes} of rank {len(sizes)}.",
                fix="pass `shape=[rows, columns]`",
            )
        columns = sizes[-1]
        rows = math.prod(sizes[:-1])
        tall = (max(rows, columns), min(rows, columns))
        noise = random.normal(tall, 0.0, 1.0, dtypes.float64, self._source).numpy()
        q, r = np.linalg.qr(noise)
        q = q * np.sign(np.diag(r))  # makes all directions equally likely
        matrix = self.gain * (q if rows >= columns else q.T)
        return convert_to_tensor(matrix.reshape(sizes), float_dtype(dtype))


class VarianceScaling(RandomInitializer):
    """Draw random values whose variance is `scale` divided by the number of connections of a unit.

    Args:
        scale: Factor of the variance; positive.
        mode: Number of connections to divide by: "fan_in" (into a unit), "fan_out" (out of a unit) or "fan_avg"
            (their mean).
        distribution: "truncated_normal", "untruncated_normal" or "uniform".
        seed: Integer seed, or a `SeedGenerator`. With an integer, or None for a random seed, every call returns the
            same values; with a `SeedGenerator` each call returns new ones.
        input_axes: Axes of the shape that count connections into a unit; the second to last axis by default.
        output_axes: Axes of the shape that count connections out of a unit; the last axis by default.

    Raises:
        ValueError: `mode` or `distribution` is unknown, or `scale` is not positive.

    Source: https://keras.io/api/layers/initializers/#variancescaling-class
    """

    # The standard deviation of a standard normal distribution that is truncated at ±2.
    _after_the_cut = 0.87962566103423978

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: Any = None,
        input_axes: Any = None,
        output_axes: Any = None,
    ) -> None:
        if real_number(scale) <= 0:
            raise TapeValueError(
                f"Argument `scale` must be positive float. Received: scale={scale}",
                fix="pass `scale=1.0`",
            )
        _check_choice("mode", mode, ("fan_in", "fan_out", "fan_avg"))
        _check_choice(
            "distribution", distribution, ("truncated_normal", "untruncated_normal", "uniform")
        )
        super().__init__(seed)
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self.input_axes, self.output_axes = input_axes, output_axes

    def __call__(self, shape: Any, dtype: Any = None) -> Value:
        inward, outward = _fans(as_ints(shape), self.input_axes, self.output_axes)
        connections = {"fan_in": inward, "fan_out": outward, "fan_avg": (inward + outward) / 2}
        width = math.sqrt(self.scale / max(1.0, connections[self.mode]))
        if self.distribution == "uniform":
            limit = math.sqrt(3) * width
            return random.uniform(shape, -limit, limit, dtype, self._source)
        if self.distribution == "untruncated_normal":
            return random.normal(shape, 0.0, width, dtype, self._source)
        return random.truncated_normal(shape, 0.0, width / self._after_the_cut, dtype, self._source)


def _check_choice(what: str, choice: Any, choices: tuple[str, ...]) -> None:
    if choice not in choices:
        raise TapeValueError(
            f"Invalid `{what}` argument: {choice}. Please use one of {set(choices)}",
            fix=f'pass `{what}="{choices[0]}"`',
        )


class _Named(VarianceScaling):
    """Base class of initializers that fix the scale, mode and distribution of `VarianceScaling`."""

    settings: tuple[float, str, str]

    def __init__(self, seed: Any = None, input_axes: Any = None, output_axes: Any = None) -> None:
        super().__init__(*self.settings, seed, input_axes, output_axes)

    def get_config(self) -> dict[str, Any]:
        return {each: getattr(self, each) for each in ("seed", "input_axes", "output_axes")}


class GlorotUniform(_Named):
    """Draw from a uniform distribution with the variance 2 / (fan_in + fan_out).

    Args:
        seed: Integer seed, or a `SeedGenerator`. With an integer, or None for a random seed, every call returns the
            same values; with a `SeedGenerator` each call returns new ones.
        input_axes: Axes of the shape that count connections into a unit; the second to last axis by default.
        output_axes: Axes of the shape that count connections out of a unit; the last axis by default.

    Source: https://keras.io/api/layers/initializers/#glorotuniform-class; Glorot & Bengio 2010, eq. 16.
    """

    settings = (1.0, "fan_avg", "uniform")


class GlorotNormal(_Named):
    """Draw from a truncated normal distribution with the variance 2 / (fan_in + fan_out).

    Args:
        seed: Integer seed, or a `SeedGenerator`. With an integer, or None for a random seed, every call returns the
            same values; with a `SeedGenerator` each call returns new ones.
        input_axes: Axes of the shape that count connections into a unit; the second to last axis by default.
        output_axes: Axes of the shape that count connections out of a unit; the last axis by default.

    Source: https://keras.io/api/layers/initializers/#glorotnormal-class; Glorot & Bengio 2010.
    """

    settings = (1.0, "fan_avg", "truncated_normal")


class HeUniform(_Named):
    """Draw from a uniform distribution with the variance 2 / fan_in.

    Args:
        seed: Integer seed, or a `SeedGenerator`. With an integer, or None for a random seed, every call returns the
            same values; with a `SeedGenerator` each call returns new ones.
        input_axes: Axes of the shape that count connections into a unit; the second to last axis by default.
        output_axes: Axes of the shape that count connections out of a unit; the last axis by default.

    Source: https://keras.io/api/layers/initializers/#heuniform-class; He et al. 2015, eq. 10.
    """

    settings = (2.0, "fan_in", "uniform")


class HeNormal(_Named):
    """Draw from a truncated normal distribution with the variance 2 / fan_in.

    Args:
        seed: Integer seed, or a `SeedGenerator`. With an integer, or None for a random seed, every call returns the
            same values; with a `SeedGenerator` each call returns new ones.
        input_axes: Axes of the shape that count connections into a unit; the second to last axis by default.
        output_axes: Axes of the shape that count connections out of a unit; the last axis by default.

    Source: https://keras.io/api/layers/initializers/#henormal-class; He et al. 2015, eq. 10.
    """

    settings = (2.0, "fan_in", "truncated_normal")


class LecunUniform(_Named):
    """Draw from a uniform distribution with the variance 1 / fan_in.

    Args:
        seed: Integer seed, or a `SeedGenerator`. With an integer, or None for a random seed, every call returns the
            same values; with a `SeedGenerator` each call returns new ones.
        input_axes: Axes of the shape that count connections into a unit; the second to last axis by default.
        output_axes: Axes of the shape that count connections out of a unit; the last axis by default.

    Source: https://keras.io/api/layers/initializers/#lecununiform-class
    """

    settings = (1.0, "fan_in", "uniform")


class LecunNormal(_Named):
    """Draw from a truncated normal distribution with the variance 1 / fan_in.

    Args:
        seed: Integer seed, or a `SeedGenerator`. With an integer, or None for a random seed, every call returns the
            same values; with a `SeedGenerator` each call returns new ones.
        input_axes: Axes of the shape that count connections into a unit; the second to last axis by default.
        output_axes: Axes of the shape that count connections out of a unit; the last axis by default.

    Source: https://keras.io/api/layers/initializers/#lecunnormal-class
    """

    settings = (1.0, "fan_in", "truncated_normal")


def _fans(sizes: Ints, input_axes: Any, output_axes: Any) -> tuple[float, float]:
    """Return the number of connections into a unit, and out of a unit."""
    if input_axes is not None or output_axes is not None:
        inward = [axis % len(sizes) for axis in input_axes or ()]
        outward = [axis % len(sizes) for axis in output_axes or ()]
        rest = [n for axis, n in enumerate(sizes) if axis not in (*inward, *outward)]
        field = math.prod(rest)
        fan_in = field * math.prod(sizes[axis] for axis in inward)
        return float(fan_in), float(field * math.prod(sizes[axis] for axis in outward))
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
    "variance_scaling": VarianceScaling,
    "constant": Constant,
    "identity": Identity,
    "orthogonal": Orthogonal,
}

# Keras also exports the classes under these names.
zeros, ones, constant, identity, orthogonal = Zeros, Ones, Constant, Identity, Orthogonal
random_normal, random_uniform, truncated_normal = RandomNormal, RandomUniform, TruncatedNormal
glorot_uniform, glorot_normal = GlorotUniform, GlorotNormal
he_uniform, he_normal = HeUniform, HeNormal
lecun_uniform, lecun_normal = LecunUniform, LecunNormal
variance_scaling, IdentityInitializer, OrthogonalInitializer = VarianceScaling, Identity, Orthogonal


def get(identifier: Any) -> Any:
    """Return the initializer for an identifier.

    Args:
        identifier: An initializer, a class, a function of a shape, an array, a name such as "zeros", or None.

    Returns:
        A function that maps a shape to a value; None if `identifier` is None.

    Raises:
        ValueError: no initializer has that name.
    """
    if isinstance(identifier, str):
        named = {kind.__name__: kind for kind in _BY_NAME.values()}
        kind = _BY_NAME.get(identifier.lower()) or named.get(identifier)
        if kind is not None:
            return kind()
    if isinstance(identifier, type):
        return identifier()
    if isinstance(identifier, np.ndarray):
        return Constant(identifier)
    if identifier is None or callable(identifier):
        return identifier
    raise TapeValueError(
        f"Could not interpret initializer identifier: {identifier}",
        fix=f"use one of {code_list(_BY_NAME)}, or a function of a shape",
    )


def another(initializer: Any) -> Any:
    """Create an initializer with the same arguments but other random values, so that two weights get different values.

    Args:
        initializer: The initializer.

    Returns:
        A new initializer; another object is returned unchanged.
    """
    return initializer.clone() if isinstance(initializer, Initializer) else initializer


def serialize(initializer: Any) -> Any:
    """Convert an initializer to a dict of plain values.

    Args:
        initializer: The initializer.

    Returns:
        A dict that `deserialize` reads.
    """
    return saving.serialize_keras_object(initializer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Create an initializer from the result of `serialize`, or from its name.

    Args:
        config: The dict that `serialize` returned, or a name.
        custom_objects: Dict from names to classes or functions that are not part of Keras.

    Returns:
        An initializer.

    Raises:
        TypeError: the class name is unknown.
        ValueError: `get` does not recognize the name.
    """
    return saving.made_from(config, "keras.initializers", get, custom_objects)
