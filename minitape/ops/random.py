"""Random numbers: new values out of nothing, so there is nothing to differentiate.

    normal, truncated_normal, uniform    from the program's own generator, which `set_seed` starts anew
    stateless_normal, stateless_uniform  the same numbers for the same seed, every time
    categorical, shuffle                 picks by the numbers of a value: no gradient, and they say why
    Generator                            a generator of one's own

Unlike TensorFlow: the numbers come from NumPy's generator, so the same seed gives others than there.

Source: https://www.tensorflow.org/api_docs/python/tf/random
"""

import secrets
from collections.abc import Callable
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import as_array, as_operand
from minitape.core.declaration import ANY, no_gradient
from minitape.core.primitive import Primitive
from minitape.core.tensor import Tensor
from minitape.core.values import Array, Ints, Value
from minitape.errors import TapeTypeError, TapeValueError
from minitape.ops.axes import as_ints, as_sizes, whole_number
from minitape.ops.making import made

if TYPE_CHECKING:
    # Only named here: NumPy loads its generators when they are first used, and most programs use none.
    from numpy.random import Generator as NumpyGenerator

Draw = Callable[["NumpyGenerator", Ints], Array]


_LARGEST_SEED = 2**31 - 1
_WITHOUT_SET_SEED = 87654321  # TensorFlow's stand-in for the program's seed, for an op that has one


class _Source:
    """Where the program's random numbers come from."""

    def __init__(self) -> None:
        self.seed: int | None = None
        self.steps: Random | None = None

    @cached_property
    def generator(self) -> "NumpyGenerator":
        return np.random.default_rng(self.seed)

    def start(self, seed: int | None) -> None:
        self.seed = seed
        self.generator = np.random.default_rng(None if seed is None else seed % _LARGEST_SEED)
        self.steps = None if seed is None else Random(seed)

    def generator_for(self, seed: Any) -> "NumpyGenerator":
        """The program's generator; an op with a seed of its own mixes it in, and still gives new numbers at each call."""
        if seed is None:
            if self.steps is not None:
                self.next_step()
            return self.generator
        step = int(self.generator.integers(2**31)) if self.seed is not None else None
        return np.random.default_rng(
            [whole_number(seed), step] if step is not None else whole_number(seed)
        )

    def next_step(self) -> int:
        """What TensorFlow gives an op as a seed that has none of its own: a number that counts the ops since `set_seed`."""
        if self.steps is None:
            return secrets.randbelow(_LARGEST_SEED)
        return self.steps.randint(0, _LARGEST_SEED)


_source = _Source()


def state_of_the_generator() -> Any:
    """Where the program's generator stands, so that somebody can tell whether numbers were drawn; None if it has not begun."""
    generator = vars(_source).get("generator")
    if generator is None:
        return None
    return generator.bit_generator.state, _source.steps and _source.steps.getstate()


def put_back(state: Any) -> None:
    """Let the program's generator stand where it stood: numbers drawn since will come again."""
    if state is None:
        _source.start(_source.seed)
        return
    _source.generator.bit_generator.state, steps = state
    if _source.steps is not None:
        _source.steps.setstate(steps)


def operation_seed(seed: Any) -> tuple[int, int]:
    """The two seeds that TensorFlow gives an op: the program's and the op's own, as far as there are any.

    Source: tensorflow/python/framework/random_seed.py
    """
    program = _source.seed
    if program is None and seed is None:
        return secrets.randbelow(_LARGEST_SEED), secrets.randbelow(_LARGEST_SEED)
    first = _WITHOUT_SET_SEED if program is None else program % _LARGEST_SEED
    second = _source.next_step() if seed is None else whole_number(seed) % _LARGEST_SEED
    return (first, second) if first or second else (0, _LARGEST_SEED)


def permutation(count: int) -> Array:
    """The numbers below `count` in random order, for who picks rows outside of any computation: an array, and no op."""
    return _source.generator.permutation(count)


def set_seed(seed: Any) -> None:
    """Start the program's generator anew, so that what follows is the same in every run.

    Args:
        seed: A whole number.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/set_seed
    """
    _source.start(None if seed is None else whole_number(seed))


# --- what is drawn ---


def _numbers(value: Any) -> Array:
    """A bound, a mean or a width.

    Raises:
        TypeError: it is no number.
    """
    array = as_array(value, None)
    if dtypes.kind_of(array.dtype) not in "biuf":
        raise TapeTypeError(f"This is a number, and {value!r} is none.", fix="a float")
    return array


def _normal(mean: Any, stddev: Any) -> Draw:
    middle, width = _numbers(mean), _numbers(stddev)
    return lambda generator, shape: middle + width * generator.standard_normal(shape)


def _truncated(mean: Any, stddev: Any) -> Draw:
    middle, width = _numbers(mean), _numbers(stddev)

    def draw(generator: "NumpyGenerator", shape: Ints) -> Array:
        """Draw again whatever lies more than two deviations out."""
        numbers = np.asarray(generator.standard_normal(shape))
        outside = abs(numbers) > 2
        while outside.any():
            numbers[outside] = generator.standard_normal(int(outside.sum()))
            outside = abs(numbers) > 2
        return middle + width * numbers

    return draw


def _uniform(low: Any, high: Any, dtype: dtypes.DType) -> Draw:
    if dtype.is_integer:
        if high is None:
            raise TapeValueError(
                f"Must specify maxval for integer dtype {dtype.name}.", fix="maxval=10, for 0 to 9"
            )
        least, limit = int(low), int(high)
        return lambda generator, shape: generator.integers(least, limit, shape)
    bottom, top = _numbers(low), _numbers(1.0 if high is None else high)
    return lambda generator, shape: bottom + (top - bottom) * generator.random(shape)


def _drawn(draw: Draw, generator: "NumpyGenerator", shape: Any, dtype: Any, how: str) -> Tensor:
    numbers = np.asarray(draw(generator, as_sizes(shape))).astype(dtypes.as_dtype(dtype).numpy)
    return made(numbers, how)


# --- from the program's generator ---


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
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
    return _drawn(
        _normal(mean, stddev), _source.generator_for(seed), shape, dtype, "tf.random.normal"
    )


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
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
    generator = _source.generator_for(seed)
    return _drawn(_truncated(mean, stddev), generator, shape, dtype, "tf.random.truncated_normal")


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
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
    draw = _uniform(minval, maxval, dtypes.as_dtype(dtype))
    return _drawn(draw, _source.generator_for(seed), shape, dtype, "tf.random.uniform")


# --- the same numbers for the same seed ---


def _stateless(seed: Any) -> "NumpyGenerator":
    return np.random.default_rng([number % 2**63 for number in as_ints(seed)])


def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: str = "auto_select",
) -> Tensor:
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
    return _drawn(_normal(mean, stddev), _stateless(seed), shape, dtype, how)


def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: str = "auto_select",
) -> Tensor:
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
    return _drawn(_truncated(mean, stddev), _stateless(seed), shape, dtype, how)


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: str = "auto_select",
) -> Tensor:
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
    draw = _uniform(minval, maxval, dtypes.as_dtype(dtype))
    return _drawn(draw, _stateless(seed), shape, dtype, "tf.random.stateless_uniform")


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
    vjp=no_gradient(reason="a drawn class is a whole number: it jumps or stays"),
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
        generator=_source.generator_for(seed),
        dtype=dtypes.as_dtype(dtype or dtypes.int64).numpy,
    )


_shuffle: Primitive = Primitive(
    "RandomShuffle",
    lambda x, *, generator: generator.permutation(x, axis=0),
    vjp=no_gradient(reason="TensorFlow gives a shuffle no rule"),
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
    return _shuffle(as_operand(value), generator=_source.generator_for(seed))


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
    ) -> Tensor:
        """As `tf.random.normal`."""
        return _drawn(_normal(mean, stddev), self._generator, shape, dtype, "Generator.normal")

    def truncated_normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """As `tf.random.truncated_normal`."""
        draw = _truncated(mean, stddev)
        return _drawn(draw, self._generator, shape, dtype, "Generator.truncated_normal")

    def uniform(
        self,
        shape: Any,
        minval: Any = 0,
        maxval: Any = None,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """As `tf.random.uniform`."""
        draw = _uniform(minval, maxval, dtypes.as_dtype(dtype))
        return _drawn(draw, self._generator, shape, dtype, "Generator.uniform")
