"""`tf.summary`: functions that write files for TensorBoard. minitape writes none, and warns when the first writer is created.

Each writer behaves like TensorFlow's no-op writer: it records nothing, and the functions return False.

Source: https://www.tensorflow.org/api_docs/python/tf/summary
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from minitape.core.convert import constant
from minitape.core.frames import frames_to_user
from minitape.core.tensor import Tensor
from minitape.errors import NoEffectWarning
from minitape.lazy_namespace import helpful_getattr


class SummaryWriter:
    """A writer that discards all summaries.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/SummaryWriter
    """

    @contextmanager
    def as_default(self, step: Any = None) -> Iterator["SummaryWriter"]:
        """Send the summaries of a block to this writer."""
        yield self

    def set_as_default(self, step: Any = None) -> None:
        """Send all further summaries to this writer."""

    def init(self) -> None:
        """Do nothing, because nothing is written."""

    def flush(self) -> None:
        """Do nothing, because there is nothing to write."""

    def close(self) -> None:
        """Do nothing, because nothing is written."""


def create_file_writer(
    logdir: Any,
    max_queue: int | None = None,
    flush_millis: int | None = None,
    filename_suffix: str | None = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: Any = None,
) -> SummaryWriter:
    """Warn that nothing is written, and return a writer that discards all summaries.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/create_file_writer
    """
    warnings.warn(
        "minitape does not write files for TensorBoard, so `tf.summary` has no effect. Print or store the values instead.",
        NoEffectWarning,
        stacklevel=frames_to_user(),
    )
    return SummaryWriter()


def create_noop_writer() -> SummaryWriter:
    """Return a writer that discards all summaries.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/create_noop_writer
    """
    return SummaryWriter()


def _unwritten() -> Tensor:
    return constant(False)


def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Discard a scalar; return False.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/scalar
    """
    return _unwritten()


def histogram(
    name: str,
    data: Any,
    step: Any = None,
    buckets: int | None = None,
    description: str | None = None,
) -> Tensor:
    """Discard the values of a histogram; return False.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/histogram
    """
    return _unwritten()


def image(
    name: str, data: Any, step: Any = None, max_outputs: int = 3, description: str | None = None
) -> Tensor:
    """Discard images; return False.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/image
    """
    return _unwritten()


def audio(
    name: str,
    data: Any,
    sample_rate: int,
    step: Any = None,
    max_outputs: int = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Tensor:
    """Discard audio signals; return False.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/audio
    """
    return _unwritten()


def text(name: str, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Discard a string; return False.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/text
    """
    return _unwritten()


def write(
    tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None
) -> Tensor:
    """Discard a tensor; return False.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/write
    """
    return _unwritten()


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Do nothing, because there is nothing to write.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/flush
    """


def should_record_summaries() -> Tensor:
    """Return False, because nothing is recorded.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/should_record_summaries
    """
    return _unwritten()


@contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Return a context manager that would record summaries if `condition` is true.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/record_if
    """
    yield


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: Any = None) -> None:
    """Do nothing, because minitape has no graphs to trace.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/trace_on
    """


def trace_export(name: str, step: Any = None, profiler_outdir: Any = None) -> None:
    """Do nothing, because nothing was traced.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/trace_export
    """


def trace_off() -> None:
    """Do nothing, because nothing was traced.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/trace_off
    """


__getattr__ = helpful_getattr(__name__)

__all__ = [
    "SummaryWriter",
    "audio",
    "create_file_writer",
    "create_noop_writer",
    "flush",
    "histogram",
    "image",
    "record_if",
    "scalar",
    "should_record_summaries",
    "text",
    "trace_export",
    "trace_off",
    "trace_on",
    "write",
]
