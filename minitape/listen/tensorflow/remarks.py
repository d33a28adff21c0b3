"""What has to be said of how a program was heard: what ran otherwise than without an ear, and what stayed unheard."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from minitape.listen.tensorflow.privates import Hooks, Privates, module_called

EAGERLY = (
    "Functions of tf.function, and of Keras' fit, ran eagerly while they were heard: "
    "the same numbers but for rounding, and slower. Their Python code, such as print, ran at each call."
)
_DATA = "Functions given to tf.data stay graphs: what they compute comes in as constants."
_GRAPH = (
    "A compiled function ({name}) stays a graph: it is told as one op, and its inside is not heard."
)
_SESSION = (
    "A session of TensorFlow 1 runs graphs: what it computes is not heard, only what runs eagerly."
)
_WORKERS = "This strategy has several workers: only what this process computes is heard."
_NO_STEPS = (
    "The steps of a walk could not be heard: this TensorFlow does not tell its rules apart. "
    "Answers go by the ops alone."
)
_ROWS = "The walk behind a jacobian of more than {most} rows is not shown."

_SAID_WHEN_CALLED = (
    ("tensorflow.python.eager.polymorphic_function.polymorphic_function", "Function", "__call__", EAGERLY),
    ("tensorflow.python.client.session", "BaseSession", "run", _SESSION),
    ("tensorflow.python.distribute.collective_all_reduce_strategy", "CollectiveAllReduceStrategy", "__init__", _WORKERS),
    ("tensorflow.python.distribute.parameter_server_strategy_v2", "ParameterServerStrategyV2", "__init__", _WORKERS),
)  # fmt: skip


class Remarks:
    """Each is said once.

    Args:
        tf: TensorFlow's inside.
    """

    def __init__(self, tf: Privates) -> None:
        self.said = list(tf.lacks)
        self.compiled = partial(self._say_of, _GRAPH)
        self.from_data = partial(self.say, _DATA)
        self.no_steps = partial(self.say, _NO_STEPS)
        self.many_rows = partial(self._say_of, _ROWS)

    def say(self, text: str) -> None:
        if text not in self.said:
            self.said.append(text)

    def _say_of(self, text: str, **facts: Any) -> None:
        self.say(text.format(**facts))

    def put_in(self, hooks: Hooks) -> None:
        """Notice what changes how the program is heard."""
        for module, kind, method, text in _SAID_WHEN_CALLED:
            owner = getattr(module_called(module), kind, None)
            if owner is not None:
                hooks.put(owner, method, partial(self._saying, text))

    def _saying(self, text: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def noticed(*given: Any, **named: Any) -> Any:
            self.say(text)
            return original(*given, **named)

        noticed.__name__ = noticed.__qualname__ = original.__name__
        noticed.__doc__ = original.__doc__
        noticed.__wrapped__ = original  # type: ignore[attr-defined]
        return noticed
