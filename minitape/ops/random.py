"""Random numbers: new values out of nothing.

    normal, truncated_normal, uniform    from the program's own generator, which `set_seed` starts anew
    stateless_normal, stateless_uniform  the same numbers for the same seed, every time
    categorical, shuffle                 picks by the numbers of a value: no gradient, and they say why
    Generator                            a generator of one's own

A mean, a width or a limit that is a tensor is reached by gradients: what is drawn is noise · width + mean.

Unlike TensorFlow: the numbers come from NumPy's generator, so the same seed gives others than there.

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
from minitape.ops.making import made
from minitape.ops.seeds import source, stateless

if TYPE_CHECKING:
    # Only named here: NumPy loads its generators when they are first used, and most programs use none.
    from numpy.random import Generator as NumpyGenerator

Draw = Callable[["NumpyGenerator", Ints], Array]


def set_seed(seed: Any) -> None:
    """Start the program's generator anew, so that what follows is the same in every run.

    Args:
        seed: A whole number.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/set_seed
    """
    source.start(None if seed is None else whole_number(seed))


# --- what is drawn ---


def _numbers(value: Any) -> Array:
    """A bound, a mean or a width.

    Raises:
        TypeError: it is no number.
    """
    array = as_array(value, None)
    if dtypes.kind_of(array.dtype) not in "biuf":
        raise TapeTypeError(f"Expected a number, but got {value!r}.", fix="a float")
    return array


def _normal(generator: "NumpyGenerator", shape: Ints) -> Array:
    return np.asarray(generator.standard_normal(shape))


def _truncated(generator: "NumpyGenerator", shape: Ints) -> Array:
    """Draw again whatever lies more than two deviations out."""
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
            f"Must specify maxval for integer dtype {dtype.name}.", fix="maxval=10, for 0 to 9"
        )
    least, limit = whole_number(low), whole_number(high)
    if least >= limit:
        raise InvalidArgumentError(
            f"Need minval < maxval, got {least} >= {limit}.", fix="minval=0, maxval=10"
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
    """noise · stddev + mean: by ops where a gradient may ask for one of them."""
    wanted = dtypes.as_dtype(dtype)
    if any(map(is_engine_value, nest.flatten([mean, stddev]))):
        width, middle = convert_to_tensor(stddev, wanted), convert_to_tensor(mean, wanted)
        return _made(draw(generator, as_sizes(shape)), wanted, how) * width + middle
    middle, width = _numbers(mean), _numbers(stddev)
    return _made(middle + width * draw(generator, as_sizes(shape)), wanted, how)


def _between(
    generator: "NumpyGenerator", shape: Any, low: Any, high: Any, dtype: Any, how: str
) -> Value:
    """noise · (high - low) + low, or whole numbers."""
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
    """Numbers from the bell curve.

    Args:
        shape: Of the result.
        mean: The middle of the curve.
        stddev: Its standard deviation.
        dtype: A float dtype.
        seed: Mixed with that of `set_seed`.
        name: Ignored.

    Unlike TensorFlow: other numbers for the same seed.

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
    """Numbers from the bell curve, none more than two standard deviations out.

    Args:
        shape: Of the result.
        mean: The middle of the curve.
        stddev: The standard deviation before the ends are cut off.
        dtype: A float dtype.
        seed: Mixed with that of `set_seed`.
        name: Ignored.

    Unlike TensorFlow: other numbers for the same seed.

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
    """Numbers between two limits, all equally likely.

    Args:
        shape: Of the result.
        minval: The lower limit, included.
        maxval: The upper limit, excluded; 1 by default, and required for whole numbers.
        dtype: A float or whole-number dtype.
        seed: Mixed with that of `set_seed`.
        name: Ignored.

    Raises:
        ValueError: whole numbers are wanted, and there is no `maxval`.

    Unlike TensorFlow: other numbers for the same seed.

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
    """Numbers from the bell curve; the same for the same `seed`, whatever happened before.

    Args:
        shape: Of the result.
        seed: Two whole numbers.
        mean: The middle of the curve.
        stddev: Its standard deviation.
        dtype: A float dtype.
        name: Ignored.
        alg: Ignored.

    Unlike TensorFlow: other numbers for the same seed.

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
    """Numbers from the bell curve, none more than two standard deviations out; the same for the same `seed`.

    Args:
        shape: Of the result.
        seed: Two whole numbers.
        mean: The middle of the curve.
        stddev: The standard deviation before the ends are cut off.
        dtype: A float dtype.
        name: Ignored.
        alg: Ignored.

    Unlike TensorFlow: other numbers for the same seed.

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
    """Numbers between two limits; the same for the same `seed`, whatever happened before.

    Args:
        shape: Of the result.
        seed: Two whole numbers.
        minval: The lower limit, included.
        maxval: The upper limit, excluded; 1 by default, and required for whole numbers.
        dtype: A float or whole-number dtype.
        name: Ignored.
        alg: Ignored.

    Unlike TensorFlow: other numbers for the same seed.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/stateless_uniform
    """
    how = "tf.random.stateless_uniform"
    return _between(stateless(seed), shape, minval, maxval, dtype, how)


# --- picks by the numbers of a value ---


def _categorical_kernel(
    logits: Array, *, num_samples: int, generator: "NumpyGenerator", dtype: Any
) -> Array:
    """The largest of the logits plus Gumbel noise falls on each class with its probability."""
    noise = generator.gumbel(size=(logits.shape[0], num_samples, logits.shape[1]))
    return np.argmax(logits[:, np.newaxis, :] + noise, axis=-1).astype(dtype)


_categorical: Primitive = Primitive(
    "Multinomial",
    _categorical_kernel,
    vjp=no_gradient(
        reason="its result is the index of a drawn class, which stays constant or jumps"
    ),
    accepts="fiu",
)


def categorical(
    logits: Value,
    num_samples: Any,
    dtype: Any = None,
    seed: Any = None,
    name: str | None = None,
) -> Value:
    """Classes drawn with the probabilities softmax(logits).

    Args:
        logits: Shape [rows, classes]: unnormalised log-probabilities.
        num_samples: How many draws for each row.
        dtype: int64 by default.
        seed: Mixed with that of `set_seed`.
        name: Ignored.

    Returns:
        Shape [rows, num_samples].

    Gradient: none.

    Unlike TensorFlow: other numbers for the same seed.

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
    vjp=no_gradient(reason="TensorFlow defines no gradient for shuffle"),
    accepts=ANY,
)


def shuffle(value: Value, seed: Any = None, name: str | None = None) -> Value:
    """The rows of `value` in random order.

    Args:
        value: Rank at least 1.
        seed: Mixed with that of `set_seed`.
        name: Ignored.

    Gradient: none. `tf.gather(x, tf.random.shuffle(tf.range(n)))` has one.

    Unlike TensorFlow: another order for the same seed.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/shuffle
    """
    return _shuffle(as_operand(value), generator=source.generator_for(seed))


class Generator:
    """A generator of random numbers with a state of its own.

    Unlike TensorFlow: other numbers for the same seed.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/Generator
    """

    def __init__(self, generator: "NumpyGenerator") -> None:
        self._generator = generator

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> "Generator":
        """The same numbers for the same seed, in every run."""
        return cls(np.random.default_rng(int(seed)))

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> "Generator":
        """Other numbers in every run."""
        return cls(np.random.default_rng())

    def normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Value:
        """As `tf.random.normal`."""
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
        """As `tf.random.truncated_normal`."""
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
        """As `tf.random.uniform`."""
        return _between(self._generator, shape, minval, maxval, dtype, "Generator.uniform")
