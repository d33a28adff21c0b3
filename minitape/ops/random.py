"""Random numbers.

    normal, truncated_normal, uniform    from the program's generator, which `set_seed` resets
    stateless_normal, stateless_uniform  the same numbers whenever the seed is the same
    categorical, shuffle                 draw from given values; not differentiable
    Generator                            a separate generator

A mean, a standard deviation or a limit that is a tensor gets a gradient, because the result is noise · stddev + mean.

Unlike in TensorFlow, the numbers come from NumPy's generator, so they differ for the same seed.

Source: https://www.tensorflow.org/api_docs/python/tf/random; Kingma & Welling, arXiv 1312.6114, section 2.4.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.core import dtypes, nest
from minitape.core.convert import as_array, as_operand, convert_to_tensor, is_engine_value
from minitape.core.declaration import ANY, no_gradient
from minitape.core.primitive import Primitive
from minitape.core.tensor import Tensor
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError, TapeTypeError, TapeValueError
from minitape.ops.axes import as_sizes, whole_number
from minitape.ops.creation import made
from minitape.ops.seeds import source, stateless

if TYPE_CHECKING:
    # Imported only for type checking: NumPy loads its generators when they are first used, and most programs use none.
    from numpy.random import Generator as NumpyGenerator

Draw = Callable[["NumpyGenerator", Ints], Array]


def set_seed(seed: Any) -> None:
    """Reset the program's generator, so that the random numbers are the same in every run.

    Args:
        seed: An integer.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/set_seed
    """
    source.start(None if seed is None else whole_number(seed))


# --- distributions ---


def _numbers(value: Any) -> Array:
    """Return a limit, mean or standard deviation as an array.

    Raises:
        TypeError: it is not a number.
    """
    array = as_array(value, None)
    if dtypes.kind_of(array.dtype) not in "biuf":
        raise TapeTypeError(f"Expected a number, but got {value!r}.", fix="pass a `float`")
    return array


def _normal(generator: "NumpyGenerator", shape: Ints) -> Array:
    return np.asarray(generator.standard_normal(shape))


def _truncated(generator: "NumpyGenerator", shape: Ints) -> Array:
    """Draw again each number more than two standard deviations from the mean."""
    numbers = _normal(generator, shape)
    outside = abs(numbers) > 2
    while outside.any():
        numbers[outside] = generator.standard_normal(int(outside.sum()))
        outside = abs(numbers) > 2
    return numbers


def _uniform(generator: "NumpyGenerator", shape: Ints) -> Array:
    return np.asarray(generator.random(shape))


def _whole(low: Any, high: Any, dtype: dtypes.DType) -> Draw:
    if high is None:
        raise TapeValueError(
            f"Must specify maxval for integer dtype {dtype.name}.",
            fix="pass `maxval=10` for the numbers from 0 to 9",
        )
    least, limit = whole_number(low), whole_number(high)
    if least >= limit:
        raise InvalidArgumentError(
            f"Need minval < maxval, got {least} >= {limit}.", fix="pass `minval=0, maxval=10`"
        )
    return lambda generator, shape: np.asarray(generator.integers(least, limit, shape))


def _made(numbers: Array, dtype: dtypes.DType, how: str) -> Tensor:
    return made(np.asarray(numbers).astype(dtype.numpy), how)


def _placed(
    draw: Draw,
    generator: "NumpyGenerator",
    shape: Any,
    mean: Any,
    stddev: Any,
    dtype: Any,
    how: str,
) -> Value:
    """Return noise · stddev + mean, computed by ops if a gradient may be requested for one of them."""
    wanted = dtypes.as_dtype(dtype)
    if any(map(is_engine_value, nest.flatten([mean, stddev]))):
        width, middle = convert_to_tensor(stddev, wanted), convert_to_tensor(mean, wanted)
        return _made(draw(generator, as_sizes(shape)), wanted, how) * width + middle
    middle, width = _numbers(mean), _numbers(stddev)
    return _made(middle + width * draw(generator, as_sizes(shape)), wanted, how)


def _between(
    generator: "NumpyGenerator", shape: Any, low: Any, high: Any, dtype: Any, how: str
) -> Value:
    """Return noise · (high - low) + low, or integers."""
    wanted = dtypes.as_dtype(dtype)
    if wanted.is_integer:
        return _made(_whole(low, high, wanted)(generator, as_sizes(shape)), wanted, how)
    top = 1.0 if high is None else high
    if any(map(is_engine_value, nest.flatten([low, top]))):
        bottom = convert_to_tensor(low, wanted)
        width = convert_to_tensor(top, wanted) - bottom
    else:
        bottom = _numbers(low)
        width = _numbers(top) - bottom
    return _placed(_uniform, generator, shape, bottom, width, wanted, how)


# --- from the program's generator ---


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Value:
    """Draw numbers from a normal distribution.

    Args:
        shape: The shape of the result.
        mean: The mean; broadcasts to `shape`.
        stddev: The standard deviation, which broadcasts to `shape`.
        dtype: A float dtype.
        seed: An integer, which is combined with the seed of `set_seed`.
        name: Ignored.

    Returns:
        A tensor of shape `shape` and dtype `dtype`.

    Unlike in TensorFlow, the numbers for a seed come from NumPy's generator.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/normal
    """
    generator = source.generator_for(seed)
    return _placed(_normal, generator, shape, mean, stddev, dtype, "tf.random.normal")


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Value:
    """Draw numbers from a normal distribution, within two standard deviations of the mean.

    Args:
        shape: The shape of the result.
        mean: The mean; broadcasts to `shape`.
        stddev: The standard deviation before truncation.
        dtype: A float dtype.
        seed: An integer, which is combined with the seed of `set_seed`.
        name: Ignored.

    Returns:
        A tensor of shape `shape` and dtype `dtype`.

    Unlike in TensorFlow, the numbers for a seed come from NumPy's generator.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/truncated_normal
    """
    generator = source.generator_for(seed)
    how = "tf.random.truncated_normal"
    return _placed(_truncated, generator, shape, mean, stddev, dtype, how)


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Value:
    """Draw uniformly distributed numbers between two limits.

    Args:
        shape: The shape of the result.
        minval: The lower limit, included.
        maxval: The upper limit, excluded; 1 by default, and required for integers.
        dtype: A float or integer dtype.
        seed: An integer, which is combined with the seed of `set_seed`.
        name: Ignored.

    Returns:
        A tensor of shape `shape` and dtype `dtype`.

    Raises:
        ValueError: the dtype is an integer dtype, and `maxval` is missing.

    Unlike in TensorFlow, the numbers for a seed come from NumPy's generator.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/uniform
    """
    generator = source.generator_for(seed)
    return _between(generator, shape, minval, maxval, dtype, "tf.random.uniform")


# --- the same numbers for the same seed ---


def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: str = "auto_select",
) -> Value:
    """Draw numbers from a normal distribution; the same `seed` always returns the same result.

    Args:
        shape: The shape of the result.
        seed: Two integers.
        mean: The mean; broadcasts to `shape`.
        stddev: The standard deviation, which broadcasts to `shape`.
        dtype: A float dtype.
        name: Ignored.
        alg: Ignored.

    Returns:
        A tensor of shape `shape` and dtype `dtype`.

    Unlike in TensorFlow, the numbers for a seed come from NumPy's generator.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/stateless_normal
    """
    how = "tf.random.stateless_normal"
    return _placed(_normal, stateless(seed), shape, mean, stddev, dtype, how)


def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: str = "auto_select",
) -> Value:
    """Draw numbers from a truncated normal distribution; the same `seed` always returns the same result.

    Args:
        shape: The shape of the result.
        seed: Two integers.
        mean: The mean; broadcasts to `shape`.
        stddev: The standard deviation before truncation to two standard deviations.
        dtype: A float dtype.
        name: Ignored.
        alg: Ignored.

    Returns:
        A tensor of shape `shape` and dtype `dtype`.

    Unlike in TensorFlow, the numbers for a seed come from NumPy's generator.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/stateless_truncated_normal
    """
    how = "tf.random.stateless_truncated_normal"
    return _placed(_truncated, stateless(seed), shape, mean, stddev, dtype, how)


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: str = "auto_select",
) -> Value:
    """Draw uniformly distributed numbers between two limits; the same `seed` always returns the same result.

    Args:
        shape: The shape of the result.
        seed: Two integers.
        minval: The lower limit, included.
        maxval: The upper limit, excluded; 1 by default, and required for integers.
        dtype: A float or integer dtype.
        name: Ignored.
        alg: Ignored.

    Returns:
        A tensor of shape `shape` and dtype `dtype`.

    Unlike in TensorFlow, the numbers for a seed come from NumPy's generator.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/stateless_uniform
    """
    how = "tf.random.stateless_uniform"
    return _between(stateless(seed), shape, minval, maxval, dtype, how)


# --- drawing from given values ---


def _categorical_kernel(
    logits: Array, *, num_samples: int, generator: "NumpyGenerator", dtype: Any
) -> Array:
    """Draw classes as the index of the maximum of logits plus Gumbel noise, which has the required distribution."""
    noise = generator.gumbel(size=(logits.shape[0], num_samples, logits.shape[1]))
    return np.argmax(logits[:, np.newaxis, :] + noise, axis=-1).astype(dtype)


_categorical: Primitive = Primitive(
    "Multinomial",
    _categorical_kernel,
    vjp=no_gradient(
        reason="its result is the index of a drawn class, which stays constant or jumps"
    ),
    dtype_kinds="fiu",
)


def categorical(
    logits: Value,
    num_samples: Any,
    dtype: Any = None,
    seed: Any = None,
    name: str | None = None,
) -> Value:
    """Draw classes with the probabilities softmax(logits).

    Args:
        logits: A tensor of shape [rows, classes]: unnormalized log-probabilities.
        num_samples: The number of draws for each row.
        dtype: int64 by default.
        seed: An integer, which is combined with the seed of `set_seed`.
        name: Ignored.

    Returns:
        A tensor of shape [rows, num_samples].

    Gradient: There is none.

    Unlike in TensorFlow, the numbers for a seed come from NumPy's generator.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/categorical
    """
    return _categorical(
        as_operand(logits),
        num_samples=whole_number(num_samples),
        generator=source.generator_for(seed),
        dtype=dtypes.as_dtype(dtype or dtypes.int64).numpy,
    )


_shuffle: Primitive = Primitive(
    "RandomShuffle",
    lambda x, *, generator: generator.permutation(x, axis=0),
    vjp=no_gradient(reason="TensorFlow defines no gradient for `shuffle`"),
    dtype_kinds=ANY,
)


def shuffle(value: Value, seed: Any = None, name: str | None = None) -> Value:
    """Return the rows of `value` in random order.

    Args:
        value: A tensor of rank at least 1.
        seed: An integer, which is combined with the seed of `set_seed`.
        name: Ignored.

    Returns:
        A tensor with the shape and dtype of `value`.

    Gradient: There is none. `tf.gather(x, tf.random.shuffle(tf.range(n)))` has one.

    Unlike in TensorFlow, the same seed gives a different order.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/shuffle
    """
    return _shuffle(as_operand(value), generator=source.generator_for(seed))


class Generator:
    """A random number generator with its own state.

    Unlike in TensorFlow, the numbers for a seed come from NumPy's generator.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/Generator
    """

    def __init__(self, generator: "NumpyGenerator") -> None:
        self._generator = generator

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> "Generator":
        """Return a generator with a given seed.

        Args:
            seed: An integer.
            alg: Ignored.
        """
        return cls(np.random.default_rng(int(seed)))

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> "Generator":
        """Return a generator whose numbers differ in every run.

        Args:
            alg: Ignored.
        """
        return cls(np.random.default_rng())

    def normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Value:
        """Return the result of `tf.random.normal`, drawn with this generator."""
        how = "Generator.normal"
        return _placed(_normal, self._generator, shape, mean, stddev, dtype, how)

    def truncated_normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Value:
        """Return the result of `tf.random.truncated_normal`, drawn with this generator."""
        how = "Generator.truncated_normal"
        return _placed(_truncated, self._generator, shape, mean, stddev, dtype, how)

    def uniform(
        self,
        shape: Any,
        minval: Any = 0,
        maxval: Any = None,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Value:
        """Return the result of `tf.random.uniform`, drawn with this generator."""
        return _between(self._generator, shape, minval, maxval, dtype, "Generator.uniform")
