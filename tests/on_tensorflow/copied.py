"""Run programs in copies of one process that has imported TensorFlow: the import takes seconds, a copy takes none.

    python copied.py     reads the path of a program from each line of its input, and answers each with the exit code

A program's stdout goes to `PATH.out`, and its stderr to `PATH.err`.
"""

import os
import runpy
import sys
import traceback

import tensorflow  # noqa: F401  # shared by the copies


def perform(path: str) -> int:
    """Run a program as `__main__`; return its exit code."""
    for stream, ending in ((1, "out"), (2, "err")):
        os.dup2(os.open(f"{path}.{ending}", os.O_WRONLY | os.O_CREAT), stream)
    sys.argv = [path]
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def main() -> None:
    for line in sys.stdin:
        copy = os.fork()
        if copy == 0:
            code = perform(line.rstrip("\n"))
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        _, status = os.waitpid(copy, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
