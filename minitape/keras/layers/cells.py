"""Cells of recurrent layers, which compute one time step from an input and the previous state.

    SimpleRNNCell      h' = tanh(x·W + h·U + b)
    LSTMCell           a cell state c in addition to h, with input, forget and output gates
    GRUCell            an update gate between the old and the new state
    StackedRNNCells    several cells, each of which receives the output of the previous one

Source: https://keras.io/api/layers/recurrent_layers/
"""

from typing import Any

from minitape.core.arguments import listed
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import activations, constraints, initializers, random, regularizers
from minitape.keras.layers.keywords import positive
from minitape.keras.layers.layer import Layer
from minitape.ops.creation import ones_like, zeros
from minitape.ops.joining import concat, split, unstack


class Cell(Layer):
    """Base class of cells. Its kernel, recurrent kernel and bias each concatenate the weights of `parts` gates.

    Args:
        units: Size of the state.
        activation: Activation of the new state.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, shape [features, parts × units].
        recurrent_initializer: Initializer of the recurrent kernel, shape [units, parts × units].
        bias_initializer: Initializer of the bias.
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        recurrent_regularizer: Regularizer of the recurrent kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        recurrent_constraint: Function that projects the recurrent kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        dropout: Fraction of the input that is dropped during training, with one mask for all time steps.
        recurrent_dropout: Fraction of the state that is dropped during training, with one mask for all time steps.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`. `implementation` is ignored.

    Raises:
        ValueError: `units` is not a positive integer.
    """

    parts = 1

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
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: Any = None,
        **kwargs: Any,
    ) -> None:
        kwargs.pop(
            "implementation", None
        )  # selects the order of the products in Keras, which does not change the result
        super().__init__(**kwargs)
        self.units = self.output_size = positive("units", units)
        self.state_size: Any = self.units
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.recurrent_initializer = initializers.get(recurrent_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.recurrent_regularizer = regularizers.get(recurrent_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.recurrent_constraint = constraints.get(recurrent_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.dropout = min(1.0, max(0.0, dropout))
        self.recurrent_dropout = min(1.0, max(0.0, recurrent_dropout))
        self.seed, self.seed_generator = seed, random.own_generator(seed)
        self._masks: dict[str, list[Value]] = {}
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        width = self.parts * self.units
        self.kernel = self.add_weight(
            (input_shape[-1], width),
            self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
            name="kernel",
        )
        self.recurrent_kernel = self.add_weight(
            (self.units, width),
            self.recurrent_initializer,
            regularizer=self.recurrent_regularizer,
            constraint=self.recurrent_constraint,
            name="recurrent_kernel",
        )
        if self.use_bias:
            self.bias = self.add_weight(
                self._bias_shape(),
                self._first_bias,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
                name="bias",
            )

    def _bias_shape(self) -> tuple[int, ...]:
        return (self.parts * self.units,)

    def _first_bias(self, shape: Any, dtype: Any = None) -> Value:
        return self.bias_initializer(shape, dtype=dtype)

    def get_initial_state(self, batch_size: int | None = None) -> list[Value]:
        """Return the initial state: zeros.

        Args:
            batch_size: Number of examples.

        Returns:
            A list with one tensor [batch_size, units] for each part of the state.
        """
        sizes = [self.state_size] if isinstance(self.state_size, int) else self.state_size
        return [zeros((batch_size, size), self.dtype) for size in sizes]

    # --- dropout, with the same mask at all steps of a sequence ---

    def reset_dropout_masks(self) -> None:
        """Discard the dropout masks, so that the next sequence draws new ones."""
        self._masks.clear()

    def _product(self, what: str, x: Value, kernel: Any, training: Any) -> Value:
        """Return x @ kernel with dropout applied to x, with a separate recurrent dropout mask for each part of the kernel."""
        rate = self.dropout if what == "inputs" else self.recurrent_dropout
        if not (training and 0 < rate < 1):
            return x @ kernel
        if what not in self._masks:
            count = self.parts if self.recurrent_dropout else 1
            ones = ones_like(x)
            self._masks[what] = [
                random.dropout(ones, rate, seed=self.seed_generator) for _ in range(count)
            ]
        masks = self._masks[what]
        kernels = split(kernel, len(masks), axis=1) if len(masks) > 1 else [kernel]
        each = [(x * mask) @ part for mask, part in zip(masks, kernels, strict=True)]
        return concat(each, axis=1) if len(each) > 1 else each[0]


class SimpleRNNCell(Cell):
    """Compute h' = activation(x·kernel + h·recurrent_kernel + bias).

    A call takes an input [batch, features] and a state [batch, units] (or a list containing the state), and returns the
    output [batch, units] and the new state.

    Args:
        units: Size of the state.
        activation: Activation of the new state.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, which multiplies the input.
        recurrent_initializer: Initializer of the recurrent kernel, which multiplies the state.
        bias_initializer: Initializer of the bias.
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        recurrent_regularizer: Regularizer of the recurrent kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        recurrent_constraint: Function that projects the recurrent kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        dropout: Fraction of the input that is dropped during training, with one mask for all time steps.
        recurrent_dropout: Fraction of the state that is dropped during training, with one mask for all time steps.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`. `implementation` is ignored.

    Source: https://keras.io/api/layers/recurrent_layers/simple_rnn_cell/
    """

    def call(self, sequence: Value, states: Any, training: Any = False) -> tuple[Value, Any]:
        """Compute one time step.

        Args:
            sequence: Input of this step, shape [batch, features].
            states: The previous state, shape [batch, units], or a list containing it.
            training: Whether to run in training mode; by default, the mode of the enclosing layer or model.

        Returns:
            The output, shape [batch, units], and the new state in the form of `states`.
        """
        is_list = isinstance(states, list | tuple)
        before = states[0] if is_list else states
        y = self._product("inputs", sequence, self.kernel, training)
        if self.bias is not None:
            y = y + self.bias
        h = self.activation(y + self._product("state", before, self.recurrent_kernel, training))
        return h, [h] if is_list else h


class LSTMCell(Cell):
    """Compute one step of a long short-term memory: c' = f·c + i·tanh(...), h' = o·tanh(c').

    The gates i, f and o are between 0 and 1. A call takes an input [batch, features] and the states [h, c], each [batch,
    units], and returns the output h' and the list [h', c'].

    Args:
        units: Size of the states h and c.
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
        kernel_constraint: Function that projects the kernel after each optimizer update.
        recurrent_constraint: Function that projects the recurrent kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        dropout: Fraction of the input that is dropped during training, with one mask for all time steps.
        recurrent_dropout: Fraction of the state that is dropped during training, with one mask for all time steps.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`. `implementation` is ignored.

    Source: https://keras.io/api/layers/recurrent_layers/lstm_cell/; Hochreiter, Schmidhuber 1997.
    """

    parts = 4

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
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
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
            **kwargs,
        )
        self.state_size = [self.units, self.units]
        self.recurrent_activation = activations.get(recurrent_activation)
        self.unit_forget_bias = unit_forget_bias

    def _first_bias(self, shape: Any, dtype: Any = None) -> Value:
        bias = super()._first_bias(shape, dtype)
        if not self.unit_forget_bias:
            return bias
        i, _, g, o = split(bias, 4)
        return concat([i, initializers.Ones()((self.units,), dtype=dtype), g, o], axis=0)

    def call(self, inputs: Value, states: Any, training: Any = False) -> tuple[Value, list[Value]]:
        """Compute one time step.

        Args:
            inputs: Input of this step, shape [batch, features].
            states: The previous states [h, c], each of shape [batch, units].
            training: Whether to run in training mode; by default, the mode of the enclosing layer or model.

        Returns:
            The output, shape [batch, units], and the new states [h, c].
        """
        h, c = states
        y = self._product("inputs", inputs, self.kernel, training)
        y = y + self._product("state", h, self.recurrent_kernel, training)
        i, f, g, o = split(y if self.bias is None else y + self.bias, 4, axis=1)
        gate = self.recurrent_activation
        c = gate(f) * c + gate(i) * self.activation(g)
        h = gate(o) * self.activation(c)
        return h, [h, c]


class GRUCell(Cell):
    """Compute one step of a gated recurrent unit: h' = z·h + (1 - z)·tanh(...).

    The update gate z controls how much of the old state is kept, and the reset gate r how much of it enters the candidate. A
    call takes an input [batch, features] and a state [batch, units] (or a list containing the state), and returns the output
    [batch, units] and the new state.

    Args:
        units: Size of the state.
        activation: Activation of the candidate.
        recurrent_activation: Activation of the gates.
        use_bias: Whether to add a bias.
        kernel_initializer: Initializer of the kernel, which multiplies the input.
        recurrent_initializer: Initializer of the recurrent kernel, which multiplies the state.
        bias_initializer: Initializer of the bias.
        kernel_regularizer: Regularizer of the kernel; the layer adds its penalty to `losses`.
        recurrent_regularizer: Regularizer of the recurrent kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of the bias; the layer adds its penalty to `losses`.
        kernel_constraint: Function that projects the kernel after each optimizer update.
        recurrent_constraint: Function that projects the recurrent kernel after each optimizer update.
        bias_constraint: Function that projects the bias after each optimizer update.
        dropout: Fraction of the input that is dropped during training, with one mask for all time steps.
        recurrent_dropout: Fraction of the state that is dropped during training, with one mask for all time steps.
        reset_after: Whether the reset gate is applied after the product with the recurrent kernel (True) or before
            it (False).
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`. `implementation` is ignored.

    Source: https://keras.io/api/layers/recurrent_layers/gru_cell/; Cho et al., arXiv 1406.1078, v3 (before) and v1 (after).
    """

    parts = 3

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
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        reset_after: bool = True,
        seed: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
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
            **kwargs,
        )
        self.recurrent_activation = activations.get(recurrent_activation)
        self.reset_after = reset_after

    def _bias_shape(self) -> tuple[int, ...]:
        width = self.parts * self.units
        return (2, width) if self.reset_after else (width,)

    def call(self, inputs: Value, states: Any, training: Any = False) -> tuple[Value, Any]:
        """Compute one time step.

        Args:
            inputs: Input of this step, shape [batch, features].
            states: The previous state, shape [batch, units], or a list containing it.
            training: Whether to run in training mode; by default, the mode of the enclosing layer or model.

        Returns:
            The output, shape [batch, units], and the new state in the form of `states`.
        """
        is_list = isinstance(states, list | tuple)
        h = states[0] if is_list else states
        of_x = self._product("inputs", inputs, self.kernel, training)
        new = (
            self._reset_after(of_x, h, training)
            if self.reset_after
            else self._reset_before(of_x, h, training)
        )
        return new, [new] if is_list else new

    def _reset_after(self, of_x: Value, h: Value, training: Any) -> Value:
        of_h = self._product("state", h, self.recurrent_kernel, training)
        if self.bias is not None:
            for_x, for_h = unstack(self.bias)
            of_x, of_h = of_x + for_x, of_h + for_h
        (xz, xr, xg), (hz, hr, hg) = split(of_x, 3, axis=1), split(of_h, 3, axis=1)
        z = self.recurrent_activation(xz + hz)
        r = self.recurrent_activation(xr + hr)
        return z * h + (1.0 - z) * self.activation(xg + r * hg)

    def _reset_before(self, of_x: Value, h: Value, training: Any) -> Value:
        if self.bias is not None:
            of_x = of_x + self.bias
        of_h = self._product("state", h, self.recurrent_kernel, training)
        (xz, xr, xg), (hz, hr, _) = split(of_x, 3, axis=1), split(of_h, 3, axis=1)
        z = self.recurrent_activation(xz + hz)
        r = self.recurrent_activation(xr + hr)
        *_, for_g = split(self.recurrent_kernel, 3, axis=1)
        # As in Keras, if `reset_after` is False, dropout applies only to the state that the gates receive.
        return z * h + (1.0 - z) * self.activation(xg + (r * h) @ for_g)


class StackedRNNCells(Layer):
    """Combine several cells into one, so that each cell receives the output of the previous cell.

    Args:
        cells: List of cells, each with a `call` method and a `state_size`.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: an element of `cells` is not a cell.

    Source: https://keras.io/api/layers/recurrent_layers/stacked_rnn_cell/
    """

    def __init__(self, cells: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cells = listed(cells, "cells")
        for cell in self.cells:
            check_cell(cell)

    @property
    def state_size(self) -> list[Any]:
        """Return the state sizes of all cells."""
        return [cell.state_size for cell in self.cells]

    @property
    def output_size(self) -> int:
        """Return the number of outputs of the last cell."""
        return output_size_of(self.cells[-1])

    def get_initial_state(self, batch_size: int | None = None) -> list[Any]:
        """Return the initial state of each cell.

        Args:
            batch_size: Number of examples.

        Returns:
            A list with the states of each cell.
        """
        return [initial_state_of(cell, batch_size, self.dtype) for cell in self.cells]

    def build(self, input_shape: Any) -> None:
        shape = tuple(input_shape)
        for cell in self.cells:
            if isinstance(cell, Layer) and not cell.built:
                cell.build(shape)
            shape = (shape[0], output_size_of(cell))

    def call(self, inputs: Value, states: Any, training: Any = False) -> tuple[Value, Any]:
        """Compute one time step of all cells.

        Args:
            inputs: Input of this step, shape [batch, features].
            states: List of the previous states of each cell.
            training: Whether to run in training mode; by default, the mode of the enclosing layer or model.

        Returns:
            The output of the last cell, and a list of the new states.
        """
        after = []
        for cell, before in zip(self.cells, states, strict=True):
            is_list = isinstance(before, list | tuple)
            inputs, state = stepped(cell, inputs, list(before) if is_list else [before], training)
            after.append(state if is_list else state[0])
        return inputs, after

    def reset_dropout_masks(self) -> None:
        """Discard the dropout masks of all cells, so that the next sequence draws new ones."""
        for cell in self.cells:
            if isinstance(cell, Cell):
                cell.reset_dropout_masks()


# --- the interface of any cell, including user-defined ones ---


def check_cell(cell: Any) -> None:
    """Raise an error for an object that is not a cell.

    Args:
        cell: The object to check.

    Raises:
        ValueError: `cell` has no `call` or no `state_size`.
    """
    for wanted in ("call", "state_size"):
        if wanted not in dir(cell):
            raise TapeValueError(
                f"An RNN cell needs an attribute `{wanted}`, which this object does not have: {cell!r}",
                fix="define `def call(self, inputs, states): return output, new_states` and `self.state_size = units`",
            )


def output_size_of(cell: Any) -> int:
    """Return the number of outputs of a cell: its `output_size` if it has one, and otherwise the size of its first state.

    Args:
        cell: The cell.

    Returns:
        A positive integer.
    """
    size = getattr(cell, "output_size", None)
    if size is None:
        size = cell.state_size
    return int(size[0] if isinstance(size, list | tuple) else size)


def initial_state_of(cell: Any, batch_size: Any, dtype: Any) -> list[Any]:
    """Return the initial state of a cell: the result of its `get_initial_state` if it has this method, and otherwise zeros.

    Args:
        cell: The cell.
        batch_size: Number of examples.
        dtype: Dtype of the zeros.

    Returns:
        A list of tensors.
    """
    if hasattr(cell, "get_initial_state"):
        state = cell.get_initial_state(batch_size=batch_size)
        return list(state) if isinstance(state, list | tuple) else [state]
    size = cell.state_size
    sizes = size if isinstance(size, list | tuple) else [size]
    return [zeros((batch_size, each), dtype) for each in sizes]


def stepped(cell: Any, inputs: Any, states: Any, training: Any) -> tuple[Any, list[Any]]:
    """Run a cell for one time step.

    Args:
        cell: The cell.
        inputs: Input of this step, shape [batch, features].
        states: List of the previous states.
        training: Whether the cell runs in training mode; only a `Layer` receives it.

    Returns:
        The output, and the new states as a list.
    """
    settings = {"training": training} if isinstance(cell, Layer) else {}
    output, after = (
        cell(inputs, states, **settings) if callable(cell) else cell.call(inputs, states)
    )
    return output, list(after) if isinstance(after, list | tuple) else [after]
