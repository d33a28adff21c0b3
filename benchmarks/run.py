"""How fast minitape is, beside NumPy written by hand and the peers that are installed.

    python benchmarks/run.py [--quick]

Each row is one small workload. The frameworks take turns within one run, so that a busy machine slows
all of them; read the ratios, not the times. A framework that gives another answer than NumPy by hand
is marked `wrong`.
"""

import argparse
import importlib
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one thread each, or the machine is what is measured
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np

Run = Callable[[], Any]

CHAIN = 1000
RANDOM = np.random.default_rng(0)
SCALES = RANDOM.uniform(0.9, 1.1, CHAIN).astype(np.float32)
X = RANDOM.normal(size=(64, 32)).astype(np.float32)
W1 = (RANDOM.normal(size=(32, 64)) / 6).astype(np.float32)
W2 = (RANDOM.normal(size=(64, 8)) / 8).astype(np.float32)
SQUARE = (RANDOM.normal(size=(64, 64)) / 8).astype(np.float32)
VECTOR = RANDOM.normal(size=64).astype(np.float32)


# --- NumPy by hand: what the mathematics alone costs ---


def numpy_ops() -> Any:
    x = np.float32(1.0)
    for scale in SCALES:
        x = x * scale
    return x


def numpy_chain() -> Any:
    xs, gradient = [np.float32(0.5)], np.float32(1.0)
    for _ in range(CHAIN):
        xs.append(np.sin(xs[-1]))
    for x in reversed(xs[:-1]):
        gradient = gradient * np.cos(x)
    return gradient


def numpy_network() -> Any:
    hidden = np.tanh(X @ W1)
    y = hidden @ W2
    dy = 2.0 * y / np.float32(y.size)
    dh = (dy @ W2.T) * (1 - hidden * hidden)
    return X.T @ dh


def numpy_jacobian() -> Any:
    y = np.tanh(SQUARE @ VECTOR)
    return (1 - y * y)[:, None] * SQUARE


# --- TensorFlow's API: the same text runs on TensorFlow and on minitape ---


def ops(tf: Any) -> Run:
    start, scales = tf.constant(1.0), [tf.constant(scale) for scale in SCALES]

    def run() -> Any:
        x = start
        for scale in scales:
            x = x * scale
        return x

    return run


def chain(tf: Any) -> Run:
    start = tf.constant(0.5)

    def run() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(start)
            x = start
            for _ in range(CHAIN):
                x = tf.sin(x)
        return tape.gradient(x, start)

    return run


def network(tf: Any) -> Run:
    x, w1, w2 = tf.constant(X), tf.Variable(W1), tf.Variable(W2)

    def run() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.tanh(x @ w1) @ w2) ** 2)
        return tape.gradient(loss, [w1, w2])[0]

    return run


def jacobian(tf: Any, *, at_once: bool) -> Run:
    x, w = tf.constant(VECTOR), tf.constant(SQUARE)

    def run() -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.tanh(tf.linalg.matvec(w, x))
        return tape.jacobian(y, x, experimental_use_pfor=at_once)

    return run


ROWS: dict[str, tuple[Run, Callable[[Any], Run]]] = {
    "1000 scalar ops, no tape": (numpy_ops, ops),
    "gradient of 1000 sines": (numpy_chain, chain),
    "step of a small network": (numpy_network, network),
    "jacobian 64 → 64, one walk": (numpy_jacobian, lambda tf: jacobian(tf, at_once=True)),
    "jacobian 64 → 64, row by row": (numpy_jacobian, lambda tf: jacobian(tf, at_once=False)),
}
FRAMEWORKS = ("minitape", "tensorflow")


def installed() -> Iterator[tuple[str, Any]]:
    """The frameworks that can be imported here."""
    for name in FRAMEWORKS:
        try:
            yield name, importlib.import_module(name)
        except ImportError:
            print(f"{name}: not installed here")


def seconds_in_turns(runs: dict[str, Run], budget: float) -> dict[str, float]:
    """The best time of each, measured in turns until `budget` seconds are used."""
    best = dict.fromkeys(runs, float("inf"))
    for run in runs.values():
        run()  # the first call pays for what is made once
    end = time.perf_counter() + budget
    while time.perf_counter() < end:
        for name, run in runs.items():
            began = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - began)
    return best


def main() -> None:
    """Print one line for each workload: NumPy's time, and how many times as long the others take."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--quick", action="store_true", help="half a second for each row, not three"
    )
    budget = 0.5 if parser.parse_args().quick else 3.0
    modules = dict(installed())
    print(f"{'':32}{'NumPy by hand':>16}", *(f"{name:>12}" for name in modules))
    for title, (by_hand, workload) in ROWS.items():
        runs = {"NumPy": by_hand, **{name: workload(tf) for name, tf in modules.items()}}
        answers = {name: np.asarray(run()) for name, run in runs.items()}
        best = seconds_in_turns(runs, budget)
        cells = []
        for name in modules:
            right = np.allclose(answers[name], answers["NumPy"], rtol=1e-3, atol=1e-5)
            cells.append(f"{best[name] / best['NumPy']:>11.1f}×" if right else f"{'wrong':>12}")
        print(f"{title:32}{best['NumPy'] * 1e6:>13.0f} µs", *cells)


if __name__ == "__main__":
    main()
