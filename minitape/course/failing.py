"""The exception that a check raises when it fails."""

from __future__ import annotations


class Failed(Exception):  # noqa: N818  # a result, not an error
    """A check failed.

    Args:
        what: The expected and the actual result, with the numbers of this case.
        fix: One next step for the student.
    """

    def __init__(self, what: str, fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix
