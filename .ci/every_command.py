"""Run every command once, with the Python that runs this file, and check each exit code.

    python -m pip install . && python .ci/every_command.py

The list of commands comes from the installed program, so a command that is missing from `CALLS` is an error. Only minitape needs
to be installed: the check finds commands that fail without an optional package.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import typer

from minitape_cli.app import app

LOST = "numpy_detour"  # an example with a finding
TRACE = "run.tape.jsonl"  # the first call with `-o` writes it

# Each command line and its expected exit code. The commands run in this order, in the same folder.
CALLS: tuple[tuple[str, int], ...] = (
    ("run parabola", 0),
    (f"trace {LOST} -o {TRACE}", 0),
    ("trace parabola", 0),
    (f"step {LOST}", 0),
    (f"graph {LOST} -o tape.svg", 0),
    (f"html {LOST} -o page.html", 0),
    (f"explain {LOST}", 1),
    ("explain --list", 0),
    ("explain MT201", 0),
    ("check parabola", 0),
    (f"diff {TRACE} {TRACE}", 0),
    ("compare parabola", 5),  # TensorFlow is not installed
    ("ops", 0),
    ("ops MatMul", 0),
    ("ops tf.nn.moments", 0),
    ("doctor", 0),
    ("completion bash", 0),
    ("examples", 0),
    ("examples list", 0),
    (f"examples show {LOST}", 0),
    (f"examples run {LOST}", 0),
    (f"examples copy {LOST}", 0),
    ("lesson init", 0),
    ("lesson", 1),  # checks the next exercise, which is not solved yet
    ("lesson list", 0),
    ("lesson run 01/1", 1),
    ("lesson watch 01/1", 0),
    ("lesson hint 01/1", 0),
    ("lesson show 01/1", 0),
    ("lesson see 01/1", 0),
    ("lesson reset 01/1 --yes", 0),
    ("lesson check-all", 1),
    ("lesson export 01", 0),
    ("lesson new mine", 0),
    ("lesson answers --course mine --solutions mine/solutions", 0),
    ("lesson lint mine", 0),
    ("lesson grade .", 0),
)


def commands(group: Any, before: tuple[str, ...] = ()) -> Iterator[str]:
    """The names of all commands and command groups."""
    for name, command in group.commands.items():
        path = (*before, name)
        yield " ".join(path)
        if hasattr(command, "commands"):
            yield from commands(command, path)


def forgotten(names: list[str]) -> list[str]:
    """The commands that `CALLS` does not run."""
    # The longest match counts: `lesson run 01/1` is a call of `lesson run`, not of `lesson`.
    called = {
        max((name for name in names if f"{call} ".startswith(f"{name} ")), key=len, default="")
        for call, _ in CALLS
    }
    return [name for name in names if name not in called]


def main() -> int:
    """Run all calls, and return the number of those with an unexpected exit code."""
    missing = forgotten(list(commands(typer.main.get_command(app))))
    if missing:
        print("CALLS has no entry for:", ", ".join(missing))
        return 1
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for call, code in CALLS:
            done = subprocess.run(
                [sys.executable, "-m", "minitape", *call.split()],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=1800,
            )
            is_right = done.returncode == code
            print(
                "ok  " if is_right else "FAIL", f"{done.returncode:3}  minitape {call}", flush=True
            )
            if not is_right:
                wrong += 1
                print(f"expected exit code {code}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return wrong


if __name__ == "__main__":
    sys.exit(min(main(), 1))
