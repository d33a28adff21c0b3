"""Makes warnings point to the user's line instead of a line in minitape."""

import sys
import warnings

from minitape.errors import LoopWarning


def report_loop(why: str) -> None:
    """Warn that a computation runs in a loop instead of as one batch; Python shows the warning once for each line of the user."""
    warnings.warn(
        f"{why}, so its values are computed one at a time, which is slow.",
        LoopWarning,
        stacklevel=frames_to_user(),
    )


def frames_to_user() -> int:
    """Return the `stacklevel` for `warnings.warn`: the number of frames up to the first frame outside this package."""
    frame, level = sys._getframe(1), 1
    while frame is not None and frame.f_globals.get("__name__", "").startswith("minitape."):
        above = frame.f_back
        if above is None:
            break
        frame, level = above, level + 1
    return level
