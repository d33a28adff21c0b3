"""Layers that wrap another layer.

    Wrapper            base class
    Bidirectional      runs a recurrent layer forward, and a copy of it backward
    TimeDistributed    applies the same layer at each time step

Source: https://keras.io/api/layers/recurrent_layers/
"""

from typing import Any

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras.layers.call_arguments import form_of
from minitape.keras.layers.layer import Layer, check_rank, copy_of
from minitape.ops.joining import concat, stack, unstack
from minitape.ops.reordering import reverse


class Wrapper(Layer):
    """Base class of layers that wrap another layer.

    Args:
        layer: The layer to wrap.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `layer` is not a layer.

    Source: https://keras.io/api/layers/core_layers/wrapper/
    """

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.layer = checked_layer(layer, type(self).__name__)

    def build(self, input_shape: Any = None) -> None:
        if not self.layer.built:
            self.layer.build(input_shape)


def checked_layer(layer: Any, around: str) -> Any:
    """Check the layer that a wrapper receives.

    Args:
        layer: The object to check.
        around: Name of the wrapper's class, for the error message.

    Returns:
        The layer.

    Raises:
        ValueError: `layer` is not a layer.
    """
    if not isinstance(layer, Layer):
        raise TapeValueError(
            f"{around} wraps a `keras.layers.Layer`. Received: layer={layer!r}",
            fix=f"use `{around}(tf.keras.layers.LSTM(2))`",
        )
    return layer


class Bidirectional(Layer):
    """Run one recurrent layer forward and another one backward over a sequence, and merge the outputs.

    `forward_layer` and `backward_layer` are new layers with the arguments of `layer`. Inputs of shape [batch, steps,
    features].

    Args:
        layer: A recurrent layer.
        merge_mode: "concat" (along the last axis), "sum", "mul", "ave" (mean), or None for a tuple of both outputs.
        weights: List of initial values, starting with those of the forward layer.
        backward_layer: Layer to use for the backward direction, with `go_backwards=True`.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `merge_mode` is unknown, or the two layers have the same direction or different output settings.

    Source: https://keras.io/api/layers/recurrent_layers/bidirectional/; Schuster, Paliwal 1997.
    """

    supports_masking = True

    def __init__(
        self,
        layer: Any,
        merge_mode: str | None = "concat",
        weights: Any = None,
        backward_layer: Any = None,
        **kwargs: Any,
    ) -> None:
        checked_layer(layer, "Bidirectional")
        if merge_mode not in ("concat", "sum", "mul", "ave", None):
            raise TapeValueError(
                f"Invalid merge mode. Received: {merge_mode}. Merge mode should be one of "
                '{"sum", "mul", "ave", "concat", None}',
                fix='pass `merge_mode="concat"`',
            )
        super().__init__(**kwargs)
        forward: Any = copy_of(layer, name=_named("forward_", layer))
        if backward_layer is None:
            back: Any = copy_of(layer, name=_named("backward_", layer), go_backwards=True)
        else:
            back = checked_layer(backward_layer, "Bidirectional")
        self.forward_layer, self.backward_layer = forward, back
        self._check_both()
        for each in (forward, back):
            if hasattr(each, "zero_output_for_mask"):
                each.zero_output_for_mask = each.return_sequences
        self.merge_mode, self._first_weights = merge_mode, weights
        self.stateful = forward.stateful
        self.return_sequences, self.return_state = forward.return_sequences, forward.return_state

    def _check_both(self) -> None:
        one, other = self.forward_layer, self.backward_layer
        if one.go_backwards == other.go_backwards:
            raise TapeValueError(
                "Forward layer and backward layer should have different `go_backwards` value. "
                f"Received: {one.go_backwards} for both",
                fix="pass `backward_layer=LSTM(2, go_backwards=True)`",
            )
        for what in ("stateful", "return_sequences", "return_state"):
            if getattr(one, what) != getattr(other, what):
                raise TapeValueError(
                    f'Forward layer and backward layer are expected to have the same value for attribute "{what}".',
                    fix=f"pass `{what}={getattr(one, what)}` to both layers",
                )

    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> None:
        for layer in (self.forward_layer, self.backward_layer):
            if not layer.built:
                layer.build(sequences_shape)
        if self._first_weights:
            self.set_weights(self._first_weights)

    def reset_state(self) -> None:
        """Set the states of both stateful layers to 0."""
        self.forward_layer.reset_state()
        self.backward_layer.reset_state()

    reset_states = reset_state

    def call(
        self, sequences: Value, initial_state: Any = None, mask: Any = None, training: Any = None
    ) -> Any:
        """Run both layers over the sequence.

        Args:
            sequences: A tensor of shape [batch, steps, features].
            initial_state: List of initial states, starting with those of the forward layer; by default zeros.
            mask: Bool tensor [batch, steps], False for steps to ignore; by default the mask attached to the inputs.
            training: Whether to run in training mode; by default, the mode of the enclosing layer or model.

        Returns:
            The merged output, or a pair of outputs with `merge_mode=None`; with `return_state`, a tuple of the output and the
                final states.
        """
        half = len(initial_state) // 2 if initial_state is not None else 0
        first = (None, None) if not half else (initial_state[:half], initial_state[half:])
        shared = {"mask": mask, "training": training}
        y = self.forward_layer(sequences, initial_state=first[0], **shared)
        back = self.backward_layer(sequences, initial_state=first[1], **shared)
        states: tuple[Any, ...] = ()
        if self.return_state:
            (y, *after), (back, *after_back) = y, back
            states = (*after, *after_back)
        if self.return_sequences:
            back = reverse(back, [1])
        merged = self._merged(y, back)
        if not self.return_state:
            return merged
        return (*merged, *states) if self.merge_mode is None else (merged, *states)

    def _merged(self, y: Value, back: Value) -> Any:
        match self.merge_mode:
            case "concat":
                return concat([y, back], axis=-1)
            case "sum":
                return y + back
            case "ave":
                return (y + back) / 2.0
            case "mul":
                return y * back
            case _:
                return (y, back)

    def compute_mask(self, _: Any, mask: Any) -> Any:
        if isinstance(mask, list):
            mask = mask[0]
        passed = mask if self.return_sequences else None
        both = [passed, passed] if self.merge_mode is None else [passed]
        if self.return_state:
            return [*both, *(None for _ in range(2 * len(self.forward_layer.state_size)))]
        return both if self.merge_mode is None else passed


def _named(which: str, layer: Layer) -> str:
    return which + layer.name.removeprefix(which)


class TimeDistributed(Wrapper):
    """Apply a layer to each time step; all steps share its weights.

    The inputs have shape [batch, steps, ...]; the output has shape [batch, steps, *output of the layer].

    Args:
        layer: The layer to wrap.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `layer` is not a layer, or the inputs have fewer than 3 axes.

    Source: https://keras.io/api/layers/recurrent_layers/time_distributed/
    """

    supports_masking = True

    def build(self, input_shape: Any) -> None:  # type: ignore[override]  # as Keras has it
        if len(input_shape) < 3:
            raise TapeValueError(
                "`TimeDistributed` Layer should be passed an `input_shape` with at least 3 dimensions, received: "
                f"{tuple(input_shape)}",
                fix="pass inputs of shape `[batch, steps, ...]`",
                code="MT507",
            )
        super().build((input_shape[0], *tuple(input_shape)[2:]))

    def call(self, inputs: Value, training: Any = None, mask: Any = None) -> Value:
        """Apply the layer to each time step.

        Args:
            inputs: A tensor of shape [batch, steps, ...].
            training: Whether to run in training mode; by default, the mode of the enclosing layer or model.
            mask: Bool tensor [batch, steps], False for steps to ignore; by default the mask attached to the inputs.

        Returns:
            A tensor [batch, steps, *output of the layer].

        Raises:
            ValueError: the shape of the mask does not match the shape of the inputs.
        """
        check_rank(self, inputs.shape, 3)
        if mask is not None and tuple(mask.shape[:2]) != tuple(inputs.shape[:2]):
            raise TapeValueError(
                f"The `mask` passed to the `TimeDistributed` layer has a shape {tuple(mask.shape)} that is incompatible "
                f"with the input shape {tuple(inputs.shape)}.",
                fix="pass a mask of shape `[batch, steps]`",
                code="MT507",
            )
        form = form_of(type(self.layer).call)
        settings = {"training": training} if form.takes_training else {}
        steps = unstack(inputs, axis=1)
        masks: Any = [None] * len(steps)
        if mask is not None and "mask" in form.masks:
            masks = unstack(mask, axis=1)
        answers = [
            self.layer.call(step, **settings, **({} if counts is None else {"mask": counts}))
            for step, counts in zip(steps, masks, strict=True)
        ]
        return stack(answers, axis=1)
