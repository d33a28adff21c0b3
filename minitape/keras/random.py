"""Random numbers of Keras. The argument `seed` of each function determines what the next call returns.

    seed=None               the global generator: new numbers in each call, which `set_seed` makes reproducible
    seed=7                  the same numbers in each call
    seed=SeedGenerator(7)   new numbers in each call, and the same sequence in each run

The same seed yields different numbers than in TensorFlow.

Source: https://keras.io/api/random/
"""

import random as python_random
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import as_operand, is_engine_value, read_once
from minitape.core.tensor import Tensor
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.errors import TapeValueError
from minitape.keras.config import float_dtype
from minitape.keras.naming import checked_name
from minitape.lazy_namespace import helpful_getattr
from minitape.ops import normalization
from minitape.ops import random as numbers
from minitape.ops.axes import as_ints, canonical_axis
from minitape.ops.creation import zeros_like
from minitape.ops.identity import cast
from minitape.ops.indexing import gather
from minitape.ops.seeds import FixedSeed, OwnSeed


class SeedGenerator:
    """A seed that counts its uses, so that no two draws are the same.

    Args:
        seed: An integer; by default a random integer.
        name: Name of the generator; "seed_generator" with a number by default.
        **kwargs: Not accepted; any further keyword raises a ValueError.

    Raises:
        ValueError: `seed` is not an integer, or a keyword is unknown.

    Source: https://keras.io/api/random/seed_generator/
    """

    def __init__(self, seed: int | None = None, name: str | None = None, **kwargs: Any) -> None:
        self.name = checked_name(name, type(self))
        if kwargs:
            raise TapeValueError(
                f"Unrecognized keyword arguments: {kwargs}", fix="use `SeedGenerator(seed=1)`"
            )
        self._initial_seed = seed
        first = python_random.randint(1, 10**9) if seed is None else seed
        if not isinstance(first, int):
            raise TapeValueError(
                f"Argument `seed` must be an integer. Received: seed={seed}", fix="pass `seed=1`"
            )
        self.state = Variable(
            np.array([first, 0]), trainable=False, name=f"{self.name}/seed_generator_state"
        )

    def next(self, ordered: bool = True) -> Tensor:
        """Return the seed of one draw, and advance the generator.

        Args:
            ordered: Whether to increment only the second integer; otherwise both integers change.

        Returns:
            Two integers, shape [2], int64.
        """
        now = self.state._array
        self.state.assign(now + np.array([0, 1]) if ordered else (now + 1) * 5387 % 933199)
        return Tensor(now)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this generator.

        Returns:
            A dict.
        """
        return {"seed": self._initial_seed, "name": self.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "SeedGenerator":
        """Create a generator from the result of `get_config`, at the start of its sequence.

        Args:
            config: The arguments.

        Returns:
            A new generator.
        """
        return cls(**config)


def own_generator(seed: Any) -> SeedGenerator | None:
    """Return the generator of a layer with this seed; None for the global generator.

    Args:
        seed: An integer, or None.

    Returns:
        A new `SeedGenerator`, or None.

    Raises:
        ValueError: `seed` is not an integer.
    """
    return None if seed is None else SeedGenerator(seed)


def checked_seed(seed: Any) -> Any:
    """Check the seed of an initializer.

    Args:
        seed: An integer, a `SeedGenerator` or None.

    Returns:
        The seed.

    Raises:
        ValueError: the argument has any other value.
    """
    if isinstance(seed, SeedGenerator | int | None):
        return seed
    raise TapeValueError(
        "`seed` argument should be an instance of `keras.random.SeedGenerator()` or an integer. "
        f"Received: seed={seed}",
        fix="pass `seed=1`",
    )


def _seed_for(seed: Any) -> OwnSeed | FixedSeed | None:
    if isinstance(seed, FixedSeed):
        return seed
    if isinstance(seed, SeedGenerator):
        return OwnSeed(*as_ints(seed.next()))
    if seed is not None and not isinstance(seed, int):
        raise TapeValueError(
            "Argument `seed` must be either an integer or an instance of `SeedGenerator`. "
            f"Received: seed={seed} (of type {type(seed)})",
            fix="pass `seed=1` or `seed=tf.keras.random.SeedGenerator(1)`",
        )
    return None if seed is None else OwnSeed(seed, 0)


def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None
) -> Value:
    """Draw from a normal distribution.

    Args:
        shape: Shape of the result.
        mean: Mean of the distribution; broadcasts to `shape`.
        stddev: Standard deviation; broadcasts to `shape`.
        dtype: Floating-point dtype of the result; `floatx` by default.
        seed: None, an integer, or a `SeedGenerator`; the description of this module explains the difference.

    Returns:
        A tensor with the given shape and dtype.

    Raises:
        ValueError: `seed` is invalid.

    Gradient: It is defined with respect to `mean` and `stddev`.

    Source: https://keras.io/api/random/random_ops/#normal-function
    """
    return numbers.normal(shape, mean, stddev, float_dtype(dtype), _seed_for(seed))


def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None
) -> Value:
    """Draw from a normal distribution without values more than two standard deviations from the mean.

    Args:
        shape: Shape of the result.
        mean: Mean of the distribution; broadcasts to `shape`.
        stddev: Standard deviation; broadcasts to `shape`.
        dtype: Floating-point dtype of the result; `floatx` by default.
        seed: None, an integer, or a `SeedGenerator`; the description of this module explains the difference.

    Returns:
        A tensor with the given shape and dtype.

    Raises:
        ValueError: `seed` is invalid.

    Gradient: It is defined with respect to `mean` and `stddev`.

    Source: https://keras.io/api/random/random_ops/#truncated_normal-function
    """
    return numbers.truncated_normal(shape, mean, stddev, float_dtype(dtype), _seed_for(seed))


def uniform(
    shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None, seed: Any = None
) -> Value:
    """Draw from a uniform distribution.

    Args:
        shape: Shape of the result.
        minval: Lower limit, included.
        maxval: Upper limit, excluded.
        dtype: Floating-point dtype of the result; `floatx` by default.
        seed: None, an integer, or a `SeedGenerator`; the description of this module explains the difference.

    Returns:
        A tensor with the given shape and dtype.

    Raises:
        ValueError: `dtype` is not floating-point, or `seed` is invalid.

    Gradient: It is defined with respect to both limits.

    Source: https://keras.io/api/random/random_ops/#uniform-function
    """
    wanted = float_dtype(dtype)
    if not wanted.is_floating:
        raise TapeValueError(
            "`keras.random.uniform` requires a floating point `dtype`. "
            f"Received: dtype={wanted.name} ",
            fix="use `tf.keras.random.randint(shape, minval, maxval)`",
        )
    low, high = (cast(each, wanted) if is_engine_value(each) else each for each in (minval, maxval))
    return numbers.uniform(shape, low, high, wanted, _seed_for(seed))


def randint(shape: Any, minval: Any, maxval: Any, dtype: Any = "int32", seed: Any = None) -> Value:
    """Draw integers from a uniform distribution.

    Args:
        shape: Shape of the result.
        minval: Lower limit, included.
        maxval: Upper limit, excluded.
        dtype: Integer dtype of the result.
        seed: None, an integer, or a `SeedGenerator`; the description of this module explains the difference.

    Returns:
        A tensor with the given shape and dtype.

    Raises:
        ValueError: `dtype` is not an integer dtype, or `seed` is invalid.
        InvalidArgumentError: `minval` is not below `maxval`.

    Source: https://keras.io/api/random/random_ops/#randint-function
    """
    wanted = dtypes.as_dtype(dtype)
    if not wanted.is_integer:
        raise TapeValueError(
            f"`keras.random.randint` requires an integer `dtype`. Received: dtype={wanted.name} ",
            fix="use `tf.keras.random.uniform(shape, minval, maxval)`",
        )
    return numbers.uniform(shape, minval, maxval, wanted, _seed_for(seed))


def categorical(logits: Any, num_samples: Any, dtype: Any = "int32", seed: Any = None) -> Value:
    """Draw class indices with the probabilities softmax(logits).

    Args:
        logits: Unnormalized log-probabilities, shape [rows, classes].
        num_samples: Number of draws for each row.
        dtype: Integer dtype of the result.
        seed: None, an integer, or a `SeedGenerator`; the description of this module explains the difference.

    Returns:
        Class indices, shape [rows, num_samples].

    Raises:
        ValueError: `logits` does not have rank 2, or `seed` is invalid.

    Gradient: There is none.

    Source: https://keras.io/api/random/random_ops/#categorical-function
    """
    rows = read_once(logits)
    if len(rows.shape) != 2:
        raise TapeValueError(
            "`logits` should be a 2-D tensor with shape [batch_size, num_classes]. "
            f"Received: logits={logits}",
            fix="use `tf.reshape(logits, [1, -1])` for one row",
        )
    return cast(numbers.categorical(rows, num_samples, seed=_seed_for(seed)), dtype)


def dropout(inputs: Any, rate: Any, noise_shape: Any = None, seed: Any = None) -> Value:
    """Set a random fraction of the elements to 0, and scale the others by 1 / (1 - rate).

    Args:
        inputs: A tensor of any shape with a floating-point dtype.
        rate: Fraction that is dropped, from 0 to 1.
        noise_shape: Shape of the random mask, which broadcasts to the inputs; None means the shape of the inputs.
        seed: None, an integer, or a `SeedGenerator`; the description of this module explains the difference.

    Returns:
        A tensor with the shape of `inputs`.

    Raises:
        ValueError: `rate` is not between 0 and 1, `inputs` is not floating-point, or `seed` is invalid.

    Gradient: It is ȳ/(1 - rate) where an element was kept, and 0 where it was dropped.

    Source: https://keras.io/api/random/random_ops/#dropout-function
    """
    value = as_operand(inputs)
    if rate == 1:
        return zeros_like(value)
    return normalization.dropout(value, rate, noise_shape, _seed_for(seed)) if rate else value


def shuffle(x: Any, axis: int = 0, seed: Any = None) -> Value:
    """Shuffle a tensor along an axis.

    Args:
        x: A tensor of rank 1 or higher.
        axis: Axis to shuffle.
        seed: None, an integer, or a `SeedGenerator`; the description of this module explains the difference.

    Returns:
        A tensor with the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: `x` does not have this axis.
        ValueError: `seed` is invalid.

    Gradient: Derivatives of any order are supported. Each element's cotangent returns to its original index.

    Source: https://keras.io/api/random/random_ops/#shuffle-function
    """
    value = read_once(x)
    along = canonical_axis(axis, len(value.shape), "shuffle")
    order = np.argsort(uniform((value.shape[along],), seed=seed)._array)
    return gather(value, order, axis=along)


__getattr__ = helpful_getattr(__name__)
__all__ = [
    "SeedGenerator",
    "categorical",
    "dropout",
    "normal",
    "randint",
    "shuffle",
    "truncated_normal",
    "uniform",
]
