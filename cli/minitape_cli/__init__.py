"""The command line of minitape. `main` is the entry point of the `minitape` command."""

import atexit
import gc
import os
import sys
from pathlib import Path


def main() -> None:
    """Run the command line and exit with its exit code."""
    _open_what_is_closed()
    # The operating system frees the memory of a trace at once; Python would free it object by object at exit.
    atexit.register(gc.freeze)
    # Garbage collection would also scan a large trace repeatedly while it is shown, without a benefit.
    gc.set_threshold(*gc.get_threshold()[:2], 1000)
    if sys.argv[1:] in (["--version"], ["-V"]):
        from minitape_cli.version import version

        print(f"minitape {version()}")
        return
    from minitape_cli.app import app

    app(prog_name="minitape")


def _open_what_is_closed() -> None:
    """Open stdout or stderr if the shell started the program without them (`>&-`); Python then has None in their place."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115  # until the program ends
