"""The steps that people write call few functions: what no load of the machine changes, so that no later change gives it away.

The programs are those of `benchmarks/steps.py`. Functions of Python and of C are counted, as `cProfile` counts them.
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"

MOST = {
    "cast to float64, 8×4": 40,
    "network 784-128-10, batch 32, gradient": 420,
    "Keras: 2 dense layers, Adam, a step": 1000,
    "Keras: conv, batch norm, pool, dropout, dense, Adam, a step": 3000,
    "Keras: embedding, LSTM of 6 steps, dense, Adam, a step": 5000,
    "MultiHeadAttention(2, 4) on 2×3×4, forward": 800,
    "`fit`, a batch of 32, 2 dense layers": 1500,
}
# To tell a BLAS of several threads that it has one takes calls, too.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def test_a_step_calls_few_functions() -> None:
    """Counted in a process that did nothing before."""
    command = [sys.executable, str(BENCHMARKS / "steps.py"), "--calls"]
    done = subprocess.run(command, env=os.environ | ONE_THREAD, check=True, capture_output=True)
    calls = json.loads(done.stdout)
    assert calls.keys() == MOST.keys()
    assert {title: count for title, count in calls.items() if count > MOST[title]} == {}


def test_what_is_counted_are_functions_of_python_and_of_c() -> None:
    """The function that is run, `inner` and `len`."""
    found = importlib.util.spec_from_file_location("counting", BENCHMARKS / "counting.py")
    assert found is not None
    assert found.loader is not None
    counting = importlib.util.module_from_spec(found)
    found.loader.exec_module(counting)

    def inner() -> int:
        return len("four")

    assert counting.calls_of(lambda: inner()) == 3
