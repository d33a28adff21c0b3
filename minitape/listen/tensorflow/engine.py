"""TensorFlow: the face that it shows to an ear, and the hooks behind it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from minitape.core.events import GradientCalled
from minitape.listen import source
from minitape.listen.accumulation import Rows
from minitape.listen.engine import Hearer
from minitape.listen.tensorflow.backward import Backward
from minitape.listen.tensorflow.exits import Exits
from minitape.listen.tensorflow.forward import Forward
from minitape.listen.tensorflow.libraries import Libraries
from minitape.listen.tensorflow.privates import TRIED, Hooks, Privates
from minitape.listen.tensorflow.remarks import Remarks
from minitape.listen.tensorflow.settings import Settings
from minitape.listen.tensorflow.tapes import Tapes
from minitape.listen.tensorflow.values import Values

_IN_FUNCTIONS_OF_DATA = (
    ".*run_functions_eagerly.*option is set, this option does not apply to tf.data functions"
)


class TensorFlow:
    """See `Engine`.

    Raises:
        Unheard: this TensorFlow cannot be heard.
    """

    def __init__(self) -> None:
        self._tf = Privates()
        self._values = Values(self._tf)
        self._tapes = Tapes(self._tf.tfe)
        self._settings = Settings(self._tf)
        self._remarks = Remarks(self._tf)
        if not self._tf.is_tried:
            tried = ", ".join(TRIED)
            self._remarks.say(
                f"TensorFlow {self._tf.version} was not tried with minitape; tried were {tried}."
            )

    @property
    def remarks(self) -> list[str]:
        """What has to be said of how the program was heard, so far."""
        return list(self._remarks.said)

    @property
    def header(self) -> dict[str, Any]:
        return {"engine": "tensorflow", "engine_version": self._tf.version}

    @contextmanager
    def hearing(self, hearer: Hearer) -> Iterator[None]:
        inside = self._tf, self._values, self._tapes, self._settings, self._remarks
        forward = Forward(*inside, hearer)
        hooks = Hooks()
        try:
            self._remarks.put_in(hooks)
            self._run_functions_eagerly(hooks)
            exits = Exits(self._tf, self._values, forward, hearer)
            libraries = Libraries(forward, exits)
            forward.put_in(hooks, libraries.look)
            Backward(*inside, forward, hearer).put_in(hooks)
            exits.put_in(hooks)
            libraries.put_in(hooks)
            yield
        finally:
            hooks.take_out()

    def _run_functions_eagerly(self, hooks: Hooks) -> None:
        """Nobody can hear the inside of a graph."""
        functions = self._tf.functions
        if not self._tf.has("functions", "run_functions_eagerly"):
            return
        hooks.at_end(functions.run_functions_eagerly, functions.functions_run_eagerly())
        functions.run_functions_eagerly(True)
        # Said to who asks for this without need; the program did not ask.
        before = list(warnings.filters)
        warnings.filterwarnings("ignore", message=_IN_FUNCTIONS_OF_DATA)
        ours = next(each for each in warnings.filters if each not in before)

        def forget() -> None:
            with suppress(ValueError):
                warnings.filters.remove(ours)  # type: ignore[attr-defined]

        hooks.at_end(forget)

    def is_own(self, filename: str) -> bool:
        return "/tensorflow/" in filename or not source.is_librarys(filename)

    # --- values ---

    def is_value(self, thing: Any) -> bool:
        return self._values.is_value(thing)

    def is_variable(self, thing: Any) -> bool:
        return self._values.is_variable(thing)

    def id_of(self, value: Any) -> int:
        return self._values.id_of(value)

    def numbers_of(self, value: Any) -> Any:
        return self._values.numbers_of(value)

    def rows_of(self, amount: Any) -> Rows | None:
        return self._values.rows_of(amount)

    def dtype_of(self, numbers: Any) -> str:
        return self._values.dtype_of(numbers)

    def is_whole(self, value: Any) -> bool:
        return self._values.is_whole(value)

    def put(self, value: Any, numbers: Any) -> None:
        self._values.put(value, numbers)

    # --- variables ---

    def path_of(self, variable: Any) -> str:
        return self._values.path_of(variable)

    def is_trainable(self, variable: Any) -> bool:
        return self._values.is_trainable(variable)

    def origin_of(self, variable: Any) -> Any:
        return self._values.origin_of(variable)

    def is_made_by_user(self) -> bool:
        frame = sys._getframe(1)
        while frame is not None:
            file = frame.f_code.co_filename
            if "/tensorflow/" not in file and "/minitape/listen/" not in file:
                return source.is_users(file)
            frame = frame.f_back  # type: ignore[assignment]
        return False

    # --- tapes ---

    def is_tape(self, thing: Any) -> bool:
        return isinstance(thing, self._tf.backprop.GradientTape)

    def number_of(self, tape: Any) -> int:
        return self._tapes.of(tape).number

    def watching(self, value: Any) -> list[int]:
        identity = self._values.watched_id_of(value)
        return [each.number for each in self._tapes.active if identity in each.watched]

    def recording(self) -> list[int]:
        if self._tapes.are_stopped():
            return []
        return [each.number for each in self._tapes.active]

    def refusal(self, error: BaseException, call: GradientCalled) -> str | None:
        message = str(error)
        if isinstance(error, RuntimeError) and "non-persistent" in message:
            return "used_up"
        if isinstance(error, LookupError) and message.startswith("gradient registry has no entry"):
            return "no_gradient"
        if "`target`" in message or not all(map(self.is_value, call.targets)):
            return "target"
        return None if all(map(self.is_value, call.sources)) else "source"
