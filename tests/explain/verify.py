"""Check the claims of `cases/*/expected.json` on TensorFlow: python tests/explain/verify.py [name or folder ...]

A case claims what one gradient call returns for the affected sources: None, zeros, NaN or Inf, an exception, or, if it is
`partial`, a finite gradient that differs from `whole`, the gradient of all paths together. All other sources have finite,
nonzero gradients. In a healthy script, this applies to all gradients of all calls, unless the script declares that zeros
are intended.
"""

import contextlib
import io
import json
import multiprocessing
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
ZERO = 1e-6  # the float32 rounding error of a sum whose exact value is 0
WATCHED = ("gradient", "jacobian", "batch_jacobian")


@dataclass
class Seen:
    """The results of a script's gradient calls, by line and visit, and the exception that ended it."""

    calls: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    numbers: dict[tuple[int, int], list[Any]] = field(default_factory=dict)
    raised: str | None = None


def dense(gradient: Any) -> Any:
    """Return a gradient as a dense array; the gradient of a gather is IndexedSlices."""
    import tensorflow as tf

    return np.asarray(tf.convert_to_tensor(gradient))


def kind(gradient: Any) -> str:
    """Return the outcome of one source: none, nan, zero or ok."""
    if gradient is None:
        return "none"
    if not np.all(np.isfinite(gradient)):
        return "nan"
    return "ok" if gradient.size and np.abs(gradient).max() > ZERO else "zero"


def observed(script: Path) -> Seen:
    """Run a script on TensorFlow and record each gradient call in its own code."""
    import tensorflow as tf

    seen = Seen()
    visits: dict[int, int] = {}

    def noting(requested: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **settings: Any) -> Any:
            frame = sys._getframe(1)
            if frame.f_code.co_filename != str(script):
                return requested(*args, **settings)
            line = frame.f_lineno
            visits[line] = visits.get(line, 0) + 1
            seen.calls[line, visits[line]] = ["error"]
            gradients = requested(*args, **settings)
            flat = [None if g is None else dense(g) for g in tf.nest.flatten(gradients)]
            seen.calls[line, visits[line]] = list(map(kind, flat))
            seen.numbers[line, visits[line]] = flat
            return gradients

        return call

    for name in WATCHED:
        setattr(tf.GradientTape, name, noting(getattr(tf.GradientTape, name)))
    sys.path.insert(0, str(script.parent))
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            code = compile(script.read_text(), str(script), "exec")
            exec(code, {"__name__": "__main__", "__file__": str(script)})
        except Exception as error:
            seen.raised = type(error).__name__
    return seen


def complaints(entry: dict[str, Any], seen: Seen) -> list[str]:
    """Return a sentence for each claim that TensorFlow contradicts."""
    if entry["outcome"] == "ok":
        return _of_healthy(entry, seen)
    raised = [] if seen.raised == entry.get("raises") else [f"ended with {seen.raised}"]
    calls = [entry, *entry.get("elsewhere", ())]
    return [*(wrong for case in calls for wrong in _of_call(case, seen)), *raised]


def _of_call(case: dict[str, Any], seen: Seen) -> list[str]:
    place = case["gradient_call"]["line"], case["gradient_call"]["visit"]
    if place not in seen.calls:
        return [f"no call at line {place[0]}, visit {place[1]}; saw {seen.calls}, {seen.raised}"]
    if case["outcome"] == "error":
        return [] if seen.calls[place] == ["error"] else [f"did not raise: {seen.calls[place]}"]
    hit = set(case["affected"]) | set(case.get("also", {}).get("affected", ()))
    expected = "ok" if case["outcome"] == "partial" else case["outcome"]
    wrong = [
        f"source {i} gave {got}"
        for i, got in enumerate(seen.calls[place])
        if got != (expected if i in hit else "ok")
    ]
    if max(hit) >= len(seen.calls[place]):
        wrong.append(f"only {len(seen.calls[place])} sources")
    elif "whole" in case:
        wrong += [
            f"source {i} lacks nothing"
            for i in hit
            if np.allclose(seen.numbers[place][i].reshape(-1), case["whole"], rtol=1e-3)
        ]
    return wrong


def _of_healthy(case: dict[str, Any], seen: Seen) -> list[str]:
    fine = {"ok", "zero"} if case.get("zeros_meant") else {"ok"}
    wrong = [f"line {at}: {kinds}" for (at, _), kinds in seen.calls.items() if set(kinds) - fine]
    if not seen.calls:
        wrong.append("no gradient call")
    if seen.raised:
        wrong.append(f"ended with {seen.raised}")
    return wrong


def _put(script: Path, answers: Any) -> None:
    answers.put(observed(script))


def _apart(script: Path) -> Seen:
    """Run this in a separate process, so that scripts do not share seeds, tapes or patches."""
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    process = context.Process(target=_put, args=(script, answers), daemon=True)
    process.start()
    seen: Seen = answers.get(timeout=180)
    process.join()
    return seen


def _entries() -> Iterator[tuple[Path, dict[str, Any]]]:
    for expected in sorted((HERE / "cases").glob("*/expected.json")):
        for name, entry in json.loads(expected.read_text(encoding="utf-8")).items():
            yield expected.parent / f"{name}.py", entry


def main(names: list[str]) -> int:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    tf.get_logger().setLevel("ERROR")
    failing = 0
    for script, entry in _entries():
        if names and not {script.stem, script.parent.name} & set(names):
            continue
        wrong = complaints(entry, _apart(script))
        failing += bool(wrong)
        if wrong:
            print(script.stem, "; ".join(wrong))
    print(f"{failing} contradicted by TensorFlow {tf.__version__}")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
