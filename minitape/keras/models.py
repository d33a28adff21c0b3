"""Models, which are layers that consist of other layers.

    Model          a base class; subclasses create layers as attributes and define `call`
    Sequential     a list of layers
    Functional     a graph of layers from `Input` to outputs: `Model(inputs, outputs)`

Source: https://keras.io/api/models/
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from minitape.core import nest
from minitape.core.tensor import TensorLike
from minitape.core.values import Ints, Value
from minitape.errors import TapeAttributeError, TapeTypeError, TapeValueError, code_list
from minitape.keras.graph import (
    check_symbols,
    fitted,
    fitted_to_first,
    layers_by_depth,
    steps_between,
    values_for,
)
from minitape.keras.layers.inputs import Input, InputLayer
from minitape.keras.layers.keywords import refuse_given
from minitape.keras.layers.layer import Layer, copy_of, names
from minitape.keras.masks import attach_mask
from minitape.keras.saving import deserialize_keras_object, serialize_keras_object
from minitape.keras.symbol import Symbol, symbols_in, with_values
from minitape.keras.training.model_io import ModelIO, load_model
from minitape.keras.training.trainer import Trainer


class Model(Trainer, ModelIO, Layer):
    """Base class of models. A subclass creates layers as attributes and defines `call`.

    `Model(inputs, outputs)` creates a functional model: see `Functional`.

    `compile` and `fit` train the model; `train_step` processes a batch, in a few lines around a tape
    (keras/training/steps.py).

    Args:
        args: The inputs and outputs of a functional model.
        kwargs: The arguments of `Functional` for a functional model, and otherwise the arguments of `Layer`.

    Source: https://keras.io/api/models/model/
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> "Model":
        is_drawn = cls is Model and _draws(args, kwargs)
        return super().__new__(Functional if is_drawn else cls, *args, **kwargs)  # type: ignore[no-any-return]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if _draws(args, kwargs):  # a subclass that calls super().__init__(inputs, outputs)
            self.__class__ = _drawn_kind(type(self))  # type: ignore[arg-type]  # a class can be hashed
            Functional.__init__(self, *args, **kwargs)  # type: ignore[arg-type]  # the model is now an instance of Functional
        else:
            super().__init__(*args, **kwargs)

    @property
    def layers(self) -> list[Layer]:
        """Return the layers directly inside the model."""
        return [layer for layer in self._sublayers() if isinstance(layer, Layer)]

    def get_layer(self, name: str | None = None, index: int | None = None) -> Layer:
        """Return a layer by its name or index.

        Args:
            name: Name of the layer.
            index: Index of the layer in `layers`; takes precedence over `name`.

        Returns:
            The layer.

        Raises:
            ValueError: the model has no such layer.
        """
        if index is not None and index < len(self.layers):
            return self.layers[index]
        for layer in self.layers:
            if name is not None and layer.name == name:
                return layer
        raise TapeValueError(
            f"Model '{self.name}' has no layer {name if index is None else index!r}.",
            fix=f"call `model.get_layer(name)` with one of {code_list(each.name for each in self.layers)}",
        )


def _draws(args: Any, kwargs: Any) -> bool:
    """Return whether the arguments of a model include inputs and outputs."""
    return len(args) > 1 or (len(args) == 1 and "outputs" in kwargs) or "inputs" in kwargs


@cache
def _drawn_kind(kind: type[Model]) -> type[Model]:
    return type(kind.__name__, (kind, Functional), {"__module__": kind.__module__})


class Sequential(Model):
    """A model that applies a list of layers in order.

    Args:
        layers: The layers. If the first entry is an `Input`, all weights are created immediately; otherwise, the first call
            creates them.
        trainable: Whether the weights are trainable.
        name: Name of the model; "sequential" with a number by default.

    Source: https://keras.io/api/models/sequential/
    """

    def __init__(self, layers: Any = None, trainable: bool = True, name: str | None = None) -> None:
        super().__init__(name=name, trainable=trainable)
        self._layers: list[Layer] = []
        self._symbols: list[
            Symbol
        ] = []  # the symbolic output of each layer, once the input's shape is known
        self._first_shape: Ints | None = (
            None  # shape of the input of the first call, if the model has no symbols
        )
        for layer in layers or []:
            self.add(layer)

    @property
    def layers(self) -> list[Layer]:
        """Return the layers without the input."""
        return [layer for layer in self._layers if not isinstance(layer, InputLayer)]

    def add(self, layer: Any) -> None:
        """Append a layer.

        Args:
            layer: A layer, or the result of `Input`.

        Raises:
            ValueError: `layer` is not a layer.
        """
        if type(layer) is Symbol:
            layer = layer.layer
        if not isinstance(layer, Layer):
            raise TapeValueError(
                f"Only instances of `keras.Layer` can be added to a Sequential model. Received: {layer!r}",
                fix="use `tf.keras.layers.Lambda(function)` for a function",
            )
        if (
            not self._layers
            and layer._shape_of_one is not None
            and not isinstance(layer, InputLayer)
        ):
            self.add(InputLayer(layer._shape_of_one, dtype=layer.dtype))
        self._layers.append(layer)
        self.built = False
        if isinstance(self._layers[0], InputLayer):
            self._draw()

    def _draw(self) -> None:
        """Call all layers in order on symbolic tensors, starting with the input, so that all weights are created."""
        with names.within(self.name):
            while len(self._symbols) < len(self._layers):
                layer = self._layers[len(self._symbols)]
                is_input = isinstance(layer, InputLayer)
                self._symbols.append(layer.output if is_input else layer(self._symbols[-1]))
        self.built = True

    def build(self, input_shape: Any) -> None:
        """Create the weights for inputs of this shape.

        Args:
            input_shape: Shape of the input with the batch; a size of None is unknown.
        """
        if not isinstance(self._layers[0], InputLayer):
            self._layers.insert(0, InputLayer(batch_shape=tuple(input_shape)))
        self._draw()

    def _build_for(self, form: Any, args: Any, settings: Any) -> None:
        """Only store the shape, because the call that follows builds the layers."""
        given = args[0] if args else next(iter(settings.values()))
        if self._first_shape is None and isinstance(given, TensorLike):
            self._first_shape = tuple(given.shape)
        self.built = True

    @property
    def inputs(self) -> list[Symbol]:
        """Return a list with the symbolic input, which exists once the input's shape is known."""
        return [self._drawing()[0]]

    @property
    def outputs(self) -> list[Symbol]:
        """Return a list with the symbolic output, which exists once the input's shape is known."""
        return [self._drawing()[-1]]

    @property
    def input(self) -> Symbol:
        """Return the symbolic input, which exists once the input's shape is known."""
        return self._drawing()[0]

    @property
    def output(self) -> Symbol:
        """Return the symbolic output, which exists once the input's shape is known."""
        return self._drawing()[-1]

    @property
    def input_shape(self) -> Any:
        """Return the shape of the input, in which None is an unknown size."""
        return self.input.shape

    @property
    def output_shape(self) -> Any:
        """Return the shape of the output, in which None is an unknown size."""
        return self.output.shape

    def _drawing(self) -> list[Symbol]:
        if not self._symbols:
            raise TapeAttributeError(
                f"Sequential model '{self.name}' has no defined inputs yet.",
                fix="add `tf.keras.Input(shape)` as the first entry, or call `model.build((None, ...))`",
            )
        return self._symbols

    def get_config(self) -> dict[str, Any]:
        """Return the name and the layers as plain values; `from_config` creates another model with new weights.

        Returns:
            A dict.
        """
        shape = self._symbols[0].shape if self._symbols else None
        about = {"name": self.name, "trainable": self._trainable, "dtype": self.dtype.name}
        layers = [serialize_keras_object(layer) for layer in self._layers]
        return {**about, "layers": layers, "build_input_shape": shape}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> "Sequential":
        """Create a model from the result of `get_config`.

        Args:
            config: The dict that `get_config` returned.
            custom_objects: Dict from names to classes or functions that are not part of Keras.

        Returns:
            A new model.

        Raises:
            TypeError: the name of a layer class is unknown.
        """
        layers = deserialize_keras_object(config["layers"], custom_objects)
        return cls(layers, name=config.get("name"), trainable=config.get("trainable", True))

    def pop(self) -> Layer:
        """Remove the last layer.

        Returns:
            The removed layer.
        """
        del self._symbols[len(self._layers) - 1 :]
        return self._layers.pop()

    def call(self, inputs: Value, training: Any = None) -> Value:
        value = self._fitted(inputs)
        for layer in self._layers:
            value = layer(value, training=training)
        return value

    def _fitted(self, inputs: Any) -> Any:
        if self._symbols:
            return fitted(self, 0, inputs, self._symbols[0])
        if self._first_shape is None or not isinstance(inputs, TensorLike) or not self._layers:
            return inputs
        return fitted_to_first(self, inputs, self._first_shape, self._layers[0].dtype)


class Functional(Model):
    """A model that is a graph of layers, in which each layer runs after the layers that it depends on.

    Args:
        inputs: A symbolic tensor from `Input`, or a structure of symbolic tensors. A call takes values in the same structure.
        outputs: A symbolic output of a layer, or a structure of symbolic outputs.
        name: Name of the model; "functional" with a number by default.
        trainable: Whether the weights are trainable.

    Raises:
        ValueError: an argument is not a symbolic tensor, or an output depends on an input that is not among `inputs`.

    Source: https://keras.io/guides/functional_api/
    """

    def __init__(
        self, inputs: Any, outputs: Any, name: str | None = None, trainable: bool = True
    ) -> None:
        Layer.__init__(self, name=name, trainable=trainable)
        check_symbols("inputs", inputs)
        check_symbols("outputs", outputs)
        self.inputs_structure, self.outputs_structure = inputs, outputs
        self._starts, self._ends = symbols_in(inputs), symbols_in(outputs)
        self._output_names = self.output_names
        self._steps = steps_between(self._starts, self._ends)
        self._drawn_layers = layers_by_depth(self._starts, self._ends)
        self.built = True

    @property
    def inputs(self) -> list[Symbol]:
        """Return all inputs in one list."""
        return list(self._starts)

    @property
    def outputs(self) -> list[Symbol]:
        """Return all outputs in one list."""
        return list(self._ends)

    @property
    def output_names(self) -> list[str]:
        """Return the names of the outputs, which are the names of the layers that compute them."""
        return [symbol.layer.name for symbol in self._ends]

    @property
    def input(self) -> Any:
        """Return the inputs in their original structure."""
        return self.inputs_structure

    @property
    def output(self) -> Any:
        """Return the outputs in their original structure."""
        return self.outputs_structure

    @property
    def input_shape(self) -> Any:
        """Return the shape of the input, or a list of shapes, in which None is an unknown size."""
        return _only([symbol.shape for symbol in self._starts])

    @property
    def output_shape(self) -> Any:
        """Return the shape of the output, or a list of shapes, in which None is an unknown size."""
        return _only([symbol.shape for symbol in self._ends])

    @property
    def layers(self) -> list[Layer]:
        """Return the layers of the graph in Keras's order."""
        return list(self._drawn_layers)

    def _input(self, value: Any) -> Any:
        """Return the value unchanged, because `call` converts it and also accepts lists of numbers."""
        return value

    def _check_arguments(self, form: Any, args: Any, settings: Any) -> None:
        """Do nothing, because `call` checks its arguments."""

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        given = values_for(self, inputs)
        for value, counts in zip(given, nest.flatten(mask)):
            if counts is not None:
                attach_mask(value, counts)
        values = {symbol.number: value for symbol, value in zip(self._starts, given, strict=True)}
        answers: dict[int, list[Any]] = {}
        for symbol in self._steps:
            call = id(symbol.given)  # one call may have several outputs
            if call not in answers:
                args, settings = with_values(symbol.given, lambda each: values[each.number])
                answers[call] = nest.flatten(symbol.layer(*args, **settings))
            values[symbol.number] = answers[call][symbol.part]
        answer = with_values(self.outputs_structure, lambda symbol: values[symbol.number])
        return _only(answer) if isinstance(answer, list | tuple) else answer


def _only(entries: Any) -> Any:
    """Return the only entry of a list with one entry, and otherwise the list itself."""
    return entries[0] if len(entries) == 1 else entries


def clone_model(
    model: Model,
    input_tensors: Any = None,
    clone_function: Callable[[Layer], Layer] | None = None,
    call_function: Any = None,
    recursive: bool = False,
    **kwargs: Any,
) -> Model:
    """Create a model with the same layers and new weights; `clone.set_weights(model.get_weights())` copies the weights.

    Args:
        model: A `Sequential`, a functional model, or an instance of another subclass of `Model`, whose constructor is called
            with the same arguments.
        input_tensors: Not supported; must be None.
        clone_function: Function from a layer to the new layer; by default a layer with the same arguments.
        call_function: Not supported; must be None.
        recursive: Not supported; must be False.
        **kwargs: Not accepted; any further keyword raises a ValueError.

    Returns:
        The new model.

    Raises:
        TypeError: `model` is not a model.
        ValueError: `clone_function` is given for a subclass of `Model`, or a keyword is unknown.
        UnimplementedError: an unsupported argument is set.

    Source: https://keras.io/api/models/model_saving_apis/model_saving/#clonemodel-function
    """
    if kwargs:
        raise TapeValueError(f"Unexpected argument(s): {kwargs}", fix="call `clone_model(model)`")
    refuse_given(
        model,
        "`clone_model` always creates new inputs",
        input_tensors=input_tensors,
        call_function=call_function,
        recursive=recursive,
    )
    if not isinstance(model, Layer):
        raise TapeTypeError(
            f"`clone_model` expects a model. Received: {model!r}", fix="call `clone_model(model)`"
        )
    if not isinstance(model, Sequential | Functional):
        if clone_function is not None:
            raise TapeValueError(
                f"`clone_function` is only supported for Sequential and functional models. Received: {model!r}",
                fix="call `clone_model(model)`",
            )
        another: Model = copy_of(model)  # type: ignore[assignment]  # of the model's own class
        return another
    clone = clone_function or copy_of
    if isinstance(model, Sequential):
        layers = [
            copy_of(each) if isinstance(each, InputLayer) else clone(each) for each in model._layers
        ]
        return Sequential(layers, name=model.name, trainable=model.trainable)
    return _drawn_again(model, clone)


def _drawn_again(model: Functional, clone: Callable[[Layer], Layer]) -> Model:
    """Create the same graph with cloned layers; a layer that is called twice is cloned only once."""
    others: dict[int, Any] = {}
    symbols: dict[int, Any] = {}
    for symbol in model._starts:
        shape, dtype = symbol.shape, symbol.dtype
        symbols[symbol.number] = Input(batch_shape=shape, dtype=dtype, name=symbol.layer.name)
    for symbol in model._steps:
        layer = symbol.layer
        if id(layer) not in others:
            others[id(layer)] = clone(layer) if isinstance(layer, Layer) else layer
        args, settings = with_values(symbol.given, lambda each: symbols[each.number])
        answer = others[id(layer)](*args, **settings)
        symbols[symbol.number] = nest.flatten(answer)[symbol.part]
    ends = [
        with_values(structure, lambda each: symbols[each.number])
        for structure in (model.inputs_structure, model.outputs_structure)
    ]
    return Model(*ends, name=model.name, trainable=model.trainable)


__all__ = ["Functional", "Model", "Sequential", "clone_model", "load_model"]
