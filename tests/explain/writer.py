"""Generates healthy programs from seeds, and checks them without the explainer: python tests/explain/writer.py ENGINE NUMBER

    Program   the parts of a program: before the tape, inside, and after it
    written   the program of a seed
    unsound   why a gradient of a program is not the derivative of its target; empty if it is

The check runs the part inside the tape again with perturbed sources, and compares. Values that the program stops on purpose
(`tf.stop_gradient`) keep their original values, as intended.
"""

import importlib
import math
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from explain.recipes import COMPUTATIONS, Recipe
from explain.recipes_of_models import MODELS

RECIPES = (*COMPUTATIONS, *MODELS)

_STEPS = (1e-2, 2e-3, 3e-4)
_BESIDE = (
    "",
    "history.append(float(loss)) if loss.shape == () else None",
    "shown = f'{tf.reduce_mean(loss).numpy():.4f}'",
    "total += float(tf.reduce_sum(loss))",
    "best = min(best, tf.reduce_sum(loss).numpy())",
    "tf.debugging.assert_all_finite(loss, 'a loss is finite')",
    "rounded = np.round(tf.reduce_sum(loss), 2)",
)


@dataclass(frozen=True)
class Program:
    """A healthy program: its computation, and the complete text."""

    kind: str
    recipe: Recipe
    taped: str
    text: str


def written(seed: int) -> Program:
    """Return the program of a seed, with a random kind, random numbers and a random form."""
    r = random.Random(seed)
    make = RECIPES[seed % len(RECIPES)]
    recipe = make(r)
    persistent = "persistent=True" if recipe.persistent or r.random() < 0.2 else ""
    lines = [recipe.body, r.choice(_BESIDE)]
    body = "\n".join(line for line in lines if line)
    taped = f"with tf.GradientTape({persistent}) as tape:\n{indent(body, '    ')}\n"
    requested = f"grads = tape.{recipe.api}({recipe.target}, {recipe.sources})\n"
    setup = f"{recipe.setup}history, total, best = [], 0.0, float('inf')\n"
    return Program(make.__name__, recipe, taped, _whole(r, setup, taped + requested, recipe.after))


def _whole(r: random.Random, setup: str, step: str, after: str) -> str:
    """Return the parts as a script: executed once, in a loop, or in a function."""
    shape = r.choice(("once", "loop", "function"))
    if shape == "once" or not after:
        return f"{setup}\n{step}{after}\n"
    if shape == "loop":
        return f"{setup}\nfor step in range({r.randint(2, 3)}):\n{indent(step + after, '    ')}\n"
    names = [each for each in ("total", "best", "best_so_far") if each in setup]
    inside = f"global {', '.join(names)}\n{step}{after}\nreturn loss\n"
    calls = f"for _ in range({r.randint(1, 3)}):\n    last = train_step()\n"
    return f"{setup}\ndef train_step(verbose=False):\n{indent(inside, '    ')}\n{calls}"


class _Stopping:
    """The engine, except that stopped tensors keep their values of the first run in all later runs."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._stopped: list[Any] = []
        self._next: int | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def again(self) -> None:
        self._next = 0

    def stop_gradient(self, value: Any) -> Any:
        if self._next is None:
            self._stopped.append(self._engine.stop_gradient(value))
            return self._stopped[-1]
        self._next += 1
        return self._stopped[self._next - 1]


def unsound(program: Program, engine: Any) -> str:
    """Return why a gradient is not the derivative of the target, on TensorFlow or on minitape; empty if all gradients are
    right.
    """
    recipe, tf = program.recipe, _Stopping(engine)
    names: dict[str, Any] = {"tf": tf, "np": np, "math": math, "__name__": "healthy"}
    exec(f"{recipe.setup}history, total, best = [], 0.0, float('inf')\n{program.taped}", names)
    exec(f"grads = tape.{recipe.api}({recipe.target}, {recipe.sources})", names)
    sources = tf.nest.flatten(eval(recipe.sources, names))
    for index, gradient in enumerate(tf.nest.flatten(names["grads"])):
        if gradient is None:
            return f"gradient {index} is None"
        dense = np.asarray(tf.convert_to_tensor(gradient), np.float64)
        if not np.abs(dense).max() > 1e-5 or not np.isfinite(dense).all():
            return f"gradient {index} is {dense}"
        derivatives = [_compared(program, names, sources[index], dense, step) for step in _STEPS]
        if all(derivatives):
            return f"gradient {index}: {'; '.join(derivatives)}"
    return ""


def _compared(
    program: Program, names: dict[str, Any], source: Any, gradient: Any, step: float
) -> str:
    """Return how the gradient differs from the derivative along a direction; empty if it does not."""
    value = np.asarray(source, np.float64)
    rows = gradient.reshape(-1, *value.shape)
    along = (
        rows.sum(axis=0)
        + 0.3 * np.random.default_rng(0).normal(size=value.shape) * np.abs(rows).max()
    )
    along = along / np.sqrt((along**2).sum())
    expected = (rows * along).reshape(len(rows), -1).sum(axis=1)
    high = _target(program, names, source, value + step * along)
    low = _target(program, names, source, value - step * along)
    _target(program, names, source, value)
    derivative = (high - low) / (2 * step)
    room = 0.02 * np.abs(derivative).max() + 4e-7 * max(1.0, np.abs(high).max()) / step + 1e-4
    return "" if np.abs(derivative - expected).max() <= room else f"{expected} beside {derivative}"


def _target(program: Program, names: dict[str, Any], source: Any, value: Any) -> Any:
    """Return the target for a different value of a source."""
    tf = names["tf"]
    tf.again()
    if hasattr(source, "assign"):
        source.assign(tf.cast(value, source.dtype))
    else:
        names[program.recipe.sources] = tf.cast(value, source.dtype)
    exec(program.taped, names)
    return np.asarray(names[program.recipe.target], np.float64).reshape(-1)


if __name__ == "__main__":
    engine = importlib.import_module(sys.argv[1])
    for seed in range(int(sys.argv[2])):
        program = written(seed)
        reported = unsound(program, engine)
        if reported:
            print(f"{seed} {program.kind}: {reported}")
