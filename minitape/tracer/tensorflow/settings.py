"""Reads the attributes of an op (axes, shapes) as opposed to its values, and the kind of its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import minitape.autodiff
import minitape.ops  # noqa: F401  # registers the catalog
from minitape.core.declaration import inputs_read, output_read
from minitape.core.registry import PRIMITIVES
from minitape.tracer.tensorflow.internals import Privates

# Arguments that configure an op; they are traced as attributes unless they are tensors of the program.
_HOW = {
    "axis", "batch_dims", "begin", "block_shape", "concat_dim", "crops", "delta", "depth", "dim", "dimension", "dims",
    "end", "k", "limit", "multiples", "num_lower", "num_segments", "num_upper", "off_value", "on_value", "output_shape",
    "paddings", "perm", "reduction_indices", "seed", "shape", "shift", "size", "size_splits", "slice_sizes", "split_dim",
    "start", "strides",
}  # fmt: skip
# Attributes that the values already show, or that have no influence on the result.
_REPORTED_BY_VALUES = {"N", "num", "seed", "seed2", "container", "shared_name"}
_FUNCTIONS = ("PartitionedCall", "StatefulPartitionedCall")


class Declared(NamedTuple):
    """The declaration of an op in a trace (`Primitive` in the format)."""

    name: str
    rule: str
    gradient: str
    reason: str


class OpDefinitions:
    """Reads the definitions of ops.

    Args:
        tf: The private names of TensorFlow.
    """

    def __init__(self, tf: Privates) -> None:
        self._tf = tf
        self.declared = cache(self._declared)
        self.is_function = cache(self._is_function)
        self.arguments = cache(self._arguments)
        self._attributes = cache(self._read_attributes)

    # --- gradients ---

    def _declared(self, name: str) -> Declared:
        ours = PRIMITIVES.get(name)
        if ours is not None:
            return Declared(name, ours.rule, ours.gradient, ours.reason or "")
        if self.is_function(name):
            return Declared(name, "as defined by its graph, which is one op here", "rule", "")
        try:
            rule = self._tf.ops.gradient_registry.lookup(name)
        except LookupError:
            return Declared(name, "", "missing", "TensorFlow has no gradient registered for it")
        if rule is None:
            return Declared(name, "", "none", "TensorFlow registers it as not differentiable")
        return Declared(name, "as defined by TensorFlow's gradient function", "rule", "")

    def _is_function(self, name: str) -> bool:
        """Whether the op is a graph that was compiled before tracing."""
        return name in _FUNCTIONS or self._tf.op_def_registry.get(name) is None

    def reads(self, name: str, position: int, count: int) -> tuple[Sequence[int], bool]:
        """Return which inputs the rule for one input may read, and whether it may read the output; all if the op is unknown."""
        masks = getattr(PRIMITIVES.get(name), "residual_masks", ())
        if not isinstance(masks, tuple) or position >= len(masks):
            return range(count), True
        return inputs_read(masks[position], count), output_read(masks[position])

    # --- arguments ---

    def names(self, op: str, count: int) -> Sequence[str]:
        """Return the name of each input of an op; a list of inputs has the same name for each."""
        arguments = self.arguments(op)
        if len(arguments) == count:
            return [name for name, _ in arguments]
        lists = sum(is_list for _, is_list in arguments)
        if not lists:
            return [""] * count
        length, odd = divmod(count - (len(arguments) - lists), lists)
        if odd or length < 0:
            return [""] * count
        return [name for name, is_list in arguments for _ in range(length if is_list else 1)]

    def is_how(self, name: str) -> bool:
        return name in _HOW

    def _arguments(self, op: str) -> tuple[tuple[str, bool], ...]:
        """Return the name of each argument, and whether it is a list."""
        definition = self._tf.op_def_registry.get(op)
        if definition is None:  # the op is a compiled function
            return ()
        return tuple(
            (each.name, bool(each.number_attr or each.type_list_attr))
            for each in definition.input_arg
        )

    # --- attributes ---

    def of(self, op: str, attributes: Any) -> dict[str, Any]:
        """Return the attributes that differ from their defaults, as simple Python types."""
        reported = self._attributes(op)
        settings: dict[str, Any] = {}
        pairs = attributes or ()
        for key, value in zip(pairs[::2], pairs[1::2]):
            if key in reported:
                plain = _plain(value)
                if plain != reported[key]:
                    settings[key] = plain
        if op == "Cast":
            wanted = dict(zip(pairs[::2], pairs[1::2])).get("DstT")
            settings["dtype"] = self._tf.public.as_dtype(wanted).name
        return settings

    def _read_attributes(self, op: str) -> dict[str, Any]:
        """Return the attributes that are shown in a trace, by name, with their defaults."""
        definition = self._tf.op_def_registry.get(op)
        if definition is None:
            return {}
        return {
            each.name: _default(each)
            for each in definition.attr
            if "type" not in each.type
            and "func" not in each.type
            and each.name not in _REPORTED_BY_VALUES
        }


def _default(attribute: Any) -> Any:
    """Return the default, in the form of `_plain`."""
    if not attribute.HasField("default_value"):
        return None
    value = attribute.default_value
    kind = value.WhichOneof("value")
    if kind == "list":
        held = value.list
        for items in (held.i, held.f, held.s, held.b):
            if items:
                return [_plain(each) for each in items]
        return []
    return _plain(getattr(value, kind)) if kind else None


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return str(value)
