"""`Layer`: the base class of layers, which are callable objects that own their weights.

A layer creates its weights on the first call, when the shape of the input is known.

Source: https://keras.io/api/layers/base_layer/
"""

import copy
import inspect
import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

import numpy as np

from minitape.core import dtypes, nest
from minitape.core.convert import convert_to_tensor
from minitape.core.frames import frames_to_user
from minitape.core.tensor import TensorLike
from minitape.core.values import Ints
from minitape.core.variable import Variable
from minitape.errors import TapeAttributeError, TapeRuntimeError, TapeValueError
from minitape.keras import constraints, initializers, regularizers
from minitape.keras.config import float_dtype
from minitape.keras.layers import call_arguments
from minitape.keras.layers.keywords import input_shape_among, refuse_given, refuse_unknown
from minitape.keras.layers.weight_tracking import WeightOwner
from minitape.keras.layers.weights import Weight
from minitape.keras.masks import attach_mask, is_masked, mask_of, masks_of
from minitape.keras.naming import checked_name, names, snake_case
from minitape.keras.symbol import Symbol, drawn, is_drawing, symbols_in
from minitape.ops.identity import cast
from minitape.unsupported.attribute_errors import HelpfulAttributes


def _once_built(build: Callable[..., None]) -> Callable[..., None]:
    """Mark the layer as built after `build`, so that its first call does not build it again, as in Keras."""

    @wraps(build)
    def building(self: "Layer", *args: Any, **settings: Any) -> None:
        with names.within(self.name):
            build(self, *args, **settings)
        self.built = True

    return building


class Layer(WeightOwner, HelpfulAttributes):
    """Base class of all layers: `build` creates the weights, `call` computes with them.

    Weights come from `add_weight`, or belong to layers that are attributes of this layer.

    Args:
        activity_regularizer: Function of the output; after a call, `losses` contains its result divided by the batch size.
        trainable: Whether the weights of this layer and of the layers inside it are trainable.
        dtype: Dtype of the weights and of the computation; `floatx` (float32) by default.
        autocast: Whether floating-point inputs are cast to `dtype`.
        name: Name of the layer; by default the name of the class in snake case, with a number.
        **kwargs: `input_shape` or `input_dim`, the shape of one example (with a warning, as in Keras 3); any other keyword
            raises an error.

    Raises:
        ValueError: a keyword is unknown, or `trainable` is not a bool.

    Source: https://keras.io/api/layers/base_layer/
    """

    # Whether the mask of the input is passed on to the output. A class that overrides `compute_mask` sets it to True.
    supports_masking = False

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        layer = object.__new__(cls)
        layer.__dict__["_made_with"] = (args, kwargs)
        layer.__dict__[
            "_added_losses"
        ] = []  # enclosing layers read this attribute even if `__init__` has not run
        return layer

    def __init__(
        self,
        *,
        activity_regularizer: Any = None,
        trainable: bool = True,
        dtype: Any = None,
        autocast: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        self.name = checked_name(name, type(self))
        shape = input_shape_among(kwargs)
        refuse_unknown(type(self), kwargs)
        if not isinstance(trainable, bool):
            raise TapeValueError(
                "Expected `trainable` to be a boolean. "
                f"Received: trainable={trainable} (of type {type(trainable)})",
                fix="pass `trainable=True`",
            )
        self._trainable = trainable
        self._shape_of_one = shape  # used by `Sequential` for its first layer
        self.dtype = float_dtype(dtype)
        self.autocast = autocast
        self.activity_regularizer = regularizers.get(activity_regularizer)
        self.built = False

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "build" in vars(cls):
            cls.build = _once_built(cls.build)  # type: ignore[method-assign]
        if "compute_mask" in vars(cls) and "supports_masking" not in vars(cls):
            cls.supports_masking = True

    # --- methods that subclasses override or use ---

    def build(self, input_shape: Any) -> None:
        """Create the weights. The first call to the layer runs `build` with the shape of the input.

        If `build` has several parameters, such as `query_shape`, each receives the shape of the call argument with the
        matching name, such as `query`.

        Args:
            input_shape: Shape of the input with the batch, or a structure of shapes; a size of None is unknown.
        """

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output; subclasses override it.

        Args:
            args: The inputs, which are tensors or structures of tensors.
            kwargs: Further arguments, such as `training` and `mask`.

        Returns:
            The output, which is a tensor or a structure of tensors.

        Raises:
            NotImplementedError: the class does not define `call`.
        """
        raise NotImplementedError(f"`{type(self).__name__}` has no `call(self, inputs)`.")

    def compute_mask(self, inputs: Any, previous_mask: Any) -> Any:
        """Return the mask of the output, which by default is the mask of the input.

        Args:
            inputs: The first argument of the call.
            previous_mask: The mask of the first argument, or None.

        Returns:
            A mask, a structure of masks, or None.
        """
        return previous_mask

    def add_weight(
        self,
        shape: Any = None,
        initializer: Any = None,
        dtype: Any = None,
        trainable: bool = True,
        autocast: bool = True,
        regularizer: Any = None,
        constraint: Any = None,
        aggregation: str = "none",
        overwrite_with_gradient: bool = False,
        name: str | None = None,
    ) -> Variable:
        """Create a weight of this layer.

        Args:
            shape: Shape of the weight; None means a scalar.
            initializer: Initializer or its name; by default "glorot_uniform" for floating-point dtypes, otherwise
                "zeros".
            dtype: Dtype of the weight; the dtype of the layer by default.
            trainable: Whether training updates the weight. False is for state that gradients do not change; a tape does not
                watch such a weight automatically.
            autocast: Ignored, because a weight is always used in its own dtype.
            regularizer: Function of the weight; `losses` contains its result.
            constraint: Function that optimizers apply to the weight after each update.
            aggregation: Must be "none", because there is only one device.
            overwrite_with_gradient: Not supported; must be False.
            name: Name of the weight; its path is the layer's path followed by this name.

        Returns:
            The new variable.

        Raises:
            ValueError: a size in `shape` is None.
            UnimplementedError: `aggregation` or `overwrite_with_gradient` is set.
        """
        sizes = () if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
        if None in sizes:
            raise TapeValueError(
                f"Layer '{self.name}' cannot create a weight of shape {sizes}, because a size of its input is unknown.",
                fix="use `tf.keras.Input(shape=...)` with integers instead of `None`",
                code="MT507",
            )
        refuse_given(
            self,
            "minitape has one device, and optimizers update weights only with gradients",
            aggregation=None if aggregation == "none" else aggregation,
            overwrite_with_gradient=overwrite_with_gradient,
        )
        wanted = dtypes.as_dtype(dtype or self.dtype)
        first = initializer or ("glorot_uniform" if wanted.is_floating else "zeros")
        weight = Weight(
            initializers.get(first)(sizes, dtype=wanted),
            may_train=trainable,
            counts=self._trainable,
            name="/".join([*self._path(), name or "variable"]),
            dtype=wanted,
            regularizer=regularizers.get(regularizer),
            constraint=constraints.get(constraint),
        )
        self._own(weight)
        return weight

    # --- calls ---

    def __copy__(self) -> "Layer":
        return copy.deepcopy(self)  # as in Keras, a copied layer has its own weights

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if "name" not in self.__dict__:
            raise TapeRuntimeError(
                f"In layer '{type(self).__name__}', `super().__init__()` was not called.",
                fix="call `super().__init__()` on the first line of `__init__`",
            )
        if is_drawing(args, kwargs):
            return self._build_symbolically(args, kwargs)
        form = call_arguments.form_of(type(self).call)
        training = self._training(form, kwargs.pop("training", None))
        ready = tuple(map(self._input, args))
        settings = {name: self._input(value) for name, value in kwargs.items()} if kwargs else {}
        is_plain = len(ready) == 1 and len(form.needed) < 2 and isinstance(ready[0], TensorLike)
        if training is not None and form.takes_training:
            settings["training"] = training
        if kwargs or not is_plain:
            self._check_arguments(form, ready, settings)
        if form.masks:
            call_arguments.add_masks(form, ready, settings)
        first = ready[0] if ready else next(iter(settings.values()), None)
        previous = settings.get("mask")
        previous = masks_of(first) if previous is None else previous
        if not names.inside:
            self._forget_added_losses()
        names.inside.append(self.name)
        names.training.append(training)
        try:
            is_first = not self.built
            if is_first:
                self._build_for(form, ready, settings)
            answer = self.call(*ready, **settings)
            if is_first:
                # `summary` reads these shapes, except in a functional model, where it uses the symbolic tensors.
                answers = [each for each in nest.flatten(answer) if hasattr(each, "shape")]
                self._first_shapes = [tuple(each.shape) for each in answers]
            if self.activity_regularizer is not None:
                self._add_activity_loss(answer)
        finally:
            names.inside.pop()
            names.training.pop()
        if previous is not None or type(self).compute_mask is not Layer.compute_mask:
            self._pass_mask_on(first, answer, previous)
        return answer

    def _check_arguments(
        self, form: call_arguments.Form, args: Any, settings: dict[str, Any]
    ) -> None:
        call_arguments.check_arguments(self, form, args, settings)

    def _input(self, value: Any) -> Any:
        """Convert arrays to tensors and cast floating-point values to the layer's dtype, even inside lists and dicts."""
        if isinstance(value, np.ndarray | np.generic):
            value = convert_to_tensor(value)
        elif type(value) is list:  # the states of a recurrent layer are passed at every time step
            return [self._input(each) for each in value]
        elif not isinstance(value, TensorLike):
            return nest.map_structure(self._input, value) if nest.is_nested(value) else value
        have, wanted = value.dtype, self.dtype
        if have is wanted or not (self.autocast and have.is_floating and wanted.is_floating):
            return value
        mask = mask_of(value)
        value = cast(value, wanted)
        if mask is not None:
            attach_mask(value, mask)
        return value

    def _training(self, form: call_arguments.Form, given: Any) -> Any:
        """Return `training`: the value of the caller, otherwise of the enclosing layer, otherwise the default of `call`."""
        if given is None and names.training:
            given = names.training[-1]
        return form.training if given is None else given

    def _build_for(self, form: call_arguments.Form, args: Any, settings: dict[str, Any]) -> None:
        wanted = list(inspect.signature(self.build).parameters)
        given = {**dict(zip(form.names, args)), **settings}
        first = args[0] if args else next(iter(given.values()), None)
        shapes = {f"{name}_shape": _shapes(value) for name, value in given.items()}
        if len(wanted) > 1:
            self.build(**{name: shapes[name] for name in wanted if shapes.get(name) is not None})
        else:
            self.build(_shapes(first))
        self.built = True

    def _build_symbolically(self, args: tuple[Any, ...], settings: dict[str, Any]) -> Any:
        """Build the layer with the shapes of symbolic tensors, whose sizes may be None, and add it to the functional model."""
        if not self.built:
            form = call_arguments.form_of(type(self).call)
            with names.within(self.name):
                self._build_for(form, args, settings)
        answer = drawn(self, args, settings)
        self._forget_added_losses()
        return answer

    def _pass_mask_on(self, first: Any, answer: Any, previous: Any) -> None:
        has_mask = is_masked(previous)
        if not self.supports_masking:
            if has_mask:
                warnings.warn(
                    f"Layer '{self.name}' (of type {type(self).__name__}) was passed an input with a mask attached to "
                    "it, but does not support masking. Later layers will not receive the mask.",
                    UserWarning,
                    stacklevel=frames_to_user(),
                )
            return
        if not has_mask and type(self).compute_mask is Layer.compute_mask:
            return
        flat = nest.flatten(answer)
        if all(mask_of(each) is not None for each in flat):
            return
        masks = self.compute_mask(first, previous)
        if masks is None:
            return
        for each, mask in zip(flat, nest.flatten(masks)):
            if mask is not None and mask_of(each) is None:
                attach_mask(each, mask)

    def _add_activity_loss(self, answer: Any) -> None:
        """Add the activity regularizer's penalty on the output, divided by the batch size, to the losses."""
        for each in nest.flatten(answer):
            if isinstance(each, TensorLike):
                price = self.activity_regularizer(each)
                size = each.shape[0] if each.ndim else 1
                self.add_loss(price / float(size) if size else price * 0.0)

    # --- inputs and outputs in a functional model ---

    @property
    def output(self) -> Any:
        """Return the symbolic output of the layer in a functional model, for use as the output of another model.

        Raises:
            AttributeError: the layer was not called on symbolic tensors, or more than once.
        """
        return self._only_drawing("output")[1]

    @property
    def input(self) -> Any:
        """Return the symbolic input of the layer in a functional model.

        Raises:
            AttributeError: the layer was not called on symbolic tensors, or more than once.
        """
        (args, settings), _ = self._only_drawing("input")
        given = [each for each in (*args, *settings.values()) if symbols_in(each)]
        return given[0] if len(given) == 1 else given

    def _only_drawing(self, what: str) -> Any:
        drawings = self.__dict__.get("_drawn", [])
        if len(drawings) != 1:
            raise TapeAttributeError(
                f"Layer '{self.name}' has no single {what}, because it was called {len(drawings)} times on symbolic tensors.",
                fix="write `y = layer(x)` with an `x` from `tf.keras.Input`, and use `y`",
            )
        return drawings[0]

    # --- configuration ---

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments by name; `from_config` creates another layer from them.

        Unlike TensorFlow, functions, initializers and layers are stored as objects, not in serialized form.

        Returns:
            A dict with the arguments, `name`, `dtype` and `trainable`.
        """
        args, kwargs = self.__dict__["_made_with"]
        signature = inspect.signature(type(self).__init__)
        given = signature.bind(self, *args, **kwargs)
        given.apply_defaults()
        config: dict[str, Any] = {"trainable": self._trainable, "dtype": self.dtype.name}
        for name, value in list(given.arguments.items())[1:]:
            more = signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD
            config.update(value if more else {name: value})
        return {**config, "name": self.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Layer":
        """Create a layer with new weights from the result of `get_config`.

        Args:
            config: The dict that `get_config` returned.

        Returns:
            A new layer of this class.
        """
        return cls(**{name: initializers.another(value) for name, value in config.items()})

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"


Layer.build = _once_built(Layer.build)  # type: ignore[method-assign]  # for subclasses, see `__init_subclass__`


def copy_of(layer: Layer, **changes: Any) -> Layer:
    """Create a layer with the arguments of another layer; layers among the arguments are also copied, so that no weight is
    shared.

    Args:
        layer: The layer to copy.
        changes: Arguments that differ.

    Returns:
        The new layer, without weights.
    """
    config = {name: _copied(value) for name, value in layer.get_config().items()}
    return type(layer).from_config({**config, **changes})


def _copied(value: Any) -> Any:
    if isinstance(value, Layer):
        return copy_of(value)
    if isinstance(value, list | tuple) and any(isinstance(each, Layer) for each in value):
        return [_copied(each) for each in value]
    return value


def _shapes(value: Any) -> Any:
    """Return the shape of a value, or a structure of shapes; a value without a shape has the shape None."""
    if isinstance(value, Mapping):
        return {name: _shapes(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_shapes(each) for each in value]
    shape = getattr(value, "shape", None)
    return shape if shape is None or type(value) is not Symbol else tuple(shape)


def refuse(layer: Layer, what: str, shape: Any) -> TapeValueError:
    """Return the error for an input that does not fit a layer.

    Args:
        layer: The layer.
        what: Clause that describes what does not fit.
        shape: Shape of the input.

    Returns:
        A ValueError.
    """
    return TapeValueError(
        f"Input of layer '{layer.name}' is incompatible with the layer: {what}. "
        f"Full shape received: {tuple(shape)}",
        fix="print `x.shape` to see the shape of the input, and change the shape with `tf.reshape(x, [batch, features])`",
        code="MT507",
    )


def check_rank(layer: Layer, shape: Ints, least: int, most: int | None = None) -> None:
    """Raise an error for an input with fewer than `least` axes or more than `most`.

    Args:
        layer: The layer.
        shape: Shape of the input.
        least: Smallest rank.
        most: Largest rank; None means no limit.

    Raises:
        ValueError: the rank is out of this range.
    """
    if len(shape) < least:
        raise refuse(layer, f"expected min_ndim={least}, found ndim={len(shape)}", shape)
    if most is not None and len(shape) > most:
        raise refuse(layer, f"expected ndim={most}, found ndim={len(shape)}", shape)


__all__ = [
    "Layer",
    "check_rank",
    "copy_of",
    "names",
    "refuse",
    "snake_case",
]
