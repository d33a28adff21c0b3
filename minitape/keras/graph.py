"""The graph of a functional model: the order in which its layers run and are listed, and the values that it receives.

Source: https://keras.io/guides/functional_api/
"""

import warnings
from collections.abc import Iterable
from typing import Any

from minitape.core import nest
from minitape.core.convert import convert_to_tensor, is_engine_value
from minitape.core.frames import frames_to_user
from minitape.errors import TapeTypeError, TapeValueError
from minitape.keras.layers.layer import Layer
from minitape.keras.masks import attach_mask, mask_of
from minitape.keras.symbol import Symbol, symbols_in
from minitape.ops.identity import cast
from minitape.ops.reshaping import expand_dims, squeeze


def check_symbols(what: str, structure: Any) -> None:
    """Raise an error if the inputs or outputs of a functional model are not symbolic tensors.

    Args:
        what: "inputs" or "outputs".
        structure: The structure to check.

    Raises:
        ValueError: `structure` contains any other object.
    """
    for each in nest.flatten(structure):
        if type(each) is not Symbol:
            raise TapeValueError(
                f"All `{what}` values must be KerasTensors. Received: {each!r} of type {type(each).__name__}",
                fix="write `x = tf.keras.Input(shape); tf.keras.Model(x, layer(x))`",
            )


def steps_between(inputs: list[Symbol], outputs: list[Symbol]) -> list[Symbol]:
    """Return the symbolic tensors between the inputs and the outputs, in the order of their creation.

    Args:
        inputs: The inputs.
        outputs: The outputs.

    Returns:
        A list without the inputs.

    Raises:
        ValueError: an output depends on an input that is not among `inputs`.
    """
    known = {symbol.number for symbol in inputs}
    needed: dict[int, Symbol] = {}
    waiting = list(outputs)
    while waiting:
        symbol = waiting.pop()
        if symbol.number in known or symbol.number in needed:
            continue
        if symbol.given is None:
            raise TapeValueError(
                f"An output depends on the input '{symbol.layer.name}', which is not among the inputs.",
                fix="pass every `Input` that was used: `Model(inputs=[...], outputs=...)`",
            )
        needed[symbol.number] = symbol
        waiting.extend(symbols_in(symbol.given))
    return [needed[number] for number in sorted(needed)]


# --- the order of the layers ---


def layers_by_depth(inputs: list[Symbol], outputs: list[Symbol]) -> list[Layer]:
    """Return the layers of a functional model in Keras's order, starting with those farthest from the outputs.

    Args:
        inputs: The inputs.
        outputs: The outputs.

    Returns:
        A list of layers.

    Raises:
        ValueError: two layers have the same name.
    """
    calls = _calls_inwards(inputs, outputs)
    index = {
        id(maker): position
        for position, maker in enumerate(_layers_in_visit_order(inputs, outputs))
    }
    depth_of_call: dict[int, int] = {}
    depth: dict[int, int] = {}
    makers: dict[int, Any] = {}
    for symbol in reversed(calls):
        maker = symbol.layer
        here = max(depth_of_call.get(_call(symbol), 0), depth.get(id(maker), 0))
        depth[id(maker)], makers[id(maker)] = here, maker
        for parent in _parents(symbol, inputs):
            depth_of_call[_call(parent)] = max(here + 1, depth_of_call.get(_call(parent), 0))
    for symbol in inputs:
        if id(symbol.layer) not in makers and symbol.given is None:  # an unused input
            makers[id(symbol.layer)], depth[id(symbol.layer)] = symbol.layer, 0
            index[id(symbol.layer)] = -1
    in_order = sorted(makers, key=lambda number: (-depth[number], index[number]))
    _check_names([makers[number] for number in in_order])
    return [makers[number] for number in in_order if isinstance(makers[number], Layer)]


def _call(symbol: Symbol) -> int:
    """Return an ID for the call that created a symbol. All outputs of a call share their inputs, so they have the same ID."""
    return id(symbol.given) if symbol.given is not None else id(symbol)


def _parents(symbol: Symbol, inputs: list[Symbol]) -> list[Symbol]:
    """Return the inputs of a symbol that are inside the model."""
    known = {each.number for each in inputs}
    given = symbols_in(symbol.given) if symbol.given is not None else []
    return [each for each in given if each.given is None or each.number not in known]


def _calls_inwards(inputs: list[Symbol], outputs: list[Symbol]) -> list[Symbol]:
    """Return one symbol for each call, in an order in which each symbol follows its inputs."""
    done: dict[int, Symbol] = {}
    stack = [(symbol, False) for symbol in reversed(outputs)]
    while stack:
        symbol, is_ready = stack.pop()
        if _call(symbol) in done:
            continue
        if is_ready:
            done[_call(symbol)] = symbol
        else:
            parents = _parents(symbol, inputs)
            stack.append((symbol, True))
            stack.extend((each, False) for each in reversed(parents))
    return list(done.values())


def _layers_in_visit_order(inputs: list[Symbol], outputs: list[Symbol]) -> Iterable[Any]:
    """Return the layers in the order in which a traversal from the outputs to the inputs visits them."""
    met: dict[int, Any] = {}
    seen: set[int] = set()
    stack = list(reversed(outputs))
    while stack:
        symbol = stack.pop()
        if _call(symbol) in seen:
            continue
        seen.add(_call(symbol))
        met.setdefault(id(symbol.layer), symbol.layer)
        stack.extend(reversed(_parents(symbol, inputs)))
    return met.values()


def _check_names(makers: list[Any]) -> None:
    names = [maker.name for maker in makers]
    for name in names:
        if names.count(name) > 1:
            raise TapeValueError(
                f'The name "{name}" is used {names.count(name)} times in the model. All operation names should be '
                "unique.",
                fix=f'pass `name="another_{name}"` to one of them',
            )


# --- the values that a model receives ---


def values_for(model: Any, given: Any) -> list[Any]:
    """Convert the arguments of a call to tensors, in the order of the model's inputs and with their dtypes and ranks.

    Args:
        model: The functional model.
        given: The argument, which is a tensor or a structure of tensors.

    Returns:
        A list of tensors.

    Raises:
        ValueError: the number of values differs, a key is missing, or a shape does not match.
    """
    wanted = model.inputs_structure
    symbols = symbols_in(wanted)
    if isinstance(wanted, list) and len(wanted) == 1 and is_engine_value(given):
        given = [given]
    elif isinstance(given, dict):
        given = _by_key(given, wanted)
    flat = nest.flatten(given)
    if len(flat) != len(symbols):
        raise TapeValueError(
            f'Layer "{model.name}" expects {len(symbols)} inputs, but received {len(flat)}.',
            fix="call `model([" + ", ".join(symbol.layer.name for symbol in symbols) + "])`",
            code="MT507",
        )
    _check_structure(given, wanted)
    return [
        fitted(model, position, value, symbol)
        for position, (value, symbol) in enumerate(zip(flat, symbols, strict=True))
    ]


def _by_key(given: dict[str, Any], wanted: Any) -> Any:
    symbols = wanted if isinstance(wanted, dict) else {s.layer.name: s for s in symbols_in(wanted)}
    missing = [key for key in symbols if key not in given]
    if missing:
        raise TapeValueError(
            f'Missing data for input "{missing[0]}". You passed a data dictionary with keys {list(given)}. '
            f"Expected the following keys: {list(symbols)}",
            fix="call `model({" + ", ".join(f'"{key}": ...' for key in symbols) + "})`",
        )
    if isinstance(wanted, dict) and len(given) > len(symbols):
        _warn_of_structure()
    chosen = {key: given[key] for key in symbols}
    return chosen if isinstance(wanted, dict) else list(chosen.values())


def _check_structure(given: Any, wanted: Any) -> None:
    try:
        nest.assert_same_structure(_tuples(given), _tuples(wanted))
    except (TapeTypeError, TapeValueError):
        _warn_of_structure()


def _warn_of_structure() -> None:
    warnings.warn(
        "The structure of `inputs` doesn't match that of the model's inputs.",
        UserWarning,
        stacklevel=frames_to_user(),
    )


def _tuples(structure: Any) -> Any:
    if isinstance(structure, dict):
        return {key: _tuples(each) for key, each in structure.items()}
    return tuple(map(_tuples, structure)) if isinstance(structure, list | tuple) else structure


def fitted(model: Any, position: int, value: Any, symbol: Symbol) -> Any:
    """Convert a value to the dtype and rank of an input, by removing or adding a last axis of size 1.

    Args:
        model: The model.
        position: Index of the input.
        value: The value.
        symbol: The input.

    Returns:
        A tensor.

    Raises:
        ValueError: the shape does not match.
    """
    tensor = value if is_engine_value(value) else convert_to_tensor(value)
    mask = mask_of(value)
    shape, wanted = tuple(tensor.shape), symbol.shape
    tensor = _in_rank(tensor, wanted)
    sizes = tuple(tensor.shape)
    pairs = list(zip(sizes, wanted))[1:]  # the batch size may differ
    if len(sizes) != len(wanted) or any(n is not None and n != size for size, n in pairs):
        raise TapeValueError(
            f"Input {position} with name '{symbol.layer.name}' of layer '{model.name}' is incompatible with the layer: "
            f"expected shape={wanted}, found shape={shape}",
            fix=f"pass values of shape {wanted}, where `None` is any size",
            code="MT507",
        )
    tensor = cast(tensor, symbol.dtype)
    if mask is not None:
        attach_mask(tensor, mask)
    return tensor


def fitted_to_first(model: Any, value: Any, wanted: Any, dtype: Any) -> Any:
    """Convert a value to the rank that the model received in its first call, and to the dtype of its first layer.

    Args:
        model: The model.
        value: The value.
        wanted: Shape of the first call's input.
        dtype: The dtype.

    Returns:
        A tensor.

    Raises:
        ValueError: the value does not have the rank that the model expects.
    """
    mask = mask_of(value)
    tensor = _in_rank(value, wanted)
    if len(tensor.shape) != len(wanted):
        raise TapeValueError(
            f"Invalid input shape for model '{model.name}', which was first called with shape {wanted}: found "
            f"shape={tuple(value.shape)}",
            fix=f"pass values of rank {len(wanted)}",
            code="MT507",
        )
    tensor = cast(tensor, dtype)
    if mask is not None:
        attach_mask(tensor, mask)
    return tensor


def _in_rank(tensor: Any, wanted: Any) -> Any:
    """Remove or add a last axis of size 1, if the rank then matches."""
    shape = tuple(tensor.shape)
    if len(shape) == len(wanted) + 1 and shape[-1] == 1:
        return squeeze(tensor, axis=-1)
    if len(shape) == len(wanted) - 1 and wanted[-1] == 1:
        return expand_dims(tensor, axis=-1)
    return tensor
