"""Run scripts on TensorFlow, traced and untraced, for the tests of the tracer.

    python trace_script.py [--only] FOLDER SCRIPT...     any Python that has TensorFlow; minitape is imported from this checkout

For each script, the folder receives its trace (`name.jsonl`), what it printed while traced (`name.received`) and, except with
`--only`, what it prints otherwise (`name.plain`). TensorFlow starts once, and each run is a copy of that process.
"""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import contextlib
import io
import json
import sys
import types
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import keras
import numpy as np
import tensorflow as tf

from minitape.run.child.crash import steps
from minitape.trace.writing import encode
from minitape.tracer import source
from minitape.tracer.tensorflow import TensorFlow
from minitape.tracer.tracer import Tracer


def perform(script: Path, tracer: Tracer | None) -> None:
    """Run a script as `__main__`, seeded."""
    module = types.ModuleType("__main__")
    module.__file__ = str(script)
    sys.modules["__main__"] = module
    sys.argv = [str(script)]
    sys.path.insert(0, str(script.parent))
    np.random.seed(0)
    tf.random.set_seed(0)
    keras.utils.set_random_seed(0)
    code = compile(script.read_text(encoding="utf-8"), str(script), "exec")

    def run() -> None:
        exec(code, module.__dict__)

    source.add_doorstep(run.__code__)
    if tracer is not None:
        tracer.start()
    try:
        run()
    except Exception as raised:
        print(f"{type(raised).__name__}: {raised}")
        if tracer is not None:
            tracer.fail(raised, steps(raised))
    if tracer is not None:
        tracer.stop()
        if tracer.failure is not None:
            print("DEAF", tracer.failure)


def in_a_copy(function: Callable[[], None], printed: Path) -> None:
    """Call the function in a copy of this process, and store what it prints."""
    sys.stdout.flush()
    copy = os.fork()
    if copy == 0:
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                function()
        finally:
            printed.write_text(said.getvalue(), encoding="utf-8")
            os._exit(0)
    os.waitpid(copy, 0)


def received(script: Path, trace: Path) -> None:
    """Run a script under the tracer."""
    with trace.open("w", encoding="utf-8") as file:
        tracer = Tracer(
            lambda event: print(encode(event), file=file),
            script=str(script),
            version="0",
            keep=False,
            forgiving=True,
            engine=TensorFlow(),
        )
        perform(script, tracer)


def main(folder: Path, scripts: list[Path], *, only_traced: bool) -> None:
    for script in scripts:
        place = folder / script.stem
        if not only_traced:
            in_a_copy(lambda script=script: perform(script, None), place.with_suffix(".plain"))
        in_a_copy(
            lambda script=script, place=place: received(script, place.with_suffix(".jsonl")),
            place.with_suffix(".heard"),
        )
    print(json.dumps({"tensorflow": tf.__version__, "scripts": len(scripts)}))


if __name__ == "__main__":
    only_traced = sys.argv[1] == "--only"
    folder, *scripts = map(Path, sys.argv[1 + only_traced :])
    main(folder, scripts, only_traced=only_traced)
