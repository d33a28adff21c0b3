"""The command line of minitape. `main` is what the shell calls."""

import atexit
import gc
import os
import sys
from pathlib import Path


def main() -> None:
    """Run the command line and leave with its exit code."""
    _open_what_is_closed()
    # The system takes back a trace at once; Python, leaving, would take it apart object by object.
    atexit.register(gc.freeze)
    # Nor does it help to look through one for garbage again and again while it is shown.
    gc.set_threshold(*gc.get_threshold()[:2], 1000)
    if sys.argv[1:] in (["--version"], ["-V"]):
        from minitape_cli.version import version

        print(f"minitape {version()}")
        return
    from minitape_cli.app import app

    app(prog_name="minitape")


def _open_what_is_closed() -> None:
    """A shell may start a program without stdout or stderr (`>&-`): Python has None there then."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115  # until the program ends
