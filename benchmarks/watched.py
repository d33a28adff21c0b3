"""Measure what tracing costs: run programs alone, and under minitape's commands.

    python benchmarks/watched.py [--busy] [--calls]

Each program runs in its own process. Untraced and traced runs take turns, and the script prints their medians. No other program
should run at the same time. If one does, `--busy` measures processor time and prints the minimums. For a step, this is the
time of the script's process; for the other programs, it is the time of all their processes together. Compiled byte code is
cached between runs, as in an installed package.

With `--calls`, the script instead counts the Python and C functions that tracing calls, in its own process and without a command
that reads the events. The count does not depend on the load of the machine, and `tests/test_calls.py` limits it.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psutil
from counting import calls_of

ITERATIONS = 5

NETWORK = """
import sys, time
import numpy as np
import minitape as tf

batch, clock, steps = int(sys.argv[1]), getattr(time, sys.argv[2]), 100
rng = np.random.default_rng(0)
w1 = tf.Variable(rng.normal(size=(784, 128)).astype(np.float32) * 0.05)
b1 = tf.Variable(np.zeros(128, np.float32))
w2 = tf.Variable(rng.normal(size=(128, 10)).astype(np.float32) * 0.05)
b2 = tf.Variable(np.zeros(10, np.float32))
x = tf.constant(rng.normal(size=(batch, 784)).astype(np.float32))
labels = tf.one_hot(rng.integers(0, 10, batch), 10)

def step():
    with tf.GradientTape() as tape:
        logits = tf.nn.relu(x @ w1 + b1) @ w2 + b2
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels, logits))
    weights = [w1, b1, w2, b2]
    for weight, slope in zip(weights, tape.gradient(loss, weights)):
        weight.assign_sub(0.1 * slope)

step()
began = clock()
for _ in range(steps):
    step()
print((clock() - began) / steps)
"""

CHAIN = """
import minitape as tf

x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = x
    for _ in range(20_000):
        y = y * 1.0001
tape.gradient(y, x)
"""

TRAINING = """
import minitape as tf

w, b = tf.Variable([[0.1], [0.2]]), tf.Variable([0.0])
x, y = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1.0], [0.0]])
for step in range(1_000):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.tanh(x @ w + b) - y) ** 2)
    for weight, slope in zip([w, b], tape.gradient(loss, [w, b])):
        weight.assign_sub(0.1 * slope)
"""

COMMAND = [sys.executable, "-m", "minitape_cli"]
WITHOUT_LIMITS = ["--max-ops", "0", "--timeout", "0"]


def printed(*command: str) -> float:
    """The number that a program prints."""
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(ran.stdout.split()[-1])


def taken(*command: str) -> float:
    """The wall-clock time of a command in seconds, from its start to its end."""
    return _elapsed(time.perf_counter, command)


def used(*command: str) -> float:
    """The processor time of a command and of the processes that it starts, in seconds."""
    return _elapsed(_used_by_children, command)


def _elapsed(clock: Callable[[], float], command: Sequence[str]) -> float:
    began = clock()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return clock() - began


def _used_by_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def peak(*command: str) -> int:
    """The peak memory of a command's own process in bytes, without the script's process."""
    most = 0
    process = psutil.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        try:
            most = max(most, process.memory_info().rss)
        except psutil.Error:
            break
        time.sleep(0.005)
    return most


def counted() -> dict[str, float]:
    """The number of functions that tracing calls in a step of a network with batch 32, and for each op of a chain."""
    return {
        "a step of the network": _calls_in(_step, 1),
        "an op of the chain": _calls_in(_chain, 200),
    }


def _calls_in(program: Callable[[Any], Callable[[], None]], parts: int) -> float:
    import minitape
    from minitape.run.messages import of_event
    from minitape.tracer.tracer import Tracer

    def write(event: dict[str, Any]) -> None:
        of_event(event)

    run = program(minitape)
    alone = calls_of(run)
    with Tracer(write, keep=False):
        return (calls_of(run) - alone) / parts


def _step(tf: Any) -> Callable[[], None]:
    weights = [tf.ones([784, 128]), tf.zeros([128]), tf.ones([128, 10]), tf.zeros([10])]
    w1, b1, w2, b2 = variables = [tf.Variable(weight * 0.05) for weight in weights]
    x, labels = tf.ones([32, 784]), tf.one_hot([0, 1, 2, 3] * 8, 10)

    def step() -> None:
        with tf.GradientTape() as tape:
            logits = tf.nn.relu(x @ w1 + b1) @ w2 + b2
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels, logits))
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(0.1 * gradient)

    return step


def _chain(tf: Any) -> Callable[[], None]:
    x = tf.Variable(1.0)

    def chain() -> None:
        with tf.GradientTape() as tape:
            y = x
            for _ in range(200):
                y = y * 1.0001
        tape.gradient(y, x)

    return chain


def both(
    alone: list[str],
    watched: list[str],
    measure: Callable[..., float],
    typical: Callable[[list[float]], float],
) -> tuple[float, float]:
    """The typical times of an untraced and of a traced program, which run in turns."""
    pairs = [(measure(*alone), measure(*watched)) for _ in range(ITERATIONS)]
    return typical([a for a, _ in pairs]), typical([b for _, b in pairs])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--busy", action="store_true", help="minimum processor time instead of median time"
    )
    parser.add_argument(
        "--calls", action="store_true", help="count calls instead of measuring time"
    )
    requested = parser.parse_args()
    if requested.calls:
        print(json.dumps(counted()))
        return
    typical = min if requested.busy else statistics.median
    clock = "process_time" if requested.busy else "perf_counter"
    measure = used if requested.busy else taken
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", PYTHONPYCACHEPREFIX=name)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        paths = {}
        for program, text in (("network", NETWORK), ("chain", CHAIN), ("training", TRAINING)):
            paths[program] = str(folder / f"{program}.py")
            Path(paths[program]).write_text(text, encoding="utf-8")
        print("| | alone | traced | ratio |\n| --- | ---: | ---: | ---: |")
        for batch in ("32", "256"):
            one, other = both(
                [sys.executable, paths["network"], batch, clock],
                [*COMMAND, "run", "--no-summary", paths["network"], "--", batch, clock],
                printed,
                typical,
            )
            row = f"| network 784-128-10, SGD step, batch {batch}"
            print(f"{row} | {one * 1e3:.2f} ms | {other * 1e3:.2f} ms | {other / one:.1f} |")
        one, other = both(
            [sys.executable, paths["chain"]],
            [*COMMAND, "explain", *WITHOUT_LIMITS, paths["chain"]],
            measure,
            typical,
        )
        print(
            f"| chain of 20,000 ops, explained | {one:.2f} s | {other:.2f} s | {other / one:.1f} |"
        )
        detour = [*COMMAND, "explain", "numpy_detour"]
        seconds = typical([measure(*detour) for _ in range(ITERATIONS)])
        print(f"| `minitape explain numpy_detour` | | {seconds:.2f} s | |")
        most = peak(*COMMAND, "explain", *WITHOUT_LIMITS, paths["training"])
        print(f"| 1,000 steps of training, memory of the command | | {most / 1e6:.0f} MB | |")


if __name__ == "__main__":
    main()
