"""Check the arguments that a layer's `call` accepts, and pass on the masks attached to its inputs.

Source: https://keras.io/api/layers/base_layer/
"""

import difflib
import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from minitape.core import nest
from minitape.core.convert import is_engine_value
from minitape.errors import TapeTypeError, TapeValueError, code_list
from minitape.keras.masks import masks_of


class Form(NamedTuple):
    """The parameters of a `call` method, without `self`."""

    names: tuple[str, ...]
    needed: tuple[str, ...]
    takes_more: bool  # **kwargs
    takes_training: bool
    training: Any  # the default of the parameter `training`
    masks: tuple[str, ...]


@cache
def form_of(call: Callable[..., Any]) -> Form:
    """Return the parameters of a layer's `call`.

    Args:
        call: The unbound method.

    Returns:
        A `Form`.
    """
    parameters = list(inspect.signature(call).parameters.values())[1:]
    named = [
        each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
    ]
    names = tuple(each.name for each in named)
    takes_more = any(each.kind is each.VAR_KEYWORD for each in parameters)
    defaults = {each.name: each.default for each in named}
    training = defaults.get("training")
    return Form(
        names,
        tuple(name for name, default in defaults.items() if default is inspect.Parameter.empty),
        takes_more,
        "training" in names or takes_more,
        None if training is inspect.Parameter.empty else training,
        tuple(name for name in names if name == "mask" or name.endswith("_mask")),
    )


def check_arguments(
    layer: Any, form: Form, args: tuple[Any, ...], settings: dict[str, Any]
) -> None:
    """Raise an error for arguments that `call` does not accept.

    Args:
        layer: The layer that is called; the message contains its name.
        form: The parameters of its `call`.
        args: The positional arguments.
        settings: The keyword arguments.

    Raises:
        TypeError: a keyword is unknown, or a required argument is missing.
        ValueError: a positional argument is not a tensor, or the first one is None.
    """
    for name in settings:
        if name not in form.names and not form.takes_more:
            near = difflib.get_close_matches(name, form.names, n=1)
            raise TapeTypeError(
                f"`{type(layer).__name__}.call` got an unexpected keyword argument '{name}'.",
                fix=f"pass {code_list(f'{each}=...' for each in near or form.names)}",
            )
    missing = [name for name in form.needed[len(args) :] if name not in settings]
    if missing:
        raise TapeTypeError(
            f"Layer '{layer.name}' was called without its argument '{missing[0]}'.",
            fix="call `layer(inputs)`",
        )
    if args and args[0] is None and form.needed:
        raise TapeValueError(
            f"Inputs to a layer should be tensors. Got 'None' as input for layer '{layer.name}'.",
            fix="check the expression that computed this input, because it returned `None`",
        )
    for value in nest.flatten(args):
        if value is not None and not is_engine_value(value):
            raise TapeValueError(
                "Only input tensors may be passed as positional arguments, and layer "
                f"'{layer.name}' received {value!r} (of type {type(value).__name__}).",
                fix="use `layer(tf.constant(...))` for values, and `layer(x, training=True)` for a setting",
            )


def add_masks(form: Form, args: tuple[Any, ...], settings: dict[str, Any]) -> None:
    """Add the masks of the inputs to the keyword arguments, if `call` has a parameter for them.

    Args:
        form: The parameters of the layer's `call`.
        args: The positional arguments.
        settings: The keyword arguments; changed in place.
    """
    given = {**dict(zip(form.names, args)), **settings}
    tensors = {name: value for name, value in given.items() if _is_of_tensors(value)}
    is_alone = len(tensors) == 1
    mask_names = {("mask" if is_alone else f"{name}_mask"): name for name in tensors}
    for mask_name, name in mask_names.items():
        if mask_name in form.masks and given.get(mask_name) is None:
            settings[mask_name] = masks_of(tensors[name])


def _is_of_tensors(value: Any) -> bool:
    if is_engine_value(value):
        return True
    leaves = nest.flatten(value) if nest.is_nested(value) else []
    return bool(leaves) and all(each is None or is_engine_value(each) for each in leaves)
