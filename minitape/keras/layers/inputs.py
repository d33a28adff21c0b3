"""Define the inputs of a functional model: `Input` returns the first symbolic tensor.

Source: https://keras.io/api/layers/core_layers/input/
"""

from typing import Any

from minitape.errors import TapeValueError
from minitape.keras.layers.keywords import refuse_given
from minitape.keras.layers.layer import Layer
from minitape.keras.symbol import Shape, Symbol
from minitape.ops.creation import zeros

# Values that replace unknown sizes in the two example inputs: one pair for the batch, one pair large enough for most windows.
_BATCHES, _ANY_SIZES = (2, 3), (32, 64)


class InputLayer(Layer):
    """Declare the shape of one example. `output` is the symbolic tensor.

    Args:
        shape: Shape of one example, without the batch; a size of None is unknown.
        batch_size: Number of examples; None (the default) means any number.
        dtype: Dtype of the input; `floatx` (float32) by default.
        sparse: Not supported; must be None or False.
        ragged: Not supported; must be None or False.
        batch_shape: Shape including the batch; replaces `shape` and `batch_size`.
        input_tensor: Not supported; must be None.
        optional: Not supported; must be False.
        name: Name of the layer; "input_layer" with a number by default.
        **kwargs: Arguments of `Layer`; `input_shape` is accepted in place of `shape`.

    Raises:
        ValueError: no shape is given, or it is not a valid shape.
        UnimplementedError: `sparse`, `ragged` or `optional` is set.
    """

    def __init__(
        self,
        shape: Any = None,
        batch_size: int | None = None,
        dtype: Any = None,
        sparse: bool | None = None,
        ragged: bool | None = None,
        batch_shape: Any = None,
        input_tensor: Any = None,
        optional: bool = False,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        requested = kwargs.pop("input_shape", None) if shape is None else shape
        super().__init__(dtype=dtype, name=name, **kwargs)
        refuse_given(
            self, "minitape has only dense tensors", sparse=sparse, ragged=ragged, optional=optional
        )
        if input_tensor is not None:
            raise TapeValueError(
                "Argument `input_tensor` of `Input` is not supported, because a model receives its inputs when it is called.",
                fix="use `tf.keras.Input(shape=x.shape[1:])`",
                code="MT902",
            )
        self.batch_shape = _with_batch(requested, batch_size, batch_shape)
        self._shape_of_one = self.batch_shape[1:]
        self.built = True
        is_named = name is not None
        self._symbol = Symbol(self, None, self._examples(), name=self.name if is_named else None)
        self.__dict__["_drawn"] = [((self._symbol,), self._symbol)]

    def _examples(self) -> Any:
        batch, *sizes = self.batch_shape
        return tuple(
            zeros(
                [
                    default if batch is None else batch,
                    *(size if n is None else n for n in sizes),
                ],
                self.dtype,
            )
            for default, size in zip(_BATCHES, _ANY_SIZES, strict=True)
        )

    @property
    def output(self) -> Symbol:
        """Return the symbolic tensor."""
        return self._symbol

    @property
    def input(self) -> Symbol:
        """Return the symbolic tensor."""
        return self._symbol

    def call(self, inputs: Any) -> Any:
        return inputs


def _with_batch(shape: Any, batch_size: int | None, batch_shape: Any) -> Shape:
    if batch_shape is not None:
        if not isinstance(batch_shape, list | tuple) and not hasattr(batch_shape, "as_list"):
            raise TapeValueError(
                f"Cannot convert '{batch_shape}' to a shape.", fix="pass `batch_shape=(None, 3)`"
            )
        if shape is not None or batch_size is not None:
            raise TapeValueError(
                "You cannot pass `batch_shape` together with `shape` or `batch_size`.",
                fix=f"pass only `batch_shape={tuple(batch_shape)}`",
            )
        return tuple(batch_shape)
    if shape is None:
        raise TapeValueError(
            "You must pass a `shape` argument.", fix="use `tf.keras.Input(shape=(3,))`"
        )
    if not isinstance(shape, list | tuple) and not hasattr(shape, "as_list"):
        raise TapeValueError(
            f"Cannot convert '{shape}' to a shape.", fix=f"pass `shape=({shape},)`"
        )
    return (batch_size, *shape)


def Input(  # noqa: N802  # Keras spells it so
    shape: Any = None,
    batch_size: int | None = None,
    dtype: Any = None,
    sparse: bool | None = None,
    ragged: bool | None = None,
    batch_shape: Any = None,
    name: str | None = None,
    tensor: Any = None,
    optional: bool = False,
) -> Symbol:
    """Create the symbolic input of a functional model, `Model(inputs, outputs)`, or the first entry of a `Sequential`.

    Args:
        shape: Shape of one example, without the batch; a size of None is unknown.
        batch_size: Number of examples; None (the default) means any number.
        dtype: Dtype of the input; `floatx` (float32) by default.
        sparse: Not supported; must be None or False.
        ragged: Not supported; must be None or False.
        batch_shape: Shape including the batch; replaces `shape` and `batch_size`.
        name: Name of the layer; "input_layer" with a number by default.
        tensor: Not supported; must be None.
        optional: Not supported; must be False.

    Returns:
        A symbolic tensor of shape [batch_size, *shape].

    Raises:
        ValueError: no shape is given, or it is not a valid shape.
        UnimplementedError: `sparse`, `ragged` or `optional` is set.

    Source: https://keras.io/api/layers/core_layers/input/
    """
    layer = InputLayer(
        shape=shape,
        batch_size=batch_size,
        dtype=dtype,
        sparse=sparse,
        ragged=ragged,
        batch_shape=batch_shape,
        input_tensor=tensor,
        optional=optional,
        name=name,
    )
    return layer.output
