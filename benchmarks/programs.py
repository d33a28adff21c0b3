"""Measure how long whole programs take on minitape and on TensorFlow.

    python benchmarks/programs.py [--only text] [--tensorflow PATH] [--repeat N] [--markdown]

The programs are those of `tests/guides/scripts/program_*.py`, which are as short as guides are, and the longer ones in
`benchmarks/long`. They run unchanged, each in its own process with one thread. The time is measured from the end of
`import tensorflow` to the end of the program, so it includes graph tracing but not TensorFlow's start-up. The engines take
turns, and the minimum of the repetitions counts. PATH is a Python in which TensorFlow is installed.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
GUIDES = HERE.parent / "tests" / "guides" / "scripts"
PROGRAMS = [*sorted(GUIDES.glob("program_*.py")), *sorted((HERE / "long").glob("*.py"))]
# One thread each; otherwise the result would depend on the number of idle cores.
ENVIRONMENT = os.environ | {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "",
}
MINITAPE = "from minitape.run.child.alias import Alias; Alias().__enter__()"
TIMED = """
import contextlib, io, runpy, sys, time, warnings
warnings.simplefilter("ignore")
{serve}
import tensorflow as tf
tf.keras.layers, tf.data.Dataset
begun = time.perf_counter()
with contextlib.redirect_stdout(io.StringIO()):
    runpy.run_path(sys.argv[1], run_name="__main__")
print(time.perf_counter() - begun)
"""


def seconds(python: str, serve: str, program: Path) -> float:
    """Run a program once, and return its time in seconds."""
    command = [python, "-c", TIMED.format(serve=serve), str(program)]
    ran = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    return float(ran.stdout.split()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", default="", help="measure only programs whose name contains this text"
    )
    parser.add_argument(
        "--tensorflow", default=sys.executable, help="a Python in which TensorFlow is installed"
    )
    parser.add_argument("--repeat", type=int, default=3, help="runs of each program")
    parser.add_argument(
        "--markdown", action="store_true", help="print a Markdown table, as in README.md"
    )
    requested = parser.parse_args()
    form = "| {} | {} | {} | {} |" if requested.markdown else "{:28} {:>10} {:>10} {:>6}"
    print(form.format("program", "minitape", "TensorFlow", "ratio"))
    if requested.markdown:
        print("| --- | ---: | ---: | ---: |")
    for program in PROGRAMS:
        if requested.only not in program.stem:
            continue
        runs = [
            (seconds(sys.executable, MINITAPE, program), seconds(requested.tensorflow, "", program))
            for _ in range(requested.repeat)
        ]
        ours, theirs = (min(times) for times in zip(*runs, strict=True))
        name = program.stem.removeprefix("program_").replace("_", " ")
        print(
            form.format(name, f"{ours:.2f} s", f"{theirs:.2f} s", f"{ours / theirs:.2f}"),
            flush=True,
        )


if __name__ == "__main__":
    main()
