"""Collects notes about how a program was traced: what ran differently because of tracing, and what was not traced."""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import partial
from typing import Any

from minitape.tracer.tensorflow.internals import Hooks, Privates, module_called

EAGERLY = (
    "Functions of `tf.function` and Keras' `fit` ran eagerly while they were traced, which is slower. "
    "Their Python code, such as `print`, ran at each call."
)
_CROSSED = (
    "A gradient call differentiates through a compiled function from outside. There, compiling can change which gradients "
    "are None: `minitape explain --compiled` runs the program once more without tracing, and reports each difference."
)
_DATA = "Functions passed to `tf.data` remain graphs, so their results are traced as constants."
_GRAPH = (
    "A compiled function ({name}) remains a graph, so it is traced as one op, without its contents."
)
_SESSION = "A TensorFlow 1 session runs graphs, which are not traced; only eager code is."
_WORKERS = "This strategy has several workers, but only this process is traced."
_NO_STEPS = (
    "The steps of a backward pass could not be traced: this TensorFlow version does not distinguish its rules. "
    "Explanations use only the recorded ops."
)
_ROWS = "The backward pass of a Jacobian with more than {most} rows is not shown."

_FUNCTION = "tensorflow.python.eager.polymorphic_function.polymorphic_function"
_NOTES_OF_CALLS = (
    (_FUNCTION, "Function", "__call__", EAGERLY),
    ("tensorflow.python.client.session", "BaseSession", "run", _SESSION),
    ("tensorflow.python.distribute.collective_all_reduce_strategy", "CollectiveAllReduceStrategy", "__init__", _WORKERS),
    ("tensorflow.python.distribute.parameter_server_strategy_v2", "ParameterServerStrategyV2", "__init__", _WORKERS),
)  # fmt: skip


class RunNotes:
    """Collects each note once.

    Args:
        tf: The private names of TensorFlow.
    """

    def __init__(self, tf: Privates) -> None:
        self.texts = list(tf.lacks)
        self.compiled = partial(self._say_of, _GRAPH)
        self.from_data = partial(self.say, _DATA)
        self.no_steps = partial(self.say, _NO_STEPS)
        self.many_rows = partial(self._say_of, _ROWS)
        self.crossed = partial(self.say, _CROSSED)
        # The number of completed calls of compiled functions.
        self.functions_ended = 0

    def say(self, text: str) -> None:
        if text not in self.texts:
            self.texts.append(text)

    def _say_of(self, text: str, **facts: Any) -> None:
        self.say(text.format(**facts))

    def install(self, hooks: Hooks) -> None:
        """Install hooks that notice what changes how the program is traced."""
        for module, kind, method, text in _NOTES_OF_CALLS:
            owner = getattr(module_called(module), kind, None)
            if owner is not None:
                hooks.put(owner, method, partial(self._saying, text))
        function = getattr(module_called(_FUNCTION), "Function", None)
        if function is not None:
            hooks.put(function, "__call__", self._counting)

    def _saying(self, text: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def noticed(*given: Any, **named: Any) -> Any:
            self.say(text)
            return original(*given, **named)

        return functools.wraps(original)(noticed)

    def _counting(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            try:
                return original(*given, **named)
            finally:
                self.functions_ended += 1

        return functools.wraps(original)(counted)
