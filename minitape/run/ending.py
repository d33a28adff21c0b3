"""How a run ended, as data that one process can send to another.

Limit       what stopped the script before its end
Crash       the uncaught exception, with the user's frames only
Ending      everything about the end of a run
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class Limit(str, Enum):  # noqa: UP042  # StrEnum came with Python 3.11
    """The limit or signal that stopped a script, or its tracing, before its end."""

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
    is_reported: bool = False  # whether the script's own sys.excepthook printed it
    compiles: bool = True  # False if Python could not compile the script, so that nothing ran


@dataclass(frozen=True)
class Ending:
    """How a script ended.

    Attributes:
        error: The uncaught exception.
        limit: What stopped the script.
        exit_code: The argument of `sys.exit`; 0 at the normal end, 1 after an exception.
        served: Whether `import tensorflow` used minitape.
        untraceable: Why TensorFlow, which the script imported, could not be traced.
        notes: The engine's notes about how the script was traced.
        unwatched: The limit after which the script continued untraced.
        died: How the process ended, if not in Python's normal way: `SIGKILL`, `os._exit(3)`.
        missing: The names in the program's text that minitape lacks, if `import tensorflow` uses minitape: file, line, name,
            and the type of the exception that the line raises.
        forked: Whether the script started processes that were not recorded.
        failure: Why the tracer stopped, if it did.
        storage: The system's error number, if the trace ends early because the disk became full.
    """

    error: Crash | None = None
    limit: Limit | None = None
    exit_code: int = 0
    served: bool = False
    untraceable: str | None = None
    notes: tuple[str, ...] = ()
    missing: tuple[tuple[str, int, str, str], ...] = ()
    unwatched: Limit | None = None
    died: str | None = None
    forked: bool = False
    failure: str | None = None
    storage: int | None = None

    @property
    def ok(self) -> bool:
        ended_well = self.error is None and self.limit is None and self.died is None
        return ended_well and self.exit_code == 0

    def replace(self, **changes: Any) -> Ending:
        """Return a copy with other values in some fields."""
        return Ending(**(vars(self) | changes))

    def as_data(self) -> dict[str, Any]:
        """Return the fields as simple Python types, without the `dataclasses` module, which a script may have changed."""
        return vars(self) | {
            "error": None if self.error is None else vars(self.error),
            "limit": None if self.limit is None else self.limit.value,
            "unwatched": None if self.unwatched is None else self.unwatched.value,
        }

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Ending:
        """Return the `Ending` from the result of `as_data`."""
        error, limit, unwatched = data["error"], data["limit"], data["unwatched"]
        return cls(
            **data
            | {
                "error": None if error is None else Crash(**error),
                "limit": None if limit is None else Limit(limit),
                "unwatched": None if unwatched is None else Limit(unwatched),
            }
        )
