"""Compare the speed of minitape with NumPy written by hand and with other frameworks.

    python benchmarks/run.py [--quick] [--busy] [--only text] [--python torch=PATH ...] [--markdown]

Each framework runs in its own process, with one thread, and the processes take turns, one workload at a time: a busy machine
slows all of them, so the ratios are more reliable than the times. PATH is a Python in which that framework is installed. By
default it is the Python that runs this script; a framework that is not installed is skipped. A framework whose result differs
from that of NumPy by hand is marked `wrong`.

Use `--busy` on a machine on which other programs run: it measures processor time instead of wall-clock time, and the minimum
instead of the median.
"""

import argparse
import gc
import importlib
import json
import os
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workloads import WORKLOADS, inputs

HERE = Path(__file__).parent
# One thread each; otherwise the result would depend on the number of idle cores.
ENVIRONMENT = os.environ | {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "",
}
NUMPY = "NumPy"


@dataclass(frozen=True)
class Framework:
    """The module with its programs, the arguments of its `load`, and the code whose start-up time is measured."""

    module: str
    load: tuple[str, ...]
    start: str
    counts_memory: bool = False  # whether tracemalloc sees the memory of its arrays


FRAMEWORKS = {
    NUMPY: Framework("by_hand", (), "import numpy", counts_memory=True),
    "minitape": Framework("with_tape", ("minitape",), "import minitape", counts_memory=True),
    "tensorflow": Framework("with_tape", ("tensorflow",), "import tensorflow"),
    "torch": Framework("with_torch", (), "import torch"),
    "autograd": Framework("with_autograd", (), "import autograd.numpy", counts_memory=True),
}


# --- the process of one framework: it reads requests from stdin, one per line ---


def serve(framework: Framework, workloads: Sequence[Any], inputs: Callable[[Any], Any]) -> None:
    """Answer each request {"workload": i, "seconds": s} with a measurement, as one line of JSON."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # output of the framework must not mix with the answers

    def answer(what: dict[str, Any]) -> None:
        print(json.dumps(what), file=answers, flush=True)

    try:
        programs = importlib.import_module(framework.module)
        answer({"version": programs.load(*framework.load)})
    except ImportError as error:
        answer({"missing": str(error)})
        return
    for line in sys.stdin:
        requested = json.loads(line)
        workload = workloads[requested["workload"]]
        build = getattr(programs, workload.program, None)
        if build is None or (workload.kind == "memory" and not framework.counts_memory):
            answer({})
        elif workload.kind == "memory":
            answer(_peak(build(inputs(workload)), 4 * workload.size))
        else:
            answer(_timed(build(inputs(workload)), requested["seconds"], requested["busy"]))


def _timed(run: Callable[[], Any], seconds: float, busy: bool) -> dict[str, Any]:
    """The median time, or the minimum processor time; and a digest of the first call's result, two numbers per array."""
    clock, typical = (time.process_time, min) if busy else (time.perf_counter, statistics.median)
    result = [_digest(array) for array in run()]
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or not times:
        began = clock()
        run()
        times.append(clock() - began)
    return {"value": typical(times), "result": result}


def _peak(run: Callable[[], Any], unit: int) -> dict[str, Any]:
    gc.collect()
    tracemalloc.start()
    found = run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {"value": peak / unit, "result": [_digest(array) for array in found]}


def _digest(array: Any) -> tuple[float, float]:
    import numpy as np

    numbers = np.asarray(array, np.float64)
    return float(numbers.sum()), float(abs(numbers).max())


# --- all frameworks: start them, let them take turns, collect the results ---


def start(
    names: Iterable[str], pythons: dict[str, str], script: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """Start a process `script --serve NAME` for each installed framework; return the processes and the versions."""
    processes, versions = {}, {}
    for name in names:
        process = subprocess.Popen(
            [pythons.get(name, sys.executable), str(HERE / script), "--serve", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=ENVIRONMENT,
        )
        assert process.stdout is not None
        hello = json.loads(process.stdout.readline() or '{"missing": "the process did not start"}')
        if "version" in hello:
            processes[name], versions[name] = process, hello["version"]
        else:
            print(f"{name}: skipped ({hello['missing']})", file=sys.stderr)
    return processes, versions


def ask(process: Any, index: int, seconds: float, busy: bool) -> dict[str, Any]:
    question = {"workload": index, "seconds": seconds, "busy": busy}
    process.stdin.write(json.dumps(question) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"{process.args} stopped at workload {index}")
    answer: dict[str, Any] = json.loads(line)
    return answer


def _seconds_to_start(python: str, code: str) -> dict[str, Any]:
    began = time.perf_counter()
    subprocess.run([python, "-c", code], env=ENVIRONMENT, check=True, capture_output=True)
    return {"value": time.perf_counter() - began}


def measured(
    index: int,
    kind: str,
    processes: dict[str, Any],
    pythons: dict[str, str],
    quick: bool,
    busy: bool,
) -> dict[str, float | None]:
    """The time of each framework: the median or the minimum of several turns; None if its result is wrong."""
    answers: dict[str, list[dict[str, Any]]] = {name: [] for name in processes}
    for _ in range(1 if kind == "memory" else 2 if quick else 5):
        for name, process in processes.items():
            answers[name].append(
                _seconds_to_start(pythons.get(name, sys.executable), FRAMEWORKS[name].start)
                if kind == "start"
                else ask(process, index, 0.1 if quick else 0.3, busy)
            )
    right = answers[NUMPY][0].get("result")
    typical = min if busy else statistics.median
    return {
        name: typical(answer["value"] for answer in given)
        if _agree(given[0].get("result"), right)
        else None
        for name, given in answers.items()
        if "value" in given[0]
    }


def _agree(result: Any, right: Any) -> bool:
    """Compare the digests of two results with tolerances, because float32 programs add in different orders."""
    if right is None:
        return True
    return len(result) == len(right) and all(
        abs(largest - r) <= 1e-3 * r and abs(total - t) <= 0.05 * max(r, abs(t))
        for (total, largest), (t, r) in zip(result, right, strict=True)
    )


# --- the table ---


def _cell(value: float | None, unit: float, kind: str) -> str:
    if value is None:
        return "wrong"
    if kind == "memory":
        return f"{value:.0f}"
    ratio = value / unit
    return f"{ratio:.0f}" if ratio >= 20 else f"{ratio:.1f}" if ratio >= 2 else f"{ratio:.2f}"


def _by_hand(seconds: float, kind: str) -> str:
    if kind == "memory":
        return f"{seconds:.0f} arrays"
    return f"{seconds * 1e6:.0f} µs" if seconds < 0.01 else f"{seconds * 1e3:.0f} ms"


def main() -> None:
    """Measure each workload, and print its line when it is finished."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small workloads and short turns only")
    parser.add_argument(
        "--busy", action="store_true", help="minimum processor time instead of median time"
    )
    parser.add_argument(
        "--only", default="", help="measure only workloads whose title contains this text"
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
    requested = parser.parse_args()
    if requested.serve:
        serve(FRAMEWORKS[requested.serve], WORKLOADS, inputs)
        return
    pythons = dict(pair.split("=", 1) for pair in requested.python)
    processes, versions = start(FRAMEWORKS, pythons, "run.py")
    peers = [name for name in processes if name != NUMPY]
    head = ["", f"{NUMPY} {versions[NUMPY]}", *(f"{name} {versions[name]}" for name in peers)]
    print_row(head, requested.markdown)
    if requested.markdown:
        print_row(["---", *("---:" for _ in head[1:])], markdown=True)
    for index, workload in enumerate(WORKLOADS):
        if requested.only not in workload.title or (requested.quick and not workload.quick):
            continue
        got = measured(index, workload.kind, processes, pythons, requested.quick, requested.busy)
        unit = got[NUMPY]
        assert unit is not None
        cells = [_cell(got[name], unit, workload.kind) if name in got else "–" for name in peers]
        print_row([workload.title, _by_hand(unit, workload.kind), *cells], requested.markdown)
    for process in processes.values():
        process.stdin.close()
        process.wait()


def print_row(cells: list[str], markdown: bool) -> None:
    if markdown:
        print("|", " | ".join(cells), "|", flush=True)
    else:
        print(f"{cells[0]:44}" + "".join(f"{cell:>18}" for cell in cells[1:]), flush=True)


if __name__ == "__main__":
    main()
