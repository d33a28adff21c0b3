"""`Loss`, the base class that weights, masks and reduces the losses of examples, and helpers for the loss functions.

Source: https://keras.io/api/losses/
"""

from collections.abc import Callable
from typing import Any

from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import Tensor
from minitape.core.values import Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.keras import config
from minitape.keras.masks import mask_of
from minitape.keras.naming import names, snake_case
from minitape.ops.arithmetic import divide_no_nan
from minitape.ops.broadcasting import reduce_mean, reduce_sum
from minitape.ops.identity import cast
from minitape.ops.reshaping import expand_dims, squeeze
from minitape.unsupported.attribute_errors import HelpfulAttributes

REDUCTIONS = ("sum_over_batch_size", "mean", "mean_with_sample_weight", "sum", "none", None)


class Reduction:
    """The names of reductions in Keras 2."""

    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Return all names.

        Returns:
            A tuple of strings.
        """
        return (cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE)

    @classmethod
    def validate(cls, key: Any) -> None:
        """Raise an error for an unknown name.

        Args:
            key: The name to check.

        Raises:
            ValueError: the name is unknown.
        """
        if key not in cls.all():
            raise TapeValueError(
                f"Invalid Reduction Key: {key}. Expected keys are {cls.all()}",
                fix="use `tf.keras.losses.Reduction.SUM`",
            )


# --- helpers of the loss functions ---


def in_one_dtype(y_true: Any, y_pred: Any) -> tuple[Tensor, Tensor]:
    """Convert both arguments to tensors of the predictions' dtype; integer predictions are cast to `floatx`.

    Args:
        y_true: Labels.
        y_pred: Predictions.

    Returns:
        Labels and predictions.
    """
    predicted = convert_to_tensor(y_pred)
    if not predicted.dtype.is_floating:
        predicted = cast(predicted, config.float_dtype())
    return cast(convert_to_tensor(y_true), predicted.dtype), predicted


def in_one_rank(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Make two tensors broadcast if only one has a last axis of size 1: expand a vector, otherwise remove the axis.

    Args:
        x1: A tensor.
        x2: A tensor whose rank differs by at most 1.

    Returns:
        Both tensors.
    """
    more = x1.ndim - x2.ndim
    if more == -1:
        return in_one_rank(x2, x1)[::-1]
    if more == 1 and x1.shape[-1] == 1:
        if x2.ndim == 1:
            return x1, expand_dims(x2, -1)
        return squeeze(x1, axis=[-1]), x2
    return x1, x2


def pair(y_true: Any, y_pred: Any) -> tuple[Tensor, Tensor]:
    """Convert labels and predictions to one dtype and one rank.

    Args:
        y_true: Labels.
        y_pred: Predictions.

    Returns:
        Labels and predictions.
    """
    return in_one_rank(*in_one_dtype(y_true, y_pred))


def over_last(values: Value) -> Value:
    """Compute the mean over the last axis.

    Args:
        values: Losses for each element, shape [..., n].

    Returns:
        Losses of shape [...].

    Raises:
        InvalidArgumentError: `values` is a scalar.
    """
    if not len(values.shape):
        raise InvalidArgumentError(
            "A loss is the mean over the last axis of its arguments, but the arguments are scalars.",
            fix="pass lists with one number each: `[y_true], [y_pred]`",
            code="MT507",
        )
    return reduce_mean(values, axis=-1)


def check_same_shape(true: Value, predicted: Value) -> None:
    """Raise an error if labels and predictions would broadcast.

    Args:
        true: Labels.
        predicted: Predictions.

    Raises:
        ValueError: the shapes of `true` and `predicted` differ.
    """
    if tuple(true.shape) != tuple(predicted.shape):
        raise TapeValueError(
            "Arguments `target` and `output` must have the same shape. "
            f"Received: target.shape={true.shape}, output.shape={predicted.shape}",
            fix="use one-hot labels for `CategoricalCrossentropy` and class indices for `SparseCategoricalCrossentropy`, or "
            "change the shape with `tf.reshape(y, y_pred.shape)`",
            code="MT507",
        )


# --- over a batch ---


class Loss(HelpfulAttributes):
    """Base class of losses over a batch, which computes one loss for each example, weights the losses, and reduces them.

    For a custom loss, define `call(self, y_true, y_pred)`, which returns one loss for each example. A call to the loss
    accepts `sample_weight`, which broadcasts to these losses. Masked predictions are excluded.

    Args:
        name: Name of the loss; by default the class name in snake case, with a number.
        reduction: "sum_over_batch_size" or "mean" for the mean, "mean_with_sample_weight" for the weighted sum divided by
            the sum of the weights, "sum", or None (or "none") for no reduction.
        dtype: Dtype of the computation; `floatx` (float32) by default.

    Raises:
        ValueError: `reduction` is unknown.

    Source: https://keras.io/api/losses/base_loss/
    """

    # Names of the arguments that a subclass adds; `get_config` reads them.
    _arguments: tuple[str, ...] = ()

    def __init__(
        self,
        name: str | None = None,
        reduction: str | None = "sum_over_batch_size",
        dtype: Any = None,
    ) -> None:
        if not isinstance(reduction, str | None) or reduction not in REDUCTIONS:
            raise TapeValueError(
                f"Invalid value for argument `reduction`: {reduction}",
                fix="pass `'sum_over_batch_size'`, `'sum'` or `None`",
            )
        self.name = name or names.next_for(snake_case(type(self)))
        self.reduction = reduction
        self._dtype = config.float_dtype(dtype)

    @property
    def dtype(self) -> str:
        """Return the name of the dtype."""
        return self._dtype.name

    def call(self, y_true: Any, y_pred: Any) -> Value:
        """Compute one loss for each example. Subclasses define this method.

        Args:
            y_true: Labels.
            y_pred: Predictions.

        Returns:
            A tensor of losses.

        Raises:
            NotImplementedError: the class does not define `call`.
        """
        raise NotImplementedError(f"`{type(self).__name__}` has no `call(self, y_true, y_pred)`.")

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Value:
        masks = [mask_of(y_pred)]
        losses = self.call(self._truth(y_true), self._given(y_pred))
        masks.append(mask_of(losses))
        values = self._given(losses)
        weights = None if sample_weight is None else self._given(sample_weight)
        for mask in masks:
            if mask is not None:
                weights = self._masked(weights, mask, masks)
                break
        if weights is not None:
            values, weights = in_one_rank(values, weights)
            values = values * weights
        return self._reduced(values, weights)

    def _truth(self, y_true: Any) -> Any:
        return self._given(y_true)

    def _given(self, value: Any) -> Any:
        if isinstance(value, list | tuple) and any(isinstance(each, Tensor) for each in value):
            return type(value)(self._given(each) for each in value)
        tensor = convert_to_tensor(value)
        return tensor if tensor.dtype == self._dtype else cast(tensor, self._dtype)

    def _masked(self, weights: Any, mask: Any, masks: list[Any]) -> Any:
        """Return weights that exclude masked examples, scaled so that a mean counts only the other examples."""
        kept = cast(mask, self._dtype)
        other = masks[1]
        if other is not None and other is not mask:
            kept = kept * cast(other, self._dtype)
        if self.reduction in ("mean", "sum_over_batch_size"):
            count = float(kept._array.size)
            kept = kept * divide_no_nan(convert_to_tensor(count, self._dtype), reduce_sum(kept))
        if weights is None:
            return kept
        kept, weights = in_one_rank(kept, weights)
        return weights * kept

    def _reduced(self, values: Any, weights: Any) -> Value:
        shape = tuple(values.shape)
        if self.reduction in (None, "none") or shape in ((), (0,)):
            return values
        if self.reduction == "sum":
            return reduce_sum(values)
        if self.reduction == "mean_with_sample_weight" and weights is not None:
            return divide_no_nan(reduce_sum(values), reduce_sum(weights))
        return reduce_mean(values) if values._array.size else reduce_sum(values)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this loss.

        Returns:
            A dict.
        """
        common = {"name": self.name, "reduction": self.reduction}
        return common | {name: getattr(self, name) for name in self._arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Loss":
        """Create a loss from the result of `get_config`.

        Args:
            config: The arguments.

        Returns:
            A new loss.
        """
        return cls(**config)


class FunctionLoss(Loss):
    """Base class of losses that call a loss function with settings."""

    function: Callable[..., Value]

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Value:
        is_list = [isinstance(each, list | tuple) for each in (y_true, y_pred)]
        if is_list[0] != is_list[1]:
            given = [type(each).__name__ for each in (y_true, y_pred)]
            raise TapeValueError(
                f"`y_true` and `y_pred` must have the same structure, but one is a {given[0]} and the other a {given[1]}.",
                fix="use `tf.constant(y_true)` or an array",
            )
        return super().__call__(y_true, y_pred, sample_weight)

    def _truth(self, y_true: Any) -> Any:
        return convert_to_tensor(y_true)  # the function casts it, unless it expects class indices

    def call(self, y_true: Any, y_pred: Any) -> Value:
        """Call the loss function.

        Args:
            y_true: Labels.
            y_pred: Predictions.

        Returns:
            One loss for each example.
        """
        settings = {name: getattr(self, name) for name in self._arguments}
        return type(self).function(*in_one_rank(y_true, y_pred), **settings)
