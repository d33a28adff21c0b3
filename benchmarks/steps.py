"""Compare the speed of a Keras step, `fit`, a cast and data pipelines on minitape and other frameworks.

    python benchmarks/steps.py [--quick] [--busy] [--only text] [--python tensorflow=PATH ...] [--markdown]

As in `run.py`, each framework runs in its own process, with one thread, and they take turns, one row at a time. PATH is a
Python in which that framework is installed, and `--busy` is for a machine on which other programs run. The programs are in
`steps_with_tape.py` and the other `steps_*.py` modules. Models start with random weights, so results are not compared here; the
tests compare minitape's results with TensorFlow's.

The last column counts the Python and C functions that minitape calls in the row. The count does not depend on the load of the
machine, and `tests/test_calls.py` limits it.
"""

import argparse
import json
import statistics
import subprocess
import sys
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from counting import calls_of
from run import ENVIRONMENT, NUMPY, Framework, ask, print_row, serve, start


@dataclass(frozen=True)
class Step:
    """A row. A time is divided by `parts`, such as batches; `is_whole` marks a call on 20,000 images, shown in seconds."""

    title: str
    program: str
    size: int
    parts: int = 1
    is_whole: bool = False
    kind: str = "time"


STEPS = (
    Step("cast to float64, 8×4", "cast", 8),
    Step("network 784-128-10, batch 32, gradient", "network", 32),
    Step("Keras: 2 dense layers, Adam, a step", "dense", 32),
    Step("Keras: conv, batch norm, pool, dropout, dense, Adam, a step", "pictures", 8),
    Step("Keras: embedding, LSTM of 6 steps, dense, Adam, a step", "words", 8),
    Step("MultiHeadAttention(2, 4) on 2×3×4, forward", "attention", 2),
    Step("`fit`, a batch of 32, 2 dense layers", "fit", 640, parts=20),
    Step("20,000 images: map with a cast, shuffle, batch", "pipeline", 20_000, is_whole=True),
    Step("20,000 images: batch, then map", "pipeline_of_batches", 20_000, is_whole=True),
    Step("20,000 images: an epoch of `fit`", "fit", 20_000, is_whole=True),
    Step("20,000 images: `evaluate`", "evaluate", 20_000, is_whole=True),
    Step("20,000 images: `predict`", "predict", 20_000, is_whole=True),
)

FRAMEWORKS = {
    NUMPY: Framework("steps_by_hand", (), "import numpy"),
    "minitape": Framework("steps_with_tape", ("minitape",), "import minitape"),
    "tensorflow": Framework("steps_with_tape", ("tensorflow",), "import tensorflow"),
    "torch": Framework("steps_with_torch", (), "import torch"),
    "mygrad": Framework("steps_with_mygrad", (), "import mygrad"),
    "jax": Framework("steps_with_jax", (), "import jax"),
}


def inputs(step: Step) -> Any:
    """The same arrays for every framework."""
    random = np.random.default_rng(7)
    labels = random.integers(0, 10, step.size)

    def uniform(*shape: int) -> Any:
        return random.random(shape, np.float32)

    match step.program:
        case "cast":
            return SimpleNamespace(x=uniform(step.size, 4))
        case "network":
            weights = [uniform(784, 128) * 0.05, uniform(128), uniform(128, 10) * 0.1, uniform(10)]
            return SimpleNamespace(
                x=uniform(step.size, 784),
                labels=np.eye(10, dtype=np.float32)[labels],
                weights=weights,
            )
        case "pictures":
            return SimpleNamespace(x=uniform(step.size, 12, 12, 1), labels=labels)
        case "words":
            return SimpleNamespace(x=random.integers(0, 50, (step.size, 6)), labels=labels)
        case "attention":
            return SimpleNamespace(x=uniform(step.size, 3, 4))
        case "pipeline" | "pipeline_of_batches":
            images = random.integers(0, 256, (step.size, 28, 28)).astype(np.uint8)
            return SimpleNamespace(x=images, labels=labels)
    return SimpleNamespace(x=uniform(step.size, 784), labels=labels)


def calls_in(step: Step) -> float:
    """The number of functions that minitape calls in a row."""
    import steps_with_tape

    steps_with_tape.load("minitape")
    return calls_of(getattr(steps_with_tape, step.program)(inputs(step))) / step.parts


def counted() -> dict[str, float]:
    """The number of calls of each row by title, counted in a fresh process with one thread."""
    command = [sys.executable, __file__, "--calls"]
    done = subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    calls: dict[str, float] = json.loads(done.stdout)
    return calls


def _cell(step: Step, seconds: float) -> str:
    return f"{seconds:.2f} s" if step.is_whole else f"{seconds / step.parts * 1e6:,.0f} µs"


def main() -> None:
    """Measure each row, and print its line when it is finished."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--quick", action="store_true", help="short turns, and no calls on 20,000 images"
    )
    parser.add_argument(
        "--busy", action="store_true", help="minimum processor time instead of median time"
    )
    parser.add_argument(
        "--only", default="", help="measure only rows whose title contains this text"
    )
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="the Python in which framework NAME is installed",
    )
    parser.add_argument(
        "--markdown", action="store_true", help="print a Markdown table, as in README.md"
    )
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--calls", action="store_true", help=argparse.SUPPRESS)
    requested = parser.parse_args()
    if requested.calls:
        print(json.dumps({step.title: calls_in(step) for step in STEPS if not step.is_whole}))
        return
    if requested.serve:
        serve(FRAMEWORKS[requested.serve], STEPS, inputs)
        return
    pythons = dict(pair.split("=", 1) for pair in requested.python)
    processes, versions = start(FRAMEWORKS, pythons, "steps.py")
    calls = counted()
    head = ["", *(f"{name} {version}" for name, version in versions.items()), "calls"]
    print_row(head, requested.markdown)
    if requested.markdown:
        print_row(["---", *("---:" for _ in head[1:])], markdown=True)
    typical = min if requested.busy else statistics.median
    for index, step in enumerate(STEPS):
        if requested.only not in step.title or (requested.quick and step.is_whole):
            continue
        times: dict[str, list[float]] = {name: [] for name in processes}
        for _ in range(2 if requested.quick else 5):
            for name, process in processes.items():
                answer = ask(process, index, 0.1 if requested.quick else 0.5, requested.busy)
                if "value" in answer:
                    times[name].append(answer["value"])
        cells = [_cell(step, typical(each)) if each else "–" for each in times.values()]
        cells.append(f"{calls[step.title]:,.0f}" if step.title in calls else "–")
        print_row([step.title, *cells], requested.markdown)
    for process in processes.values():
        process.stdin.close()
        process.wait()


if __name__ == "__main__":
    main()
