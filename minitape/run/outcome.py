"""The result of a run for the command: the trace, and how the run ended."""

from dataclasses import dataclass, field, fields
from typing import Any, Self

from minitape.run.ending import Ending
from minitape.trace.trace import Trace


@dataclass(frozen=True)
class Run(Ending):
    """A run of a script: the trace, how it ended, and the message of a companion (`jobs.py`).

    `interrupts` counts the Ctrl-C signals that this process received, however the script handled its own signals.
    """

    trace: Trace = field(kw_only=True)
    message: Any = field(default=None, kw_only=True)
    interrupts: int = field(default=0, kw_only=True)

    @classmethod
    def of(cls, trace: Trace, ending: Ending, message: Any = None) -> Self:
        """Return a run from its parts."""
        known = {each.name: getattr(ending, each.name) for each in fields(ending)}
        return cls(**known, trace=trace, message=message)
