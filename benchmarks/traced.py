"""Measure what tracing costs a program on TensorFlow: run it alone and under the tracer.

Usage: `python benchmarks/traced.py PYTHON`. PYTHON is a Python in which TensorFlow is installed; the Python that runs this
script needs minitape.

Each measurement runs in its own process. Untraced and traced runs take turns, and the script prints their medians. No other
program should run at the same time.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ITERATIONS = 3
ROOT = Path(__file__).resolve().parents[1]
QUIET = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}

PROGRAM = """
import resource, sys, time
import numpy as np
import tensorflow as tf

traced, what = sys.argv[1] == "traced", sys.argv[2]

def small(count):
    x = tf.Variable(1.0)
    began = time.perf_counter()
    with tf.GradientTape() as tape:
        y = tf.constant(1.0) * x
        for _ in range(count):
            y = y * 1.0001
    tape.gradient(y, x)
    return (time.perf_counter() - began) / count * 1e6

rng = np.random.default_rng(0)
w1 = tf.Variable(rng.normal(size=(784, 128)).astype(np.float32) * 0.05)
b1 = tf.Variable(np.zeros(128, np.float32))
w2 = tf.Variable(rng.normal(size=(128, 10)).astype(np.float32) * 0.05)
b2 = tf.Variable(np.zeros(10, np.float32))
x = tf.constant(rng.normal(size=(256, 784)).astype(np.float32))
labels = tf.one_hot(rng.integers(0, 10, 256), 10)

def step():
    began = time.perf_counter()
    with tf.GradientTape() as tape:
        logits = tf.nn.relu(x @ w1 + b1) @ w2 + b2
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels, logits))
    weights = [w1, b1, w2, b2]
    for weight, slope in zip(weights, tape.gradient(loss, weights)):
        weight.assign_sub(0.1 * slope)
    return (time.perf_counter() - began) * 1e3

def run():
    if what == "op":
        small(200)
        return sorted(small(1500) for _ in range(5))[2]
    if what == "step":
        return sorted(step() for _ in range(60))[30]
    small(20_000)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

if traced:
    sys.path.insert(0, sys.argv[3])
    from minitape.tracer.tensorflow import TensorFlow
    from minitape.tracer.tracer import Tracer
    from minitape.trace.writing import encode
    with Tracer(encode, keep=False, script=__file__, engine=TensorFlow(), max_events=10**9):
        print(run())
else:
    print(run())
"""

ROWS = {
    "op": "a small op, forward and backward, µs",
    "step": "network 784-128-10, SGD step, batch 256, ms",
    "memory": "20,000 ops, memory of the process, MB",
}
SCRIPT = """
import tensorflow as tf
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.square(x)
print(tape.gradient(y, x))
"""


def printed(*command: str) -> float:
    """The number that a program prints."""
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=QUIET)
    return float(ran.stdout.split()[-1])


def taken(*command: str) -> float:
    """The wall-clock time of a command in seconds."""
    began = time.perf_counter()
    subprocess.run(command, capture_output=True, env=QUIET)
    return time.perf_counter() - began


def main(python: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        program, script = Path(name, "program.py"), Path(name, "script.py")
        program.write_text(PROGRAM, encoding="utf-8")
        script.write_text(SCRIPT, encoding="utf-8")
        print("| | alone | traced | ratio |\n| --- | ---: | ---: | ---: |")
        for what, row in ROWS.items():
            pairs = [
                [printed(python, str(program), how, what, str(ROOT)) for how in ("alone", "traced")]
                for _ in range(ITERATIONS)
            ]
            alone, traced = (statistics.median(each) for each in zip(*pairs, strict=True))
            print(f"| {row} | {alone:.4g} | {traced:.4g} | {traced / alone:.1f} |")
        command = [sys.executable, "-m", "minitape_cli", "explain", "--python", python, str(script)]
        alone = statistics.median(taken(python, str(script)) for _ in range(ITERATIONS))
        explained = statistics.median(taken(*command) for _ in range(ITERATIONS))
        row = "a small script that imports TensorFlow, explained, s"
        print(f"| {row} | {alone:.2f} | {explained:.2f} | {explained / alone:.1f} |")


if __name__ == "__main__":
    main(sys.argv[1])
