"""Warnings that name the user's line, and none of ours."""

import sys
import warnings

from minitape.errors import LoopWarning


def report_loop(why: str) -> None:
    """Warn that what could be done at once is done one by one; Python shows it once for a line of the user's."""
    warnings.warn(
        f"{why}, so its values are computed one at a time, which is slow.",
        LoopWarning,
        stacklevel=frames_to_user(),
    )


def frames_to_user() -> int:
    """For `warnings.warn`: how far up the first frame outside this package is."""
    frame, level = sys._getframe(1), 1
    while frame is not None and frame.f_globals.get("__name__", "").startswith("minitape."):
        above = frame.f_back
        if above is None:
            break
        frame, level = above, level + 1
    return level
