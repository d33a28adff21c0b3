"""Recurrent layers, which run a cell over a sequence of shape [batch, steps, features].

    RNN                     any cell, or several
    SimpleRNN, LSTM, GRU    an `RNN` with a `SimpleRNNCell`, `LSTMCell` or `GRUCell`

The loop over the time steps is unrolled, so a tape records each of them. A masked step leaves the state unchanged.

Source: https://keras.io/api/layers/recurrent_layers/
"""

import inspect
from functools import partial
from typing import Any

from minitape.core import nest
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.errors import TapeValueError
from minitape.keras.layers.cells import (
    Cell,
    GRUCell,
    LSTMCell,
    SimpleRNNCell,
    StackedRNNCells,
    check_cell,
    initial_state_of,
    stepped,
)
from minitape.keras.layers.layer import Layer, check_rank
from minitape.ops.creation import zeros_like
from minitape.ops.identity import cast
from minitape.ops.indexing import where
from minitape.ops.joining import stack, unstack
from minitape.ops.reshaping import expand_dims


class RNN(Layer):
    """Run a cell over a sequence.

    The inputs have shape [batch, steps, features]. The layer returns the output of the last step, [batch, units], or with
    `return_sequences` the outputs of all steps, [batch, steps, units]. With `return_state` it returns a tuple of the output
    and the final states. A call accepts `initial_state`, a list of tensors [batch, units], and `mask`, a bool tensor [batch,
    steps].

    Args:
        cell: A cell, for which `cell(inputs, states)` returns an output and the new states. A list of cells is stacked.
        return_sequences: Whether to return the outputs of all time steps, [batch, steps, units], instead of the
            last one, [batch, units].
        return_state: Whether to return the final states in addition to the output.
        go_backwards: Whether to process the sequence from its end.
        stateful: Whether a call starts from the final states of the previous call; `reset_state` sets them to 0.
        unroll: Ignored, because the loop over the time steps is always unrolled.
        zero_output_for_mask: Whether masked time steps output zeros; by default they repeat the previous output.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `cell` is not a cell; with `stateful`, the batch size is unknown or differs from the first call's.

    Source: https://keras.io/api/layers/recurrent_layers/rnn/
    """

    def __init__(
        self,
        cell: Any,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        zero_output_for_mask: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.cell = StackedRNNCells(cell) if isinstance(cell, list | tuple) else cell
        check_cell(self.cell)
        self.return_sequences, self.return_state = return_sequences, return_state
        self.go_backwards, self.stateful, self.unroll = go_backwards, stateful, unroll
        self.zero_output_for_mask = zero_output_for_mask
        self.states: Any = None

    @property
    def state_size(self) -> list[Any]:
        """Return the sizes of the cell's states as a list."""
        size = self.cell.state_size
        return list(size) if isinstance(size, list | tuple) else [size]

    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> None:
        check_rank(self, sequences_shape, 3)
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build((sequences_shape[0], *tuple(sequences_shape)[2:]))
        if self.stateful:
            if sequences_shape[0] is None:
                raise TapeValueError(
                    "When using `stateful=True` in a RNN, the batch size must be static. Found dynamic batch size: "
                    f"sequence.shape={tuple(sequences_shape)}",
                    fix="use `tf.keras.Input(shape, batch_size=...)`",
                )
            first = self.get_initial_state(sequences_shape[0])
            self.states = nest.map_structure(lambda each: Variable(each, trainable=False), first)

    def get_initial_state(self, batch_size: int) -> list[Any]:
        """Return the initial state of the cell.

        Args:
            batch_size: Number of examples.

        Returns:
            A list of tensors.
        """
        return initial_state_of(self.cell, batch_size, self.dtype)

    def reset_state(self) -> None:
        """Set the states of a stateful layer to 0."""
        for variable in nest.flatten(self.states or []):
            variable.assign(zeros_like(variable))

    reset_states = reset_state

    def call(
        self, sequences: Value, initial_state: Any = None, mask: Any = None, training: Any = False
    ) -> Any:
        """Run the cell over the sequence.

        Args:
            sequences: A tensor of shape [batch, steps, features].
            initial_state: List of initial states, each [batch, units]; by default zeros, or the states of a stateful
                layer.
            mask: Bool tensor [batch, steps], False for steps to ignore; by default the mask attached to the inputs.
            training: Whether to run in training mode; by default, the mode of the enclosing layer or model.

        Returns:
            The last output, [batch, units], or all outputs, [batch, steps, units]; with `return_state`, a tuple of the
            output and the final states.
        """
        check_rank(self, sequences.shape, 3)
        first = self._first_states(sequences.shape[0], initial_state)
        if isinstance(self.cell, Cell | StackedRNNCells):
            self.cell.reset_dropout_masks()
        outputs, states = self._run(sequences, first, mask, training)
        if self.stateful:
            kept = zip(nest.flatten(self.states), nest.flatten(states), strict=True)
            for variable, state in kept:
                variable.assign(state)
        answer = stack(outputs, axis=1) if self.return_sequences else outputs[-1]
        return (answer, *states) if self.return_state else answer

    def _first_states(self, batch: int, given: Any) -> list[Any]:
        if self.stateful and nest.flatten(self.states)[0].shape[0] != batch:
            raise TapeValueError(
                "If an RNN is stateful, the batch size of the input sequences must be the same as the batch size of the "
                f"initial state. Expected batch size: {nest.flatten(self.states)[0].shape[0]}. "
                f"Received batch size: {batch}",
                fix="use batches of the same size",
            )
        if given is None:
            given = self.states if self.stateful else self.get_initial_state(batch)
        return nest.map_structure(  # type: ignore[no-any-return]  # a list in, a list out
            convert_to_tensor, list(given) if nest.is_nested(given) else [given]
        )

    def _run(
        self, sequences: Value, states: list[Any], mask: Any, training: Any
    ) -> tuple[list[Value], list[Any]]:
        """Return the output of each step, and the states after the last step."""
        steps = unstack(sequences, axis=1)
        counts = [None] * len(steps) if mask is None else unstack(cast(mask, "bool"), axis=1)
        outputs: list[Value] = []
        order = range(len(steps))
        for i in reversed(order) if self.go_backwards else order:
            output, after = stepped(self.cell, steps[i], states, training)
            if counts[i] is not None:
                before = None if self.zero_output_for_mask or not outputs else outputs[-1]
                output = _where(counts[i], output, zeros_like(output) if before is None else before)
                after = nest.map_structure(partial(_where, counts[i]), after, states)
            outputs.append(output)
            states = after
        return outputs, states

    def compute_mask(self, _: Any, mask: Any) -> Any:
        first = nest.flatten(mask)[0]
        passed = first if self.return_sequences else None
        return [passed, *(None for _ in self.state_size)] if self.return_state else passed


def _where(counts: Value, new: Value, old: Value) -> Value:
    for _ in range(len(new.shape) - 1):
        counts = expand_dims(counts, axis=-1)
    return where(counts, new, old)


class _WithCell(RNN):
    """An RNN that creates its own cell and exposes the cell's settings as attributes."""

    cell_kind: type[Cell]

    def __getattr__(self, name: str) -> Any:
        cell = self.__dict__.get("cell")
        if cell is not None and name in inspect.signature(self.cell_kind).parameters:
            return getattr(cell, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


def _shared(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the keywords of a layer that its cell also receives."""
    shared: dict[str, Any] = {"implementation": kwargs.pop("implementation", None)}
    return shared | {name: kwargs[name] for name in ("dtype", "trainable") if name in kwargs}


def _check_cudnn(use_cudnn: Any) -> None:
    if use_cudnn not in ("auto", False):
        raise TapeValueError(
            f"`use_cudnn={use_cudnn!r}` is not supported, because minitape does not use GPUs.",
            fix='pass `use_cudnn="auto"`',
        )


class SimpleRNN(_WithCell):
    """Run a `SimpleRNNCell` over a sequence: h' = activation(x·kernel + h·recurrent_kernel + bias).

    The inputs, outputs and arguments of a call are the same as for `RNN`.

    Args:
        units: Size of the state and of the output; a positive integer.
        activation: Activation of the new state.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, which multiplies the input.
        recurrent_initializer: Initializer of the recurrent kernel, which multiplies the state.
        bias_initializer: Initializer of the bias.
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        recurrent_regularizer: Regularizer of the recurrent kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        recurrent_constraint: Function that projects the recurrent kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        dropout: Fraction of the input that is dropped during training, with one mask for all time steps.
        recurrent_dropout: Fraction of the state that is dropped during training, with one mask for all time steps.
        return_sequences: Whether to return the outputs of all time steps, [batch, steps, units], instead of the
            last one, [batch, units].
        return_state: Whether to return the final states in addition to the output.
        go_backwards: Whether to process the sequence from its end.
        stateful: Whether a call starts from the final states of the previous call; `reset_state` sets them to 0.
        unroll: Ignored, because the loop over the time steps is always unrolled.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        **kwargs: Arguments of `Layer` (`name`, `dtype`, `trainable`, `autocast`) and `zero_output_for_mask` of
            `RNN`; `implementation` is ignored.

    Raises:
        ValueError: `units` is not a positive integer.

    Source: https://keras.io/api/layers/recurrent_layers/simple_rnn/
    """

    cell_kind = SimpleRNNCell

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        seed: Any = None,
        **kwargs: Any,
    ) -> None:
        cell = SimpleRNNCell(
            units,
            activation=activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            recurrent_initializer=recurrent_initializer,
            bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer,
            recurrent_regularizer=recurrent_regularizer,
            bias_regularizer=bias_regularizer,
            kernel_constraint=kernel_constraint,
            recurrent_constraint=recurrent_constraint,
            bias_constraint=bias_constraint,
            dropout=dropout,
            recurrent_dropout=recurrent_dropout,
            seed=seed,
            **_shared(kwargs),
            name="simple_rnn_cell",
        )
        super().__init__(
            cell,
            return_sequences=return_sequences,
            return_state=return_state,
            go_backwards=go_backwards,
            stateful=stateful,
            unroll=unroll,
            activity_regularizer=activity_regularizer,
            **kwargs,
        )


class LSTM(_WithCell):
    """Run an `LSTMCell` (long short-term memory) over a sequence.

    The inputs, outputs and arguments of a call are the same as for `RNN`; the states are [h, c].

    Args:
        units: Size of the state and of the output; a positive integer.
        activation: Activation function for the candidate and for the cell state.
        recurrent_activation: Activation of the gates.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, which multiplies the input.
        recurrent_initializer: Initializer of the recurrent kernel, which multiplies the state.
        bias_initializer: Initializer of the bias.
        unit_forget_bias: Whether the forget gate's bias starts at 1.
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        recurrent_regularizer: Regularizer of the recurrent kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        recurrent_constraint: Function that projects the recurrent kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        dropout: Fraction of the input that is dropped during training, with one mask for all time steps.
        recurrent_dropout: Fraction of the state that is dropped during training, with one mask for all time steps.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        return_sequences: Whether to return the outputs of all time steps, [batch, steps, units], instead of the
            last one, [batch, units].
        return_state: Whether to return the final states in addition to the output.
        go_backwards: Whether to process the sequence from its end.
        stateful: Whether a call starts from the final states of the previous call; `reset_state` sets them to 0.
        unroll: Ignored, because the loop over the time steps is always unrolled.
        use_cudnn: "auto" or False; both have the same effect.
        **kwargs: Arguments of `Layer` (`name`, `dtype`, `trainable`, `autocast`) and `zero_output_for_mask` of
            `RNN`; `implementation` is ignored.

    Raises:
        ValueError: `units` is not a positive integer, or `use_cudnn` is True.

    Source: https://keras.io/api/layers/recurrent_layers/lstm/
    """

    cell_kind = LSTMCell

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        unit_forget_bias: bool = True,
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: Any = None,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        use_cudnn: Any = "auto",
        **kwargs: Any,
    ) -> None:
        _check_cudnn(use_cudnn)
        cell = LSTMCell(
            units,
            activation=activation,
            recurrent_activation=recurrent_activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            recurrent_initializer=recurrent_initializer,
            bias_initializer=bias_initializer,
            unit_forget_bias=unit_forget_bias,
            kernel_regularizer=kernel_regularizer,
            recurrent_regularizer=recurrent_regularizer,
            bias_regularizer=bias_regularizer,
            kernel_constraint=kernel_constraint,
            recurrent_constraint=recurrent_constraint,
            bias_constraint=bias_constraint,
            dropout=dropout,
            recurrent_dropout=recurrent_dropout,
            seed=seed,
            **_shared(kwargs),
            name="lstm_cell",
        )
        super().__init__(
            cell,
            return_sequences=return_sequences,
            return_state=return_state,
            go_backwards=go_backwards,
            stateful=stateful,
            unroll=unroll,
            activity_regularizer=activity_regularizer,
            **kwargs,
        )


class GRU(_WithCell):
    """Run a `GRUCell` (gated recurrent unit) over a sequence.

    The inputs, outputs and arguments of a call are the same as for `RNN`.

    Args:
        units: Size of the state and of the output; a positive integer.
        activation: Activation of the candidate.
        recurrent_activation: Activation of the gates.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, which multiplies the input.
        recurrent_initializer: Initializer of the recurrent kernel, which multiplies the state.
        bias_initializer: Initializer of the bias.
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        recurrent_regularizer: Regularizer of the recurrent kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output; its penalty, divided by the batch size, is added to
            `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        recurrent_constraint: Function that projects the recurrent kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        dropout: Fraction of the input that is dropped during training, with one mask for all time steps.
        recurrent_dropout: Fraction of the state that is dropped during training, with one mask for all time steps.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        return_sequences: Whether to return the outputs of all time steps, [batch, steps, units], instead of the
            last one, [batch, units].
        return_state: Whether to return the final states in addition to the output.
        go_backwards: Whether to process the sequence from its end.
        stateful: Whether a call starts from the final states of the previous call; `reset_state` sets them to 0.
        unroll: Ignored, because the loop over the time steps is always unrolled.
        reset_after: Whether the reset gate is applied after the product with the recurrent kernel (True) or before
            it (False).
        use_cudnn: "auto" or False; both have the same effect.
        **kwargs: Arguments of `Layer` (`name`, `dtype`, `trainable`, `autocast`) and `zero_output_for_mask` of
            `RNN`; `implementation` is ignored.

    Raises:
        ValueError: `units` is not a positive integer, or `use_cudnn` is True.

    Source: https://keras.io/api/layers/recurrent_layers/gru/
    """

    cell_kind = GRUCell

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: Any = None,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        reset_after: bool = True,
        use_cudnn: Any = "auto",
        **kwargs: Any,
    ) -> None:
        _check_cudnn(use_cudnn)
        cell = GRUCell(
            units,
            activation=activation,
            recurrent_activation=recurrent_activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            recurrent_initializer=recurrent_initializer,
            bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer,
            recurrent_regularizer=recurrent_regularizer,
            bias_regularizer=bias_regularizer,
            kernel_constraint=kernel_constraint,
            recurrent_constraint=recurrent_constraint,
            bias_constraint=bias_constraint,
            dropout=dropout,
            recurrent_dropout=recurrent_dropout,
            reset_after=reset_after,
            seed=seed,
            **_shared(kwargs),
            name="gru_cell",
        )
        super().__init__(
            cell,
            return_sequences=return_sequences,
            return_state=return_state,
            go_backwards=go_backwards,
            stateful=stateful,
            unroll=unroll,
            activity_regularizer=activity_regularizer,
            **kwargs,
        )
