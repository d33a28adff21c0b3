"""Asking from inside a program: why is this gradient None?

    debug.record()                       # at the top: listens from here on; or `with debug.record():` around a part
    ...
    gradients = tape.gradient(loss, [w, b])
    print(debug.why())                   # why those that were lost so far were lost
    print(debug.why(b))                  # what is to be said about one source, or about a gradient that came back
    print(debug.explain(tape, loss, b))  # the same of a question; it leaves the tape as it is
    debug.graph(tape, loss, b)           # the picture of it

`debug` is `minitape.debug`. Tapes of minitape's own have the last two as methods: `tape.explain(loss, b)`.

Nobody can tell afterwards what went past a tape: the values that were lost are gone. So someone must have listened.
"""

from typing import Any, Unpack

from minitape.core import listeners
from minitape.debug.engines import has_tensorflow
from minitape.debug.recording import Recording
from minitape.errors import TapeRuntimeError, TapeTypeError
from minitape.listen import tracer as ear
from minitape.notebook.shown import Answer, Graph, Looks


def record(on: str | None = None) -> Recording:
    """Listen from here on, so that `why` and `explain` can answer.

    `with record() as recording:` listens for the block. Without `with`, as the first line of a script or in the first cell of a
    notebook, it listens until `recording.stop()` or until the next such call, which begins anew. No number changes by that, but
    all runs slower, and what is recorded takes memory: at most 200 000 events.

    Args:
        on: `"tensorflow"` or `"minitape"`: what to listen to. None listens to TensorFlow if the program has imported it, unless
            a tape of minitape's was made already; else to minitape.

    Raises:
        RuntimeError: TensorFlow is to be listened to, and is not there or cannot be heard.
        ValueError: there is no such engine.

    >>> import minitape as tf
    >>> with record():
    ...     x = tf.constant(3.0)
    ...     with tf.GradientTape() as tape:
    ...         y = x * x
    ...     slope = tape.gradient(y, x)
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
    """Those that listen, in the order in which they began."""
    asked = [each.explainer() for each in ear.listening]
    return [each for each in asked if isinstance(each, Recording)]


def _newest(tape: Any = None) -> Recording:
    """The recording that began last; of those that listen to the tape's engine, if it is about a tape."""
    listening = recordings()
    if not listening:
        said = "minitape" if has_tensorflow() else "tf"
        raise TapeRuntimeError(
            listeners.NO_ONE,
            fix=f"{said}.debug.record() at the top of the program, and run it again; or minitape explain SCRIPT",
        )
    found = [each for each in listening if tape is None or each.is_of(tape)]
    if not found:
        kind = type(tape)
        raise TapeTypeError(
            f"This {kind.__module__}.{kind.__qualname__} is not a tape of an engine that is recorded.",
            fix='explain(tape, loss, sources); for tapes of TensorFlow, first record(on="tensorflow")',
        )
    return found[-1]


# --- questions ---


def why(what: Any = None) -> Answer:
    """Why gradients that were asked for while someone listened are what they are.

    Args:
        what: A source (a variable or tensor), for the last call that asked for its gradient; or a gradient that came back,
            nan or zero; or a structure of them. A None tells nothing about where it is from: like no argument, it stands for
            all gradients so far.

    Raises:
        RuntimeError: no one listens.
        ValueError: no call had `what` as a source or gave it as a gradient.
    """
    return _newest().why(what)


def explain(tape: Any, target: Any, sources: Any, output_gradients: Any = None) -> Answer:
    """Why `tape.gradient` of the same arguments gives what it gives.

    The tape stays as it is: it records on, and one that is not persistent still has its one gradient to give. If it has given it,
    to this question, then that call is explained.

    Args:
        tape: A tape that was opened while someone listened.
        target: As for `tape.gradient`.
        sources: As for `tape.gradient`.
        output_gradients: As for `tape.gradient`.

    Raises:
        RuntimeError: no one listens, or did when the tape was opened.
        TypeError: this is no tape of an engine that is listened to.
    """
    return _newest(tape).explain(tape, target, sources, output_gradients)


def graph(
    tape: Any = None, target: Any = None, sources: Any = None, **looks: Unpack[Looks]
) -> Graph:
    """The picture of what was asked while someone listened: of the first call with a problem, else of the last.

    Args:
        tape: Only what this tape was asked; before it was asked anything, all that it recorded.
        target: With `sources`, a question to this tape, as for `explain`.
        sources: See `target`.
        looks: As for `minitape.notebook.shown.drawn`: `theme="dark"`, `cards=20` and so on.

    Raises:
        RuntimeError: no one listens, or no tape was opened yet.
        TypeError: this is no tape of an engine that is listened to.
    """
    return _newest(tape).graph(tape, target, sources, **looks)


def why_of(tape: Any, target: Any, sources: Any) -> tuple[Any, Answer]:
    """Ask a tape for a gradient: what it gives, and why. A tape that is not persistent is spent then.

    Raises:
        RuntimeError: no one listens.
    """
    recording = _newest(tape)
    first = recording.written
    gradients = tape.gradient(target, sources)
    return gradients, recording.explanation(since=first)
