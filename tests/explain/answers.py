"""Compare all answers of the explainer before and after a change: python tests/explain/answers.py [REVISION] [--jobs 2]

The programs are those of this checkout: the cases, the lessons, the examples and the guides. Each program is explained by the
code of REVISION (default: HEAD) in a temporary checkout, and by the code of this folder. The command prints every answer that
differs. A review of a change to the explainer starts with this list. The exit code is 1 if an answer differs.

    answer       the answer about one program: findings, outcomes and notes
    answers      the answers about all programs, given by the code of one folder
    differences  the programs whose answers differ, each with the lines that were removed and added
"""

import argparse
import difflib
import io
import json
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def answer(program: Path) -> list[str]:
    """Return the answer about one program as lines.

    Args:
        program: A script.

    Returns:
        One line for each source that has a finding or no good gradient, for each finding, and for each note.
    """
    from traced import run

    from minitape import keras
    from minitape.explain.explain import explain

    keras.backend.clear_session()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ran = run(program, on="minitape", stdout=io.StringIO())
    report = explain(ran.trace)
    lines = []
    for call in report.calls:
        for source in call.sources:
            if source.findings or source.outcome != "ok":
                lines.append(
                    f"line {call.location.line}, visit {call.visit}: {source.name} is {source.outcome}"
                )
            lines += [_in_words(finding) for finding in source.findings]
    return lines + [f"    note {_in_words(note).strip()}" for note in report.notes]


def _in_words(found: Any) -> str:
    confidence = f" {found.confidence}" if hasattr(found, "confidence") else ""
    place = f"{Path(found.location.file).name}:{found.location.line}"
    return f"    {found.code} {found.slug}{confidence} at {place}: {found.message} | {found.fix}"


def programs() -> list[Path]:
    """Return all programs of the collections."""
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "explain")]
    from explain.judge import pages
    from explain.programs import PROGRAMS

    return [script for script, _ in pages()] + list(PROGRAMS.values())


def answers(folder: Path, jobs: int) -> dict[str, list[str]]:
    """Return the answers about all programs, given by the code in `folder`.

    Args:
        folder: A checkout of minitape.
        jobs: The number of processes.

    Returns:
        The lines of `answer` for each program, by its path in this checkout.

    Raises:
        subprocess.CalledProcessError: A process failed.
    """
    command = [sys.executable, __file__, "--explain-with", str(folder)]
    parts = [[*command, "--part", f"{part}/{jobs}"] for part in range(jobs)]
    running = [subprocess.Popen(part, stdout=subprocess.PIPE, text=True) for part in parts]
    found: dict[str, list[str]] = {}
    for process in running:
        out, _ = process.communicate()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, process.args)
        found |= json.loads(out)
    return found


def _of_part(folder: Path, part: str) -> dict[str, list[str]]:
    """Return the answers about every n-th program. Runs in a process in which `minitape` is the package in `folder`."""
    every = programs()  # always the cases of this checkout
    number, count = map(int, part.split("/"))
    chosen = every[number::count]
    return {str(each.relative_to(ROOT)): answer(each) for each in chosen}


def differences(before: dict[str, list[str]], after: dict[str, list[str]]) -> Iterator[str]:
    """Yield the programs whose answers differ, each with a diff."""
    for name in sorted(after):
        if before.get(name) != after[name]:
            changes = difflib.ndiff(before.get(name, []), after[name])
            yield "\n".join([name, *(each for each in changes if each[0] in "+-")])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("revision", nargs="?", default="HEAD")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--explain-with", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--part", default="0/1", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.explain_with is not None:
        sys.path.insert(0, str(options.explain_with))
        print(json.dumps(_of_part(options.explain_with, options.part)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "before"
        subprocess.run(
            ["git", "worktree", "add", "-q", "--detach", str(checkout), options.revision],
            cwd=ROOT,
            check=True,
        )
        try:
            before = answers(checkout, options.jobs)
        finally:
            subprocess.run(
                ["git", "worktree", "remove", "--force", str(checkout)], cwd=ROOT, check=True
            )
    after = answers(ROOT, options.jobs)
    changed = list(differences(before, after))
    print("\n\n".join([*changed, f"{len(changed)} of {len(after)} answers differ"]))
    return bool(changed)


if __name__ == "__main__":
    sys.exit(main())
