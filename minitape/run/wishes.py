"""How a script is to be run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Wishes:
    """How a script is to be run, as a user of the commands says it.

    Args:
        as_tensorflow: Answer `import tensorflow` with minitape even where TensorFlow is installed.
        timeout: Seconds after which it is stopped; 0 for no limit.
        max_ops: The number of ops after which it is stopped; 0 for no limit.
        max_memory: How many MB (2²⁰ bytes) it may take; None for no limit.
        seed: Seeds Python's, NumPy's and minitape's random numbers before it starts.
        python: The Python that runs it; None for the one that runs this.
    """

    as_tensorflow: bool = False
    timeout: float = 30
    max_ops: int = 20_000
    max_memory: int | None = None
    seed: int | None = None
    python: Path | None = None
