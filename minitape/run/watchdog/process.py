"""The watchdog (`guarding.py`). It waits until its parent process has ended, then ends the processes that are still running.

It reads lines from its standard input. It imports few modules before it has work to do, because each command starts a watchdog.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys

TYPE_CHECKING = False  # importing `typing` would take longer than everything else in this module
if TYPE_CHECKING:
    from collections.abc import Iterator

    import psutil

_ITERATIONS = 20  # a process that is just being started is found in the next round
_VARIABLES = ("MINITAPE_JOB", "PYTHONPATH")  # the environment variables that name a run's folder


def main() -> None:
    """Follow the lines until there are no more; then end the processes that are still guarded."""
    guarded: dict[int, str] = {}
    for line in sys.stdin.buffer:
        word, *rest = json.loads(line)
        if word == "path":
            sys.path[:] = rest
        elif word == "guard":
            guarded[rest[0]] = rest[1]
        else:
            guarded.pop(rest[0], None)
    if guarded:
        end(guarded)


def end(guarded: dict[int, str]) -> None:
    """End processes, their children, and processes that name the folder of a run; then remove the folders.

    Args:
        guarded: The folder of each run, by the id of its process.
    """
    import shutil

    import psutil

    folders = set(guarded.values())
    known = {each for each in psutil.process_iter() if each.pid in guarded}
    for _ in range(_ITERATIONS):
        found = known | {each for each in psutil.process_iter() if _names(each, folders)}
        for each in tuple(found):
            with contextlib.suppress(psutil.Error):
                found.update(each.children(recursive=True))
        if not found:
            break
        for each in found:
            with contextlib.suppress(psutil.Error):
                each.kill()
        psutil.wait_procs(found, timeout=0.5)
        known = set()
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _names(process: psutil.Process, folders: set[str]) -> bool:
    """Whether a process was started for a run or by its script; forked copies have its environment and arguments too."""
    import psutil

    try:
        return any(each in folders for each in _words(process))
    except (psutil.Error, OSError):
        return False


def _words(process: psutil.Process) -> Iterator[str]:
    """Yield the arguments of a process, and the folders in its environment with their parent folders."""
    yield from process.cmdline()
    variables = process.environ()
    for name in _VARIABLES:
        for path in variables.get(name, "").split(os.pathsep):
            yield path
            yield os.path.dirname(path)  # noqa: PTH120  # pathlib takes long to import


if __name__ == "__main__":
    main()
    os._exit(0)
