"""A run as the command has it: what was recorded, and how it ended."""

from dataclasses import dataclass, field, fields
from typing import Any, Self

from minitape.run.ending import Ending
from minitape.trace.trace import Trace


@dataclass(frozen=True)
class Run(Ending):
    """A run of a script: what was recorded, how it ended, and what a companion brought back (`jobs.py`).

    `interrupts` counts the Ctrl-C that came to us meanwhile, whatever the script made of them.
    """

    trace: Trace = field(kw_only=True)
    message: Any = field(default=None, kw_only=True)
    interrupts: int = field(default=0, kw_only=True)

    @classmethod
    def of(cls, trace: Trace, ending: Ending, message: Any = None) -> Self:
        """All of it together."""
        known = {each.name: getattr(ending, each.name) for each in fields(ending)}
        return cls(**known, trace=trace, message=message)
