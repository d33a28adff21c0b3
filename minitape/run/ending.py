"""How a run ended, as data that one process can tell another.

Limit       what stopped the script before its end
Crash       the exception that nobody caught, told with the user's frames only
Ending      all of it
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class Limit(str, Enum):  # noqa: UP042  # StrEnum came with Python 3.11
    """What stopped a script before its end, or the watching of it."""

    TIME = "time"
    OPS = "ops"
    CALLS = "calls"
    MEMORY = "memory"
    OUTPUT = "output"
    INTERRUPT = "interrupt"


@dataclass(frozen=True)
class Crash:
    """The exception that ended a script; `text` is the traceback through the user's own frames."""

    type: str
    message: str
    text: str
    file: str | None
    line: int | None
    is_told: bool = False  # by the script's own sys.excepthook
    compiles: bool = True  # False: Python could not read the script, and nothing of it ran


@dataclass(frozen=True)
class Ending:
    """How a script ended.

    `error` is the exception that nobody caught, `limit` what stopped the script, `exit_code` what it gave to `sys.exit` (0 if it
    came to its end, 1 after an exception). `served` tells whether minitape answered `import tensorflow`, `unheard` why TensorFlow
    itself, which did, could not be heard. `remarks` is what the engine has to say of how it was heard. `unwatched` is the limit
    from which on the script ran on without being watched. `died` says how its process ended, if that was not Python's way:
    `SIGKILL`, `os._exit(3)`. `missing` lists the names in the program's text that minitape lacks, where minitape is what
    `import tensorflow` uses: file, line, name, and the type of the exception that the line raises. `forked` tells whether the
    script started processes that were not recorded. `deaf` is what made the tracer stop listening, if something did. `storage` is
    the system's error number if the trace ends before the script because a disk became full.
    """

    error: Crash | None = None
    limit: Limit | None = None
    exit_code: int = 0
    served: bool = False
    unheard: str | None = None
    remarks: tuple[str, ...] = ()
    missing: tuple[tuple[str, int, str, str], ...] = ()
    unwatched: Limit | None = None
    died: str | None = None
    forked: bool = False
    deaf: str | None = None
    storage: int | None = None

    @property
    def ok(self) -> bool:
        ended_well = self.error is None and self.limit is None and self.died is None
        return ended_well and self.exit_code == 0

    def replace(self, **changes: Any) -> Ending:
        """The same with other values in some fields."""
        return Ending(**(vars(self) | changes))

    def as_data(self) -> dict[str, Any]:
        """In Python's simple types; made without the library, for a script may have changed that."""
        return vars(self) | {
            "error": None if self.error is None else vars(self.error),
            "limit": None if self.limit is None else self.limit.value,
            "unwatched": None if self.unwatched is None else self.unwatched.value,
        }

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Ending:
        """What `as_data` gave, as it was."""
        error, limit, unwatched = data["error"], data["limit"], data["unwatched"]
        return cls(
            **data
            | {
                "error": None if error is None else Crash(**error),
                "limit": None if limit is None else Limit(limit),
                "unwatched": None if unwatched is None else Limit(unwatched),
            }
        )
