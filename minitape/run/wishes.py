"""How a script is to be run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Wishes:
    """How a script is to be run, as a user of the commands says it.

    Args:
        on: The engine: `tensorflow` or `minitape`. None: TensorFlow itself where that Python has it and the script imports it,
            else minitape, which answers `import tensorflow` then.
        timeout: Seconds after which it is stopped; 0 for no limit. What TensorFlow takes to be imported does not count.
        max_ops: The number of ops after which it is stopped; 0 for no limit.
        listen: The number of gradient calls after which it is watched no more, and runs on. Then time and ops are limits of the
            watching too, and stop nothing. None: it is watched to its end.
        max_memory: How many MB (2²⁰ bytes) it may take; None for no limit.
        max_output: How many bytes it may print before it is stopped; None for no limit. Counted where its streams are passed on,
            not where they are the system's own.
        seed: Seeds Python's, NumPy's and minitape's random numbers before it starts.
        python: The Python that runs it; None for the one that runs this.
    """

    on: str | None = None
    timeout: float = 30
    max_ops: int = 20_000
    listen: int | None = None
    max_memory: int | None = None
    max_output: int | None = None
    seed: int | None = None
    python: Path | None = None
