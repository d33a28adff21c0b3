"""KerasCallback records the first batches of `fit`, and reports which weights have no gradient, and why.

    model.fit(x, y, callbacks=[minitape.debug.KerasCallback()])

A weight without a gradient never changes, and `fit` continues as if nothing were wrong. During the recording, Keras runs its
training step op by op instead of as a graph. After that, TensorFlow compiles the graph as usual, and the rest of `fit` runs at
full speed. On minitape's own Keras, every step runs op by op; the recording ends after the same number of batches.

This module is imported only by a program that uses it, because the class inherits from Keras.
"""

import importlib
import sys
from collections.abc import Callable
from typing import Any

from minitape.debug.engines import has_tensorflow
from minitape.debug.recording import Recording
from minitape.errors import TapeRuntimeError, TapeValueError
from minitape.explain.mistakes import in_all
from minitape.notebook.shown import NotebookAnswer


def _keras() -> Any:
    """Return the Keras that the program uses: minitape's if it is imported and TensorFlow is not.

    Raises:
        ImportError: the program has imported neither.
    """
    if "minitape.keras" in sys.modules and not has_tensorflow():
        return sys.modules["minitape.keras"]
    # This is also `tf.keras`, unless the program has chosen the older Keras.
    return sys.modules.get("keras") or importlib.import_module("tensorflow").keras


def _callback() -> Any:
    """Return the callback class of that Keras, if it runs on TensorFlow or is minitape's.

    Raises:
        RuntimeError: Keras runs on a different backend, or is not installed.
    """
    try:
        keras = _keras()
        if keras.__name__.startswith("minitape"):
            return keras.callbacks.Callback
        backend, callback = keras.backend.backend(), keras.callbacks.Callback
    except (ImportError, AttributeError) as error:
        raise TapeRuntimeError(
            f"`KerasCallback` requires Keras on TensorFlow or on minitape, and this program has imported neither of "
            f"them ({error}).",
            fix="write `import tensorflow as tf` or `import minitape as tf` before this line",
        ) from error
    if backend != "tensorflow":
        raise TapeRuntimeError(
            f"Keras runs on {backend} here, but `KerasCallback` records TensorFlow.",
            fix='write `os.environ["KERAS_BACKEND"] = "tensorflow"` before `import keras`',
        )
    return callback


def _print(text: str) -> None:
    print(f"\n{text}", flush=True)  # a progress bar of Keras may be on the current line


_Callback: Any = _callback()
_ENGINE = "minitape" if _Callback.__module__.startswith("minitape") else "tensorflow"


class KerasCallback(_Callback):  # type: ignore[misc]  # of a library that has no types
    """Records the first batches of `fit`, and reports once which weights have no gradient, and why.

    Args:
        batches: The number of batches to record; with `compile(steps_per_execution=k)`, Keras runs k batches at a time.
        out: A function that is called with the report; None prints the report.

    `answer` is the explanation, as from `minitape.debug.why()`; None before the report. If the training step raises in one of
    these batches, the gradients lost until then are reported first. A second `fit` with the same callback is not recorded.

    Raises:
        ValueError: `batches` is less than 1.

    Source: https://keras.io/guides/writing_your_own_callbacks/
    """

    def __init__(self, batches: int = 2, out: Callable[[str], object] | None = None) -> None:
        if batches < 1:
            raise TapeValueError(
                f"`KerasCallback` cannot record {batches} batches.",
                fix="use `KerasCallback(batches=2)`",
            )
        super().__init__()
        self.answer: NotebookAnswer | None = None
        self._out = out or _print
        self._batches = batches
        self._received = 0
        self._recording: Recording | None = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Wrap the function that `fit` calls for each batch."""
        if self.answer is None:
            self._step = self.model.train_function
            self.model.train_function = self._received_step

    def on_train_end(self, logs: Any = None) -> None:
        """Print the report now if there were fewer batches than requested."""
        if self._recording is not None:
            self._emit(self._drain())

    def _received_step(self, iterator: Any) -> Any:
        """Return the function that Keras calls for one or several batches during the recording."""
        if self.answer is not None:  # another callback has already restored the function
            return self._step(iterator)
        if self._recording is None:
            self._recording = Recording(on=_ENGINE)
            self._recording.start()
        try:
            logs = self._step(iterator)
        except StopIteration:  # there are no more data
            raise
        except BaseException:
            recording = self._drain()
            if not recording.why().ok:
                self._emit(recording)
            raise
        self._received += getattr(self.model, "steps_per_execution", 1)
        if self._received >= self._batches:
            self._emit(self._drain())
        return logs

    def _drain(self) -> Recording:
        """Stop the recording."""
        recording, self._recording = self._recording, None
        assert recording is not None
        recording.stop()
        self.model.train_function = self._step
        return recording

    def _emit(self, recording: Recording) -> None:
        self.answer = recording.why()
        when = (
            "in the first batch" if self._received < 2 else f"in the first {self._received} batches"
        )
        self._out(f"minitape: {_report_text(self.answer, recording.gaps, when)}")


def _report_text(answer: NotebookAnswer, gaps: list[str], when: str) -> str:
    """Return the report on these batches. It omits the note that they ran eagerly, because that is intended."""
    sources = [each for call in answer.report.calls for each in call.sources]
    weights = {each.value for each in sources}
    lost = {each.value for each in sources if each.findings}
    if not weights:
        return "\n".join([f"the program requested no gradient {when}.", *answer.notes])
    if not lost:
        all_did = f"all {len(weights)} weights have a gradient {when}."
        return "\n".join([all_did, *answer.note_sentences, *gaps])
    mistakes = answer.mistakes
    have = "has" if len(lost) == 1 else "have"
    first = f"{len(lost)} of {len(weights)} weights {have} a None, zero, NaN or incomplete gradient {when}."
    return "\n".join([first, *in_all(mistakes, answer.report), *map(str, mistakes), *gaps])
