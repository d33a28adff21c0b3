"""Keras and TensorFlow's older optimizers, whose internal computations are not traced as the program's own ops.

An optimizer step runs about twenty ops for each variable, outside any tape; it is traced as an assignment. Values that
`model.predict` and similar functions return as numbers leave TensorFlow through a single exit.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from minitape.tracer.tensorflow.exits import Exits
from minitape.tracer.tensorflow.forward import Forward
from minitape.tracer.tensorflow.internals import Hooks

# Keras 3, Keras 2 as a separate package, Keras 2 as part of TensorFlow 2.15, and TensorFlow's older optimizers.
_OPTIMIZERS = (
    ("keras.src.optimizers.base_optimizer", "BaseOptimizer", "apply"),
    ("keras.src.optimizers.loss_scale_optimizer", "LossScaleOptimizer", "apply"),
    ("keras.src.optimizers.multi_optimizer", "MultiOptimizer", "apply"),
    ("tf_keras.src.optimizers.optimizer", "_BaseOptimizer", "apply_gradients"),
    ("tf_keras.src.optimizers.legacy.optimizer_v2", "OptimizerV2", "apply_gradients"),
    ("keras.src.optimizers.optimizer", "_BaseOptimizer", "apply_gradients"),
    ("keras.src.optimizers.legacy.optimizer_v2", "OptimizerV2", "apply_gradients"),
    ("tensorflow.python.training.optimizer", "Optimizer", "apply_gradients"),
)
_TRAINERS = (
    ("keras.src.backend.tensorflow.trainer", "TensorFlowTrainer"),
    ("tf_keras.src.engine.training", "Model"),
    ("keras.src.engine.training", "Model"),
)
_GIVING_NUMBERS = ("predict", "predict_on_batch", "evaluate", "train_on_batch", "test_on_batch")
_VARIABLES = ("keras.src.backend.tensorflow.core", "Variable")


class Libraries:
    """Hooks in libraries, which may be imported at any time.

    Args:
        forward: Traces ops.
        exits: Traces values that leave.
    """

    def __init__(self, forward: Forward, exits: Exits) -> None:
        self._forward = forward
        self._exits = exits
        self._hooks = Hooks()
        self._waiting = [
            *((*each, self._quietly) for each in _OPTIMIZERS),
            *(
                (*trainer, each, self._giving_numbers)
                for trainer in _TRAINERS
                for each in _GIVING_NUMBERS
            ),
        ]
        self._waits_for_variables = True

    def install(self, hooks: Hooks) -> None:
        """Install the hooks; `look` must be called from time to time."""
        self._hooks = hooks
        self.look()

    def look(self) -> None:
        """Install the hooks of libraries that were imported since the last call."""
        for each in list(self._waiting):
            module, kind, method, wrapped = each
            owner = getattr(sys.modules.get(module), kind, None)
            if hasattr(owner, method):
                self._waiting.remove(each)
                self._hooks.put(owner, method, wrapped)
        if self._waits_for_variables:
            module, kind = _VARIABLES
            owner = getattr(sys.modules.get(module), kind, None)
            if owner is not None:
                self._waits_for_variables = False
                self._exits.put_into(self._hooks, owner)

    def _quietly(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def apply(*given: Any, **named: Any) -> Any:
            with self._forward.quiet():
                return original(*given, **named)

        return functools.wraps(original)(apply)

    def _giving_numbers(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def give(model: Any, *given: Any, **named: Any) -> Any:
            via = f"Model.{original.__name__}"
            return self._exits.of_call(via, original, (model, *given), named)

        return functools.wraps(original)(give)
