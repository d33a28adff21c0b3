"""Answers questions from inside a program, such as why a gradient is None.

    debug.record()                       # at the top: records from this point on; or `with debug.record():` around a part
    ...
    gradients = tape.gradient(loss, [w, b])
    print(debug.why())                   # explains the gradients that were lost so far
    print(debug.why(b))                  # explains one source, or a gradient that was returned
    print(debug.explain(tape, loss, b))  # explains a gradient without consuming the tape
    debug.graph(tape, loss, b)           # draws it

`debug` is `minitape.debug`. minitape's own tapes have the last two functions as methods, such as `tape.explain(loss, b)`.

A tape alone cannot explain a lost gradient, because it does not contain the values that it did not record. So the program must be
recorded from the start.
"""

from typing import Any, Unpack

from minitape.core import listeners
from minitape.debug.engines import has_tensorflow
from minitape.debug.recording import Recording
from minitape.errors import TapeRuntimeError, TapeTypeError
from minitape.notebook.shown import Graph, Looks, NotebookAnswer
from minitape.tracer import tracer as engine_tracer


def record(on: str | None = None) -> Recording:
    """Record the program from this point on, so that `why` and `explain` can answer.

    `with record() as recording:` records a block. Without `with`, as the first line of a script or in the first cell of a
    notebook, it records until `recording.stop()` or until the next call to `record`, which starts a new recording. Recording
    changes no values, but the program runs more slowly and needs memory for up to 200,000 events.

    Args:
        on: The engine to record, `"tensorflow"` or `"minitape"`. With None, TensorFlow is recorded if the program has imported it
            and has not created a tape of minitape; otherwise minitape is recorded.

    Returns:
        The recording.

    Raises:
        RuntimeError: TensorFlow is not installed, or this version cannot be recorded.
        ValueError: `on` is not an engine.

    >>> import minitape as tf
    >>> with record():
    ...     x = tf.constant(3.0)
    ...     with tf.GradientTape() as tape:
    ...         y = x * x
    ...     derivative = tape.gradient(y, x)
    ...     why().report.calls[0].sources[0].findings[0].code
    'MT101'
    """
    recording = Recording(on=on)
    for each in recordings():
        if each.is_open:
            each.stop()
    recording.start()
    return recording


def recordings() -> list[Recording]:
    """Return the active recordings, in the order in which they started."""
    requested = [each.explainer() for each in engine_tracer.tracing]
    return [each for each in requested if isinstance(each, Recording)]


def _newest(tape: Any = None) -> Recording:
    """Return the latest active recording; for a tape, the latest one of its engine."""
    tracing = recordings()
    if not tracing:
        said = "minitape" if has_tensorflow() else "tf"
        raise TapeRuntimeError(
            listeners.NO_ONE,
            fix=f"call `{said}.debug.record()` at the top of the program and run the program again, or run `minitape explain "
            "SCRIPT`",
        )
    found = [each for each in tracing if tape is None or each.is_of(tape)]
    if not found:
        kind = type(tape)
        raise TapeTypeError(
            f"This `{kind.__module__}.{kind.__qualname__}` object is not a tape of an engine that minitape records.",
            fix='call `explain(tape, loss, sources)`; for a TensorFlow tape, call `record(on="tensorflow")` first',
        )
    return found[-1]


# --- questions ---


def why(what: Any = None) -> NotebookAnswer:
    """Explain gradients that were requested during the recording.

    Args:
        what: A source (a variable or tensor), for the last call that requested its gradient; a NaN or zero gradient that was
            returned; or a structure of these. None, which is also the value of a lost gradient, selects all gradients so far.

    Returns:
        An explanation; `print` it, or show it in a notebook.

    Raises:
        RuntimeError: nothing is being recorded.
        ValueError: no call had `what` as a source or returned it as a gradient.
    """
    return _newest().why(what)


def explain(tape: Any, target: Any, sources: Any, output_gradients: Any = None) -> NotebookAnswer:
    """Explain the result of `tape.gradient` with the same arguments.

    The tape is not changed, so it continues to record, and a tape that is not persistent can still compute its one gradient. If
    the tape has already computed this gradient, that call is explained.

    Args:
        tape: A tape that was opened during the recording.
        target: Has the same meaning as in `tape.gradient`.
        sources: Has the same meaning as in `tape.gradient`.
        output_gradients: The argument of `tape.gradient` with this name.

    Returns:
        An explanation; `print` it, or show it in a notebook.

    Raises:
        RuntimeError: nothing is being recorded, or nothing was being recorded when the tape was opened.
        TypeError: `tape` is not a tape of an engine that is recorded.
    """
    return _newest(tape).explain(tape, target, sources, output_gradients)


def graph(
    tape: Any = None, target: Any = None, sources: Any = None, **looks: Unpack[Looks]
) -> Graph:
    """Draw a gradient call from the recording: the first one with a problem or, if there is none, the last one.

    Args:
        tape: The tape whose calls are considered; if it has no call yet, everything that it has recorded is drawn.
        target: With `sources`, a gradient of this tape to draw, as for `explain`.
        sources: See `target`.
        looks: Options of `minitape.notebook.shown.drawn`, such as `theme="dark"` or `cards=20`.

    Returns:
        A picture; a notebook shows it, `print` writes it as text, `save` writes a file.

    Raises:
        RuntimeError: nothing is being recorded, or no tape was opened yet.
        TypeError: `tape` is not a tape of an engine that is recorded.
    """
    return _newest(tape).graph(tape, target, sources, **looks)


def why_of(tape: Any, target: Any, sources: Any) -> tuple[Any, NotebookAnswer]:
    """Call `tape.gradient`, and return the result with an explanation of it. This uses up a tape that is not persistent.

    Raises:
        RuntimeError: nothing is being recorded.
    """
    recording = _newest(tape)
    first = recording.written
    gradients = tape.gradient(target, sources)
    return gradients, recording.explanation(since=first)
