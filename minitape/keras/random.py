"""Random numbers as Keras draws them: each function takes a seed, and says what the next call gives.

    seed=None             the program's generator: other numbers at each call, and `set_seed` starts them anew
    seed=7                the same numbers at each call
    seed=SeedGenerator(7) other numbers at each call, and the same row of them in each run

Unlike TensorFlow: other numbers for the same seed.

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
from minitape.lazy_namespace import telling
from minitape.ops import normalising
from minitape.ops import random as numbers
from minitape.ops.axes import as_ints, canonical_axis
from minitape.ops.making import zeros_like
from minitape.ops.passing import cast
from minitape.ops.picking import gather
from minitape.ops.seeds import KeptSeed, OwnSeed


class SeedGenerator:
    """A seed that counts how often it was used, so that no two draws are the same.

    Args:
        seed: A whole number; by default one from Python's generator.
        name: By default "seed_generator", numbered.

    Raises:
        ValueError: `seed` is no whole number, or a keyword is unknown.

    Source: https://keras.io/api/random/seed_generator/
    """

    def __init__(self, seed: int | None = None, name: str | None = None, **kwargs: Any) -> None:
        self.name = checked_name(name, type(self))
        if kwargs:
            raise TapeValueError(
                f"Unrecognized keyword arguments: {kwargs}", fix="SeedGenerator(seed=1)"
            )
        self._initial_seed = seed
        first = python_random.randint(1, 10**9) if seed is None else seed
        if not isinstance(first, int):
            raise TapeValueError(
                f"Argument `seed` must be an integer. Received: seed={seed}", fix="seed=1"
            )
        self.state = Variable(
            np.array([first, 0]), trainable=False, name=f"{self.name}/seed_generator_state"
        )

    def next(self, ordered: bool = True) -> Tensor:
        """The seed of one draw: two whole numbers, shape [2], int64.

        Args:
            ordered: Whether the second of them counts up; else both jump.
        """
        now = self.state._array
        self.state.assign(now + np.array([0, 1]) if ordered else (now + 1) * 5387 % 933199)
        return Tensor(now)

    def get_config(self) -> dict[str, Any]:
        """What it was made with."""
        return {"seed": self._initial_seed, "name": self.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "SeedGenerator":
        """Another one, which begins at the beginning."""
        return cls(**config)


def own_generator(seed: Any) -> SeedGenerator | None:
    """What a layer draws from that was given a seed; None for the program's generator.

    Raises:
        ValueError: the seed is no whole number.
    """
    return None if seed is None else SeedGenerator(seed)


def checked_seed(seed: Any) -> Any:
    """The seed of an initializer.

    Raises:
        ValueError: it is neither a whole number nor a `SeedGenerator`.
    """
    if isinstance(seed, SeedGenerator | int | None):
        return seed
    raise TapeValueError(
        "`seed` argument should be an instance of `keras.random.SeedGenerator()` or an integer. "
        f"Received: seed={seed}",
        fix="seed=1",
    )


def _seed_for(seed: Any) -> OwnSeed | KeptSeed | None:
    if isinstance(seed, KeptSeed):
        return seed
    if isinstance(seed, SeedGenerator):
        return OwnSeed(*as_ints(seed.next()))
    if seed is not None and not isinstance(seed, int):
        raise TapeValueError(
            "Argument `seed` must be either an integer or an instance of `SeedGenerator`. "
            f"Received: seed={seed} (of type {type(seed)})",
            fix="seed=1, or seed=tf.keras.random.SeedGenerator(1)",
        )
    return None if seed is None else OwnSeed(seed, 0)


def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None
) -> Value:
    """Numbers from the bell curve.

    Args:
        shape: Of the result.
        mean: The middle of the curve.
        stddev: Its standard deviation.
        dtype: A float dtype; that of `floatx` by default.
        seed: See above.

    Raises:
        ValueError: the seed is none.

    Gradient: of `mean` and `stddev`.

    Source: https://keras.io/api/random/random_ops/#normal-function
    """
    return numbers.normal(shape, mean, stddev, float_dtype(dtype), _seed_for(seed))


def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None
) -> Value:
    """Numbers from the bell curve, none more than two standard deviations out.

    Args: as those of `normal`.

    Gradient: of `mean` and `stddev`.

    Source: https://keras.io/api/random/random_ops/#truncated_normal-function
    """
    return numbers.truncated_normal(shape, mean, stddev, float_dtype(dtype), _seed_for(seed))


def uniform(
    shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None, seed: Any = None
) -> Value:
    """Numbers between two limits, all equally likely.

    Args:
        shape: Of the result.
        minval: The lower limit, included.
        maxval: The upper limit, excluded.
        dtype: A float dtype; that of `floatx` by default.
        seed: See above.

    Raises:
        ValueError: the dtype is not floating point, or the seed is none.

    Gradient: of both limits.

    Source: https://keras.io/api/random/random_ops/#uniform-function
    """
    wanted = float_dtype(dtype)
    if not wanted.is_floating:
        raise TapeValueError(
            "`keras.random.uniform` requires a floating point `dtype`. "
            f"Received: dtype={wanted.name} ",
            fix="tf.keras.random.randint(shape, minval, maxval)",
        )
    low, high = (cast(each, wanted) if is_engine_value(each) else each for each in (minval, maxval))
    return numbers.uniform(shape, low, high, wanted, _seed_for(seed))


def randint(shape: Any, minval: Any, maxval: Any, dtype: Any = "int32", seed: Any = None) -> Value:
    """Whole numbers from `minval` to below `maxval`, all equally likely.

    Args:
        shape: Of the result.
        minval: The lower limit, included.
        maxval: The upper limit, excluded.
        dtype: Of whole numbers.
        seed: See above.

    Raises:
        ValueError: the dtype is not one of whole numbers, or the seed is none.
        InvalidArgumentError: no number lies between the limits.

    Source: https://keras.io/api/random/random_ops/#randint-function
    """
    wanted = dtypes.as_dtype(dtype)
    if not wanted.is_integer:
        raise TapeValueError(
            f"`keras.random.randint` requires an integer `dtype`. Received: dtype={wanted.name} ",
            fix="tf.keras.random.uniform(shape, minval, maxval)",
        )
    return numbers.uniform(shape, minval, maxval, wanted, _seed_for(seed))


def categorical(logits: Any, num_samples: Any, dtype: Any = "int32", seed: Any = None) -> Value:
    """Classes drawn with the probabilities softmax(logits).

    Args:
        logits: Shape [rows, classes]: unnormalised log-probabilities.
        num_samples: How many draws for each row.
        dtype: Of the result.
        seed: See above.

    Returns:
        Shape [rows, num_samples].

    Raises:
        ValueError: `logits` has another rank than 2, or the seed is none.

    Gradient: none.

    Source: https://keras.io/api/random/random_ops/#categorical-function
    """
    rows = read_once(logits)
    if len(rows.shape) != 2:
        raise TapeValueError(
            "`logits` should be a 2-D tensor with shape [batch_size, num_classes]. "
            f"Received: logits={logits}",
            fix="tf.reshape(logits, [1, -1]) for one row",
        )
    return cast(numbers.categorical(rows, num_samples, seed=_seed_for(seed)), dtype)


def dropout(inputs: Any, rate: Any, noise_shape: Any = None, seed: Any = None) -> Value:
    """Zeros for a random share of the elements, and the others enlarged so that the mean is kept.

    Args:
        inputs: Any shape; a float dtype.
        rate: Which share, from 0 to 1.
        noise_shape: Where it has 1, all elements along that axis share one fate; None is the size of the input.
        seed: See above.

    Raises:
        ValueError: `rate` is no share, `inputs` is not floating point, or the seed is none.

    Gradient: ȳ/(1 - rate) where an element was kept, 0 where it was dropped.

    Source: https://keras.io/api/random/random_ops/#dropout-function
    """
    value = as_operand(inputs)
    if rate == 1:
        return zeros_like(value)
    return normalising.dropout(value, rate, noise_shape, _seed_for(seed)) if rate else value


def shuffle(x: Any, axis: int = 0, seed: Any = None) -> Value:
    """What lies along an axis, in random order.

    Args:
        x: Rank at least 1.
        axis: Along which.
        seed: See above.

    Raises:
        InvalidArgumentError: there is no such axis.
        ValueError: the seed is none.

    Gradient: to any order: each element's cotangent goes back to where it came from.

    Source: https://keras.io/api/random/random_ops/#shuffle-function
    """
    value = read_once(x)
    along = canonical_axis(axis, len(value.shape), "shuffle")
    order = np.argsort(uniform((value.shape[along],), seed=seed)._array)
    return gather(value, order, axis=along)


__getattr__ = telling(__name__)
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
