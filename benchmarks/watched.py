"""Measure what tracing costs: run programs alone, and under minitape's commands.

    python benchmarks/watched.py

Each program runs in its own process. Untraced and traced runs take turns, and the script prints their medians. No other program
should run at the same time. Compiled byte code is cached between runs, as in an installed package.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

ITERATIONS = 5

NETWORK = """
import sys, time
import numpy as np
import minitape as tf

batch, steps = int(sys.argv[1]), 100
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
began = time.perf_counter()
for _ in range(steps):
    step()
print((time.perf_counter() - began) / steps)
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
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


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


def both(alone: list[str], watched: list[str], measure: object) -> tuple[float, float]:
    """The medians of an untraced and of a traced program, which run in turns."""
    pairs = [(measure(*alone), measure(*watched)) for _ in range(ITERATIONS)]  # type: ignore[operator]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def main() -> None:
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
                [sys.executable, paths["network"], batch],
                [*COMMAND, "run", "--no-summary", paths["network"], "--", batch],
                printed,
            )
            row = f"| network 784-128-10, SGD step, batch {batch}"
            print(f"{row} | {one * 1e3:.2f} ms | {other * 1e3:.2f} ms | {other / one:.1f} |")
        one, other = both(
            [sys.executable, paths["chain"]],
            [*COMMAND, "explain", *WITHOUT_LIMITS, paths["chain"]],
            taken,
        )
        print(
            f"| chain of 20,000 ops, explained | {one:.2f} s | {other:.2f} s | {other / one:.1f} |"
        )
        detour = [*COMMAND, "explain", "numpy_detour"]
        seconds = statistics.median(taken(*detour) for _ in range(ITERATIONS))
        print(f"| `minitape explain numpy_detour` | | {seconds:.2f} s | |")
        most = peak(*COMMAND, "explain", *WITHOUT_LIMITS, paths["training"])
        print(f"| 1,000 steps of training, memory of the command | | {most / 1e6:.0f} MB | |")


if __name__ == "__main__":
    main()
