"""The options of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class RunOptions:
    """The options of a run.

    Args:
        on: The engine, `tensorflow` or `minitape`. None for TensorFlow if that Python has it and the script imports it;
            otherwise `import tensorflow` uses minitape.
        timeout: Seconds after which it is stopped; 0 for no limit. The time for importing TensorFlow does not count.
        max_ops: The number of ops after which it is stopped; 0 for no limit.
        trace_calls: The number of gradient calls after which it continues untraced. The limits on time and ops then stop only
            the tracing. None traces it to its end.
        max_memory: The MB (2²⁰ bytes) of memory that it may use; None for no limit.
        max_output: The number of bytes that it may print before it is stopped; None for no limit. Bytes are counted only if its
            streams are passed on, not if it inherits the system's streams.
        seed: The seed for the random numbers of Python, NumPy and minitape; None leaves them unseeded.
        python: The Python that runs it; None for the current one.
    """

    on: str | None = None
    timeout: float = 30
    max_ops: int = 20_000
    trace_calls: int | None = None
    max_memory: int | None = None
    max_output: int | None = None
    seed: int | None = None
    python: Path | None = None
