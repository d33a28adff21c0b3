"""The steps that people write call few functions: what no load of the machine changes, so that no later change gives it away.

The programs are those of `benchmarks/steps.py`, and `benchmarks/watched.py` counts what tracing adds to them. Functions of Python
and of C are counted, as `cProfile` counts them.
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"

MOST = {
    "cast to float64, 8×4": 14,
    "network 784-128-10, batch 32, gradient": 410,
    "Keras: 2 dense layers, Adam, a step": 805,
    "Keras: conv, batch norm, pool, dropout, dense, Adam, a step": 2645,
    "Keras: embedding, LSTM of 6 steps, dense, Adam, a step": 4580,
    "MultiHeadAttention(2, 4) on 2×3×4, forward": 645,
    "`fit`, a batch of 32, 2 dense layers": 1310,
}
MOST_FOR_TRACING = {"a step of the network": 4364, "an op of the chain": 183}
# To tell a BLAS of several threads that it has one takes calls, too.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def test_training_step_calls_few_functions() -> None:
    """Counted in a process that did nothing before."""
    assert _too_many("steps.py", MOST) == {}


def test_tracing_calls_few_functions() -> None:
    assert _too_many("watched.py", MOST_FOR_TRACING) == {}


def _too_many(script: str, most: dict[str, int]) -> dict[str, float]:
    """Return the counts of a script that exceed the limits."""
    command = [sys.executable, str(BENCHMARKS / script), "--calls"]
    done = subprocess.run(command, env=os.environ | ONE_THREAD, check=True, capture_output=True)
    calls: dict[str, float] = json.loads(done.stdout)
    assert calls.keys() == most.keys()
    return {title: count for title, count in calls.items() if count > most[title]}


def test_python_and_c_function_calls_are_counted() -> None:
    """The function that is run, `inner` and `len`."""
    found = importlib.util.spec_from_file_location("counting", BENCHMARKS / "counting.py")
    assert found is not None
    assert found.loader is not None
    counting = importlib.util.module_from_spec(found)
    found.loader.exec_module(counting)

    def inner() -> int:
        return len("four")

    assert counting.calls_of(lambda: inner()) == 3
