"""Mutation testing: python tests/mutants [PACKAGE ...] [--count 15] [--seed 1] [--whole]

    changes.py    the changes: to a comparison, a condition, a constant
    reach.py      finds the tests that execute a change
    reached.py    records that a running test executes a function

For each change, the tests that enter its function are run: first those of a default run, then, with `--whole`, those of a whole
run. A change that exceeds the time limit counts as detected, because a test would hang. Undetected changes are printed: either
they have no visible effect, or a test is missing. The table is the one in docs/tests.md. With `--results`, a second run with the
same changes continues where the first one ended.
"""

import argparse
import os
import random
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from changes import Change, changes
from reach import ROOT, Checkout, by_reach, reaching

PACKAGES = {
    "core": ["minitape/core"],
    "ops": ["minitape/ops"],
    "autodiff": ["minitape/autodiff"],
    "keras": ["minitape/keras"],
    "data": ["minitape/data"],
    "tracer": ["minitape/tracer", "minitape/trace"],
    "explain": ["minitape/explain"],
    "fixes": ["minitape/fixes", "minitape/verify"],
    "draw": ["minitape/draw"],
    "page": ["minitape/html"],
    "run": ["minitape/run"],
    "cli": ["cli/minitape_cli"],
}


def sample(package: str, count: int, seed: int) -> list[Change]:
    files = [each for room in PACKAGES[package] for each in sorted((ROOT / room).rglob("*.py"))]
    every = [each for file in files for each in changes(ROOT, file.relative_to(ROOT))]
    return random.Random(f"{package} {seed}").sample(every, count)


def noticed(change: Change, checkout: Checkout, tests: list[str], options: list[str]) -> str:
    """Return the failure by which the tests detect a change; empty if they do not."""
    if not tests:
        return ""
    path = checkout.folder / change.file
    as_it_was = path.read_bytes()
    path.write_bytes(change.of(as_it_was))
    try:
        for some in by_reach(tests, change.file):
            reported = _reported(checkout, some, options)
            if reported:
                return reported
    finally:
        path.write_bytes(as_it_was)
    return ""


def _reported(checkout: Checkout, tests: list[str], options: list[str]) -> str:
    """Return the first failure of these tests; empty if they pass. A test that fails only once does not count, because the
    machine may have been busy.
    """
    for _ in range(3):
        try:
            ran = checkout.only(tests, "-x", *options)
        except subprocess.TimeoutExpired:
            return "it hangs"
        if ran.returncode in (0, 5):
            return ""
        lines = ran.stdout.splitlines()
        reported = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
        failed = [test for test in tests if any(f" {test}" in line for line in reported)]
        if ran.returncode == -signal.SIGXCPU or (reported and not failed):
            break  # it runs forever, or a module cannot be imported
        if failed and checkout.only(failed, "-x", *options).returncode not in (0, 5):
            break
        tests = [test for test in tests if test not in failed]
        if not tests:
            return ""
    return (reported or [f"the run ends with exit code {ran.returncode}"])[0][:200]


def unnoticed(every: list[Change], room: Path, options: list[str], jobs: int) -> list[Change]:
    """Return the changes that no test of such a run detects; each result is printed as soon as it is known."""
    tests = reaching(every, room, options)
    free: SimpleQueue[Checkout] = SimpleQueue()
    for job in range(jobs):
        free.put(Checkout(room / f"job{job}"))

    verdicts = room / "verdicts.txt"
    lines = verdicts.read_text(encoding="utf-8").splitlines() if verdicts.exists() else []
    known = dict(line.split("\t", 1) for line in lines)

    def judged(change: Change) -> str:
        if str(change) in known:
            return known[str(change)]
        checkout = free.get()
        try:
            reported = noticed(change, checkout, tests[change], options)
        finally:
            free.put(checkout)
        with verdicts.open("a", encoding="utf-8") as file:
            file.write(f"{change}\t{reported}\n")
        print(
            f"{change}\n    {reported or f'NOT NOTICED by {len(tests[change])} tests'}", flush=True
        )
        return reported

    with ThreadPoolExecutor(jobs) as pool:
        rarest_first = sorted(every, key=lambda change: len(tests[change]))
        reported = dict(zip(rarest_first, pool.map(judged, rarest_first), strict=True))
    return [change for change in every if not reported[change]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=", ".join(PACKAGES))
    parser.add_argument("--count", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--results",
        type=Path,
        help="store the results in this folder, and continue an earlier run from it",
    )
    given = parser.parse_args()
    packages = given.packages or [*PACKAGES]
    made = {package: sample(package, given.count, given.seed) for package in packages}
    of = {change: package for package, those in made.items() for change in those}
    left, columns = [*of], []
    with tempfile.TemporaryDirectory() as temporary:
        room = given.results or Path(temporary)
        for name, options in (("quick", []), ("whole", ["--whole"]))[: 1 + given.whole]:
            left = unnoticed(left, room / name, options, given.jobs)
            columns.append([of[change] for change in left])
    print("\nNot noticed:", *left, sep="\n")
    for package in packages:
        figures = (given.count - column.count(package) for column in columns)
        print(f"| {package} | {given.count} |", *(f"{figure} |" for figure in figures))


if __name__ == "__main__":
    main()
