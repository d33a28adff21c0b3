"""Count the Python and C functions that a program calls, which does not depend on the load of the machine."""

import gc
import sys
from collections.abc import Callable
from typing import Any


def calls_of(run: Callable[[], Any]) -> int:
    """The number of calls in one run, after three warm-up runs that fill the caches."""
    for _ in range(3):
        run()
    count = 0

    def counting(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    was_enabled = gc.isenabled()
    gc.disable()  # a collection may call finalizers of other code
    sys.setprofile(counting)
    try:
        run()
    finally:
        sys.setprofile(None)
        if was_enabled:
            gc.enable()
    return count - 1  # the call of setprofile itself
