"""Check the claims of `programs.json` on TensorFlow: python tests/on_tensorflow/verify.py [name ...]

Each program and each twin runs twice in separate processes: as it is written, and with TensorFlow's functions run eagerly, so
that the gradients inside them are numbers. Both runs must finish and print the same. The line of a gradient call is the line of
the program that led to it: the user's own call of a tape, `model.fit(...)`, or an optimizer's `compute_gradients`.

    in a program    the sources named in `wrt` have the outcome each time that line requests them, the first time at `visit`;
                    all other sources of all calls have finite, nonzero gradients
    in a twin       all gradients of all calls are finite and nonzero
"""

import contextlib
import io
import json
import multiprocessing
import os
import runpy
import sys
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

HERE = Path(__file__).parent
ZERO = 1e-6  # what float32 leaves of a sum that is 0 on paper


@dataclass(frozen=True)
class Source:
    """What one gradient call returned for one of its sources.

    `visit` counts the calls of that line from 1; line 0 is a call with no line of the program above it.
    """

    line: int
    visit: int
    name: str
    outcome: str


@dataclass
class Seen:
    """The gradients of a run of a program, its output, and the exception that ended it."""

    sources: list[Source] = field(default_factory=list)
    printed: str = ""
    raised: str | None = None


def kind(gradient: Any) -> str:
    """none, nan, zero or ok; `graph` for a symbolic gradient."""
    import tensorflow as tf

    if gradient is None:
        return "none"
    dense = tf.convert_to_tensor(gradient)  # the gradient of a gather is IndexedSlices
    if not hasattr(dense, "numpy"):
        return "graph"
    numbers = dense.numpy()
    if not np.all(np.isfinite(numbers)):
        return "nan"
    return "ok" if numbers.size and np.abs(numbers).max() > ZERO else "zero"


def name_of(source: Any, caller: FrameType | None) -> str:
    """A variable's own name; a tensor has the name that the caller uses."""
    path = getattr(source, "path", None)  # a variable of Keras
    if path:
        return str(path)
    own = {} if caller is None else caller.f_locals
    names = [name for name, value in own.items() if value is source]
    return names[0] if names else str(source.name).partition(":")[0]


def caller_in(script: Path) -> FrameType | None:
    """The innermost frame of the program: its own call, or the call of Keras that led to one.

    Compiled functions have no such frame, because TensorFlow runs generated code, in a separate thread if there are replicas.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != str(script):
        frame = frame.f_back
    return frame


def observed(script: Path, eagerly: bool) -> Seen:
    """Run a program under TensorFlow and record what each gradient call returns for each source."""
    import tensorflow as tf

    tf.config.run_functions_eagerly(eagerly)
    seen, visits, requested = Seen(), Counter[int](), tf.GradientTape.gradient

    def noting(tape: Any, target: Any, sources: Any, *args: Any, **settings: Any) -> Any:
        caller = caller_in(script)
        line = 0 if caller is None else caller.f_lineno
        visits[line] += 1
        gradients = requested(tape, target, sources, *args, **settings)
        for source, gradient in zip(tf.nest.flatten(sources), tf.nest.flatten(gradients)):
            name = name_of(source, caller)
            seen.sources.append(Source(line, visits[line], name, kind(gradient)))
        return gradients

    tf.GradientTape.gradient = noting
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            runpy.run_path(str(script), run_name="__main__")
        except Exception as error:
            seen.raised = f"{type(error).__name__}: {error}"
    seen.printed = printed.getvalue()
    return seen


def complaints(findings: list[dict[str, Any]], plain: Seen, eager: Seen) -> list[str]:
    """Return a sentence for each claim that TensorFlow contradicts; a twin has no findings."""
    wrong = [f"ended with {seen.raised}" for seen in (plain, eager) if seen.raised]
    if not eager.sources:
        wrong.append("no gradient call")
    if any(at.line == 0 for at in eager.sources):
        wrong.append("a gradient call that no line of the program led to")
    if plain.printed != eager.printed:
        wrong.append(f"prints something else eagerly:\n{plain.printed}\n{eager.printed}")

    expected = {(each["line"], name): each for each in findings for name in each["wrt"]}
    for at in eager.sources:
        finding = expected.get((at.line, at.name))
        if at.outcome != (finding["outcome"] if finding else "ok"):
            wrong.append(f"line {at.line}, visit {at.visit}: {at.name} is {at.outcome}")
    for (line, name), finding in expected.items():
        requested = [at.visit for at in eager.sources if (at.line, at.name) == (line, name)]
        if requested[:1] != [finding["visit"]]:
            wrong.append(f"line {line} requests {name} at {requested}")

    # Compiled functions have no lines of the program.
    lost = {at.name for at in plain.sources if at.outcome == "none"}
    claimed = {name for (_, name), each in expected.items() if each["outcome"] == "none"}
    if lost != claimed:
        wrong.append(f"compiled, {sorted(lost)} are None and not {sorted(claimed)}")
    return wrong


def _put(script: Path, eagerly: bool, answers: Any) -> None:
    answers.put(observed(script, eagerly))


def _apart(script: Path, eagerly: bool) -> Seen:
    """Run in a separate process: no program may see another's devices, seeds or patches."""
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    process = context.Process(target=_put, args=(script, eagerly, answers), daemon=True)
    process.start()
    seen: Seen = answers.get(timeout=180)
    process.join()
    return seen


def main(names: list[str]) -> int:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    tf.get_logger().setLevel("ERROR")
    programs = json.loads((HERE / "programs.json").read_text())
    failing = 0
    for name, program in programs.items():
        if names and name not in names:
            continue
        for file, findings in ((program["file"], program["findings"]), (program["twin"], [])):
            script = HERE / file
            plain, eager = (_apart(script, eagerly) for eagerly in (False, True))
            wrong = complaints(findings, plain, eager)
            failing += bool(wrong)
            calls = len({(at.line, at.visit) for at in eager.sources})
            print(
                f"{file}: {calls} gradient calls, {len(eager.sources)} sources", *wrong, sep="\n  "
            )
    print(f"{failing} contradicted by TensorFlow {tf.__version__}")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
