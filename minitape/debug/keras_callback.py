"""KerasCallback: listens to the first batches of `fit`, and says which weights got no gradient, and why.

    model.fit(x, y, callbacks=[minitape.debug.KerasCallback()])

A weight that gets no gradient never changes, and `fit` goes on as if nothing was wrong. While it is listened to, Keras' step runs
op by op and not as a graph; then TensorFlow makes a graph of it as ever, and the rest runs at full speed. On minitape's own
Keras all runs op by op, and after its batches nobody listens any more.

This page is opened by a program that uses it, for Keras must be there: that is the base of the class.
"""

import importlib
import sys
from collections.abc import Callable
from typing import Any

from minitape.debug.engines import has_tensorflow
from minitape.debug.recording import Recording
from minitape.errors import TapeRuntimeError, TapeValueError
from minitape.explain.mistakes import in_all
from minitape.notebook.shown import Answer


def _keras() -> Any:
    """The Keras that the program uses: minitape's own where that is loaded and TensorFlow is not.

    Raises:
        ImportError: there is none.
    """
    if "minitape.keras" in sys.modules and not has_tensorflow():
        return sys.modules["minitape.keras"]
    # What `tf.keras` is, too, unless the program has chosen the older Keras.
    return sys.modules.get("keras") or importlib.import_module("tensorflow").keras


def _callback() -> Any:
    """The class of callbacks of that Keras, where it runs on TensorFlow or is minitape's.

    Raises:
        RuntimeError: it runs on something else, or is not there.
    """
    try:
        keras = _keras()
        if keras.__name__.startswith("minitape"):
            return keras.callbacks.Callback
        backend, callback = keras.backend.backend(), keras.callbacks.Callback
    except (ImportError, AttributeError) as error:
        raise TapeRuntimeError(
            f"KerasCallback needs Keras on TensorFlow or on minitape, and this program has imported neither ({error}).",
            fix="import tensorflow as tf (or import minitape as tf) before it",
        ) from error
    if backend != "tensorflow":
        raise TapeRuntimeError(
            f"Keras runs on {backend} here, but KerasCallback records TensorFlow.",
            fix='os.environ["KERAS_BACKEND"] = "tensorflow" before `import keras`',
        )
    return callback


def _print(text: str) -> None:
    print(f"\n{text}", flush=True)  # a bar of Keras' may stand in the line


_Callback: Any = _callback()
_ENGINE = "minitape" if _Callback.__module__.startswith("minitape") else "tensorflow"


class KerasCallback(_Callback):  # type: ignore[misc]  # of a library that has no types
    """Listens to the first batches of `fit`, says once which weights got no gradient there and why, and listens no more.

    Args:
        batches: To how many batches it listens; with `compile(steps_per_execution=k)` Keras runs k of them in one go.
        out: What is called with the text; None prints it.

    `answer` is what it found out, as `minitape.debug.why()` gives it; None until then. If the step raises in one of these
    batches, what was lost until then is told first. A second `fit` with the same callback is not listened to.

    Raises:
        ValueError: `batches` is less than 1.

    Source: https://keras.io/guides/writing_your_own_callbacks/
    """

    def __init__(self, batches: int = 2, out: Callable[[str], object] | None = None) -> None:
        if batches < 1:
            raise TapeValueError(
                f"KerasCallback cannot record {batches} batches.",
                fix="KerasCallback(batches=2)",
            )
        super().__init__()
        self.answer: Answer | None = None
        self._out = out or _print
        self._batches = batches
        self._heard = 0
        self._recording: Recording | None = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Stand in front of the function that `fit` calls for each batch."""
        if self.answer is None:
            self._step = self.model.train_function
            self.model.train_function = self._heard_step

    def on_train_end(self, logs: Any = None) -> None:
        """There were fewer batches than it wanted to hear."""
        if self._recording is not None:
            self._tell(self._heard_out())

    def _heard_step(self, iterator: Any) -> Any:
        """What Keras calls for a batch, or for several at once, while it is listened to."""
        if self.answer is not None:  # another callback has put this back
            return self._step(iterator)
        if self._recording is None:
            self._recording = Recording(on=_ENGINE)
            self._recording.start()
        try:
            logs = self._step(iterator)
        except StopIteration:  # the data have come to their end
            raise
        except BaseException:
            recording = self._heard_out()
            if not recording.why().ok:
                self._tell(recording)
            raise
        self._heard += getattr(self.model, "steps_per_execution", 1)
        if self._heard >= self._batches:
            self._tell(self._heard_out())
        return logs

    def _heard_out(self) -> Recording:
        """Listen no more."""
        recording, self._recording = self._recording, None
        assert recording is not None
        recording.stop()
        self.model.train_function = self._step
        return recording

    def _tell(self, recording: Recording) -> None:
        self.answer = recording.why()
        when = "in the first batch" if self._heard < 2 else f"in the first {self._heard} batches"
        self._out(f"minitape: {_said(self.answer, recording.gaps, when)}")


def _said(answer: Answer, gaps: list[str], when: str) -> str:
    """What to tell of these batches. That they ran eagerly is what the callback is for, and no remark."""
    sources = [each for call in answer.report.calls for each in call.sources]
    weights = {each.value for each in sources}
    lost = {each.value for each in sources if each.findings}
    if not weights:
        return "\n".join([f"no gradient was requested {when}.", *answer.notes])
    if not lost:
        all_did = f"all {len(weights)} weights have a gradient {when}."
        return "\n".join([all_did, *answer.noted, *gaps])
    mistakes = answer.mistakes
    first = f"{len(lost)} of {len(weights)} weights have a None, zero, NaN or incomplete gradient {when}."
    return "\n".join([first, *in_all(mistakes, answer.report), *map(str, mistakes), *gaps])
