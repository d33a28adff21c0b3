"""What a check says when it does not hold."""

from __future__ import annotations


class Failed(Exception):  # noqa: N818  # no fault of anybody's: an answer
    """A check does not hold.

    Args:
        what: What was expected and what happened, with the numbers of this case.
        fix: One next step.
    """

    def __init__(self, what: str, fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix
