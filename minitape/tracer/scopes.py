"""Finds the Keras layer, model, loss, metric or optimizer that an op runs in.

Keras is not changed for this. A frame that runs one of its entry points, such as `Layer.__call__`, is found when the stack is
examined (`source.Stack`); its `self` is the layer. At each event, only the innermost of these frames is compared; each frame is
looked up once, at the first event inside its call.
"""

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from types import FrameType
from typing import Any, NamedTuple

from minitape.tracer import source
from minitape.tracer.engine import Engine

# --- calls ---


class _Running(NamedTuple):
    """A call of Keras that has not returned.

    Attributes:
        frame: Its frame, kept so that no other frame gets its id.
        owner: The layer, loss, ...
        number: The number of its scope; without a scope of its own, the number of the enclosing call.
    """

    frame: FrameType
    owner: Any
    number: int | None


class _Thread(threading.local):
    """The Keras calls that were running at the last event of a thread, the outermost first."""

    def __init__(self) -> None:
        self.running: list[_Running] = []


class Scopes:
    """The calls of Keras in one trace, numbered in order of appearance.

    Args:
        write: Called with the kind and the fields of each `scope` event.
        engine: Reads the learning rate.
    """

    def __init__(self, write: Callable[[str, dict[str, Any]], None], engine: Engine) -> None:
        self._write = write
        self._engine = engine
        # Whether frames may be kept. Threads share this flag, so a thread may keep its frames until its next Keras call.
        self.is_running = False
        self._last = 0
        self._thread = _Thread()
        # The keys are the ids of the layers, losses, ...
        self._known: dict[int, tuple[weakref.ref[Any], dict[str, Any]]] = {}

    def of(self, stack: source.Stack) -> int | None:
        """Return the scope of an event; None if no call of Keras is running. New calls are written first."""
        entry = stack.entry
        running = self._thread.running
        if entry is None:
            running.clear()
            self.is_running = False
            return None
        self.is_running = True
        # As long as the innermost call runs, the calls around it do not change.
        if not running or running[-1].frame is not entry:
            self._enter(stack.calls_of_keras, running)
        return running[-1].number

    def forget(self) -> None:
        """Release the frames of this thread, because they hold the values of their functions."""
        self._thread.running.clear()

    def _enter(self, calls: Sequence[source.CallOfKeras], running: list[_Running]) -> None:
        """Make `running` equal to `calls`."""
        same = 0
        for call, known in zip(calls, running):
            if call.frame is not known.frame:
                break
            same += 1
        del running[same:]
        for call in calls[same:]:
            around = running[-1] if running else None
            running.append(self._entered(call, around))

    def _entered(self, call: source.CallOfKeras, around: _Running | None) -> _Running:
        outer = None if around is None else around.number
        owner = _owner(call.frame)
        function = call.frame.f_code.co_name
        if owner is None:
            return _Running(call.frame, None, outer)
        if function == "compute_loss":
            whole = {"role": "loss", "name": function, "type": "", "settings": {}}
            return _Running(call.frame, None, self._number(outer, call.depth, whole))
        if around is not None and around.owner is owner:  # `super().__call__()`
            return _Running(call.frame, owner, outer)
        fields = self._fields_of(owner)
        if fields is None:
            return _Running(call.frame, None, outer)
        return _Running(call.frame, owner, self._number(outer, call.depth, fields))

    def _fields_of(self, owner: Any) -> dict[str, Any] | None:
        """Return the fields about a layer, loss, ..., computed once for all of its calls; None for other objects."""
        known = self._known.get(id(owner))
        if known is None or known[0]() is not owner:
            kind = type(owner)
            role = _role(kind)
            if role is None:
                return None
            known = self._known[id(owner)] = (
                weakref.ref(owner),
                {
                    "role": role,
                    "name": _name(owner),
                    "type": "" if kind.__name__ in _WRAPPERS else kind.__name__,
                    "settings": dict(_settings(owner, role)),
                },
            )
        fields = known[1]
        if fields["role"] == "optimizer":
            return self._with_learning_rate(fields, owner)
        return fields

    def _number(self, outer: int | None, depth: int, fields: dict[str, Any]) -> int:
        self._last += 1
        self._write("scope", {"scope": self._last, "outer": outer, "depth": depth, **fields})
        return self._last

    def _with_learning_rate(self, fields: dict[str, Any], optimizer: Any) -> dict[str, Any]:
        """Add the current learning rate, or the class of its schedule, if one is found."""
        held = vars(optimizer)
        rate = held.get("_learning_rate", held.get("_rate"))
        if rate is None:
            rate = held.get("_hyper", {}).get("learning_rate")
        rate = getattr(rate, "_value", rate)  # a Keras 3 variable contains a TensorFlow variable
        if self._engine.is_value(rate):
            numbers = self._engine.numbers_of(rate)
            # The shortest decimal number that is equal in the precision of the variable.
            rate = None if getattr(numbers, "shape", ()) else float(str(numbers))
        elif rate is not None and not isinstance(rate, int | float):
            rate = type(rate).__name__
        rate = _plain(rate)
        settings = fields["settings"]
        return (
            fields if rate is None else fields | {"settings": {"learning_rate": rate, **settings}}
        )


# --- settings ---


def _settings(owner: Any, role: str) -> Iterator[tuple[str, Any]]:
    """Yield the settings that are not the default of all layers.

    They are read from the attributes, because `get_config` may be the user's own function, and may run ops.
    """
    held = vars(owner)
    # The settings of an LSTM are those of its cell.
    cell = getattr(held.get("cell"), "__dict__", {})
    for name, usual in _SETTINGS.items():
        places = ((held, name), (held, f"_{name}"), (cell, name), (cell, f"_{name}"))
        found = (each for where, key in places if (each := where.get(key)) is not None)
        value = _plain(next(found, None))
        is_pooled_alike = name == "strides" and value == _plain(held.get("pool_size"))
        is_of_classes = name == "axis" and role == "loss"
        if value is not None and value not in usual and not is_pooled_alike and not is_of_classes:
            yield name, value


_ONES: tuple[Any, ...] = (1, [1], [1, 1], [1, 1, 1])
# The settings in the order of the trace, each with the values that are not written.
_SETTINGS: dict[str, tuple[Any, ...]] = {
    "units": (),
    "filters": (),
    "kernel_size": (),
    "pool_size": (),
    "strides": _ONES,
    "padding": ("valid",),
    "dilation_rate": _ONES,
    "size": (),
    "target_shape": (),
    "rate": (),
    "activation": ("linear",),
    "negative_slope": (),
    "axis": (),
    "axes": (),
    "num_heads": (),
    "key_dim": (),
    "input_dim": (),
    "output_dim": (),
    "return_sequences": (False,),
    "merge_mode": (),
    "momentum": (0.0,),
    "from_logits": (False,),
    "threshold": (),
    "k": (),
}
_LONGEST = 8  # the maximum number of entries of a setting


def _plain(value: Any) -> Any:
    """Return a setting as JSON data; None for a setting that is not a plain value."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, list | tuple):
        items = [_plain(each) for each in value]
        if not items or len(items) > _LONGEST or None in items:
            return None
        return items[0] if len(items) == 1 and isinstance(items[0], int) else items
    if callable(value):
        name = getattr(value, "__name__", None) or getattr(value, "name", None)
        return name if isinstance(name, str) else type(value).__name__
    return None


# --- the object of a call ---

# The names of Keras's base classes; the first class that matches decides.
_ROLES = {
    "Model": "model",
    "Loss": "loss",
    "Metric": "metric",  # in Keras 2, a metric is also a layer
    "Layer": "layer",
    "Optimizer": "optimizer",
    "BaseOptimizer": "optimizer",
    "_BaseOptimizer": "optimizer",
    "OptimizerV2": "optimizer",
}
_KERAS = ("keras.", "tf_keras.", "minitape.keras.")
# The classes that wrap a function as a loss or metric.
_WRAPPERS = ("WrappedLoss", "LossFunctionWrapper", "MeanMetricWrapper")


def _owner(frame: FrameType) -> Any:
    held = frame.f_locals
    return held.get("self", held.get("metric_obj"))


def _role(kind: type) -> str | None:
    bases = {each.__name__ for each in kind.__mro__ if f"{each.__module__}.".startswith(_KERAS)}
    return next((role for name, role in _ROLES.items() if name in bases), None)


def _name(owner: Any) -> str:
    held = vars(owner)
    name = held.get("name", held.get("_name"))
    return name if isinstance(name, str) else type(owner).__name__
