"""`tf.summary`: the calls that write for TensorBoard. They write nothing here, and the first writer says so.

Each writer is what TensorFlow calls a no-op writer: with it, nothing is recorded and False is returned.

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
from minitape.lazy_namespace import telling


class SummaryWriter:
    """Where summaries would go; what is written is let go.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/SummaryWriter
    """

    @contextmanager
    def as_default(self, step: Any = None) -> Iterator["SummaryWriter"]:
        """A block whose summaries go here."""
        yield self

    def set_as_default(self, step: Any = None) -> None:
        """Let all summaries go here from now on."""

    def init(self) -> None:
        """Open the file: there is none."""

    def flush(self) -> None:
        """Write what waits: nothing does."""

    def close(self) -> None:
        """Close the file: there is none."""


def create_file_writer(
    logdir: Any,
    max_queue: int | None = None,
    flush_millis: int | None = None,
    filename_suffix: str | None = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: Any = None,
) -> SummaryWriter:
    """A writer that writes nothing, and warns of that.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/create_file_writer
    """
    warnings.warn(
        "minitape does not write files for TensorBoard, so `tf.summary` has no effect. Print the values, or keep them.",
        NoEffectWarning,
        stacklevel=frames_to_user(),
    )
    return SummaryWriter()


def create_noop_writer() -> SummaryWriter:
    """A writer that is meant to write nothing.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/create_noop_writer
    """
    return SummaryWriter()


def _unwritten() -> Tensor:
    return constant(False)


def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """A number at a step. False: it was not written.

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
    """How numbers are spread. False: it was not written.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/histogram
    """
    return _unwritten()


def image(
    name: str, data: Any, step: Any = None, max_outputs: int = 3, description: str | None = None
) -> Tensor:
    """Pictures. False: they were not written.

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
    """Sounds. False: they were not written.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/audio
    """
    return _unwritten()


def text(name: str, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Words. False: they were not written.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/text
    """
    return _unwritten()


def write(
    tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None
) -> Tensor:
    """A tensor. False: it was not written.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/write
    """
    return _unwritten()


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Write what waits: nothing does.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/flush
    """


def should_record_summaries() -> Tensor:
    """False: nothing is recorded.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/should_record_summaries
    """
    return _unwritten()


@contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """A block whose summaries would be written where `condition` holds.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/record_if
    """
    yield


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: Any = None) -> None:
    """Begin to trace graphs: there are none.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/trace_on
    """


def trace_export(name: str, step: Any = None, profiler_outdir: Any = None) -> None:
    """End it, and write what was traced: nothing was.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/trace_export
    """


def trace_off() -> None:
    """End it.

    Source: https://www.tensorflow.org/api_docs/python/tf/summary/trace_off
    """


__getattr__ = telling(__name__)

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
