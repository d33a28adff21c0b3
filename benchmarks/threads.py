"""Measure what a BLAS with several threads costs small programs while other programs keep the cores busy.

    python benchmarks/threads.py [--tensorflow PYTHON]

Each program runs in two processes in turns: with the default number of BLAS threads, and with one. Meanwhile one process per
core runs an endless loop. The times are wall-clock times, because the delay is in waiting for threads.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from typing import Any

STEPS, TURNS = 20, 3
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
PROGRAMS = {
    "network 784-128-10, SGD step, batch 64": ("network", 64),
    "svd of 60×60, gradient": ("factors", 60),
}


def serve(module: str, load: list[str]) -> None:
    """Read a title from each line of stdin, and print the median time of a step of that program in milliseconds."""
    import importlib

    from workloads import Workload, inputs

    programs = importlib.import_module(module)
    programs.load(*load)
    runs = {}
    for title, (program, size) in PROGRAMS.items():
        runs[title] = getattr(programs, program)(inputs(Workload(title, program, size)))
    for line in sys.stdin:
        run = runs[json.loads(line)]
        times = []
        for _ in range(STEPS):
            began = time.perf_counter()
            run()
            times.append(time.perf_counter() - began)
        print(json.dumps(1e3 * statistics.median(times)), flush=True)


def _started(python: str, module: str, load: list[str], environment: dict[str, str]) -> Any:
    command = [python, __file__, "--serve", module, *load]
    free = {name: value for name, value in os.environ.items() if name not in ONE_THREAD}
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=free | environment,
    )


def _asked(process: Any, title: str) -> float:
    process.stdin.write(json.dumps(title) + "\n")
    process.stdin.flush()
    return float(json.loads(process.stdout.readline()))


def main() -> None:
    """Measure each program, and print its line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--tensorflow", metavar="PYTHON", help="a Python in which TensorFlow is installed"
    )
    parser.add_argument("--serve", nargs="+", help=argparse.SUPPRESS)
    requested = parser.parse_args()
    if requested.serve:
        serve(requested.serve[0], requested.serve[1:])
        return
    who = {
        "NumPy": _started(sys.executable, "by_hand", [], {}),
        "NumPy, one thread": _started(sys.executable, "by_hand", [], ONE_THREAD),
        "minitape": _started(sys.executable, "with_tape", ["minitape"], {}),
        "minitape, one thread": _started(sys.executable, "with_tape", ["minitape"], ONE_THREAD),
    }
    if requested.tensorflow:
        quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
        who["TensorFlow, one thread"] = _started(
            requested.tensorflow, "with_tape", ["tensorflow"], ONE_THREAD | quiet
        )
    counting = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(counting) for _ in range(os.cpu_count() or 1)]
    try:
        print(f"| wall-clock time in ms | {' | '.join(who)} |")
        print("| --- |" + " ---: |" * len(who))
        for title in PROGRAMS:
            took: dict[str, list[float]] = {name: [] for name in who}
            for _ in range(TURNS):
                for name, process in who.items():
                    took[name].append(_asked(process, title))
            cells = [f"{statistics.median(times):.1f}" for times in took.values()]
            print(f"| {title} | {' | '.join(cells)} |", flush=True)
    finally:
        for process in (*busy, *who.values()):
            process.kill()


if __name__ == "__main__":
    main()
