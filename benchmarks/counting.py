"""How many functions a program calls, of Python and of C: what no load of the machine changes."""

import gc
import sys
from collections.abc import Callable
from typing import Any


def calls_of(run: Callable[[], Any]) -> int:
    """The calls of one run, after three others that make what is made once."""
    for _ in range(3):
        run()
    count = 0

    def counting(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    was_enabled = gc.isenabled()
    gc.disable()  # what it frees may call functions of others
    sys.setprofile(counting)
    try:
        run()
    finally:
        sys.setprofile(None)
        if was_enabled:
            gc.enable()
    return count - 1  # that of setprofile itself
