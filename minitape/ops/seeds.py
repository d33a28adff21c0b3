"""The generators of random numbers.

    source     the program's generator, which `tf.random.set_seed` resets
    stateless  a generator that two integers determine: the same integers produce the same numbers
    OwnSeed    a seed of two integers
    FixedSeed  draws a seed from the program's generator once, and uses it from then on

Source: https://www.tensorflow.org/api_docs/python/tf/random/set_seed
"""

import secrets
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minitape.core.values import Array
from minitape.ops.axes import as_ints, whole_number

if TYPE_CHECKING:
    # Imported only for type checking: NumPy loads its generators when they are first used, and most programs use none.
    from numpy.random import Generator as NumpyGenerator

_LARGEST_SEED = 2**31 - 1
_WITHOUT_SET_SEED = (
    87654321  # TensorFlow's default for the program's seed, if only the op has a seed
)


class OwnSeed(NamedTuple):
    """A seed that determines the numbers regardless of `set_seed`."""

    seed: int
    step: int


class FixedSeed:
    """The seed of an object that was created without one. It is drawn when the first numbers are drawn, and kept for all later
    ones."""

    def __init__(self) -> None:
        self.state: Any = None  # the state of the generator before the first numbers


def stateless(seed: Any) -> "NumpyGenerator":
    """Return a generator that two integers determine."""
    return np.random.default_rng([number % 2**63 for number in as_ints(seed)])


class RandomSource:
    """The program's random number generator."""

    def __init__(self) -> None:
        self.seed: int | None = None
        self.steps: Random | None = None

    @cached_property
    def generator(self) -> "NumpyGenerator":
        """The generator, created when it is first used."""
        return np.random.default_rng(self.seed)

    def start(self, seed: int | None) -> None:
        """Set the program's seed and restart the generator."""
        self.seed = seed
        self.generator = np.random.default_rng(None if seed is None else seed % _LARGEST_SEED)
        self.steps = None if seed is None else Random(seed)

    def generator_for(self, seed: Any) -> "NumpyGenerator":
        """Return the program's generator, combined with the seed of an op; each call still returns new numbers."""
        if isinstance(seed, OwnSeed):
            return stateless(seed)
        if isinstance(seed, FixedSeed) and seed.state is not None:
            again = np.random.default_rng(0)
            again.bit_generator.state = seed.state
            return again
        if isinstance(seed, FixedSeed):
            seed.state = self.generator.bit_generator.state
            seed = None
        if seed is None:
            if self.steps is not None:
                self.next_step()
            return self.generator
        step = int(self.generator.integers(2**31)) if self.seed is not None else None
        return np.random.default_rng(
            [whole_number(seed), step] if step is not None else whole_number(seed)
        )

    def next_step(self) -> int:
        """Return the seed that TensorFlow uses for an op without its own seed: the number of ops since `set_seed`."""
        if self.steps is None:
            return secrets.randbelow(_LARGEST_SEED)
        return self.steps.randint(0, _LARGEST_SEED)


source = RandomSource()


def state_of_the_generator() -> Any:
    """Return the state of the program's generator, to detect whether numbers were drawn; None if it was not used yet."""
    generator = vars(source).get("generator")
    if generator is None:
        return None
    return generator.bit_generator.state, source.steps and source.steps.getstate()


def put_back(state: Any) -> None:
    """Restore the state of the program's generator, so that it repeats the numbers drawn since."""
    if state is None:
        source.start(source.seed)
        return
    source.generator.bit_generator.state, steps = state
    if source.steps is not None:
        source.steps.setstate(steps)


def operation_seed(seed: Any) -> tuple[int, int]:
    """Return the two seeds that TensorFlow uses for an op: the seed of the program and, if given, the seed of the op.

    Source: tensorflow/python/framework/random_seed.py
    """
    program = source.seed
    if program is None and seed is None:
        return secrets.randbelow(_LARGEST_SEED), secrets.randbelow(_LARGEST_SEED)
    first = _WITHOUT_SET_SEED if program is None else program % _LARGEST_SEED
    second = source.next_step() if seed is None else whole_number(seed) % _LARGEST_SEED
    return (first, second) if first or second else (0, _LARGEST_SEED)


def permutation(count: int) -> Array:
    """Return the numbers below `count` in random order, as an array, without an op."""
    return source.generator.permutation(count)
