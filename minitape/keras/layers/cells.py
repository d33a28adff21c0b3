"""Cells of recurrent layers: each is a function of one step and the state before it.

    SimpleRNNCell      h' = tanh(x·W + h·U + b)
    LSTMCell           a memory c beside h, with gates for what goes in, stays and comes out
    GRUCell            one gate between old and new
    StackedRNNCells    several, each fed by the one before it

Source: https://keras.io/api/layers/recurrent_layers/
"""

from typing import Any

from minitape.core.arguments import listed
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import activations, constraints, initializers, random, regularizers
from minitape.keras.layers.keywords import positive
from minitape.keras.layers.layer import Layer
from minitape.ops.joining import concat, split, unstack
from minitape.ops.making import ones_like, zeros


class Cell(Layer):
    """What all cells share: a kernel for the input, one for the state, a bias; `parts` of them side by side.

    Args:
        units: Size of the state.
        activation: Of the new state; tanh by default.
        use_bias: Whether to add one.
        kernel_initializer: First value of the kernel, [inputs, parts × units].
        recurrent_initializer: The same for the state, [units, parts × units].
        bias_initializer: The same for the bias.
        kernel_regularizer: A price on the kernel, among the layer's `losses`; so for the two others.
        kernel_constraint: What the kernel is brought back to after each update; so for the two others.
        dropout: While training, the share of the input that is dropped: the same at all steps.
        recurrent_dropout: The same for the state.
        seed: Of what is dropped.

    Raises:
        ValueError: `units` is no whole number above 0.
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
        )  # in which order Keras multiplies: the answer is the same
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
        """Zeros: one [batch, units] for each part of the state."""
        sizes = [self.state_size] if isinstance(self.state_size, int) else self.state_size
        return [zeros((batch_size, size), self.dtype) for size in sizes]

    # --- dropout: the same at all steps of a sequence ---

    def reset_dropout_masks(self) -> None:
        """Drop others in the next sequence."""
        self._masks.clear()

    def _product(self, what: str, x: Value, kernel: Any, training: Any) -> Value:
        """x @ kernel, without what is dropped of x; with recurrent dropout each part of the kernel drops its own."""
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
    """h' = activation(x·kernel + h·recurrent_kernel + bias).

    Args: as those of `Cell`.

    Source: https://keras.io/api/layers/recurrent_layers/simple_rnn_cell/
    """

    def call(self, sequence: Value, states: Any, training: Any = False) -> tuple[Value, Any]:
        is_list = isinstance(states, list | tuple)
        before = states[0] if is_list else states
        y = self._product("inputs", sequence, self.kernel, training)
        if self.bias is not None:
            y = y + self.bias
        h = self.activation(y + self._product("state", before, self.recurrent_kernel, training))
        return h, [h] if is_list else h


class LSTMCell(Cell):
    """c' = f·c + i·tanh(...), h' = o·tanh(c'): gates i, f and o between 0 and 1.

    Args: as those of `Cell`, and
        recurrent_activation: Of the gates; sigmoid by default.
        unit_forget_bias: Begin with a forget gate that is mostly open: the bias of f is 1.

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
            activation,
            use_bias,
            kernel_initializer,
            recurrent_initializer,
            bias_initializer,
            kernel_regularizer,
            recurrent_regularizer,
            bias_regularizer,
            kernel_constraint,
            recurrent_constraint,
            bias_constraint,
            dropout,
            recurrent_dropout,
            seed,
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
        h, c = states
        y = self._product("inputs", inputs, self.kernel, training)
        y = y + self._product("state", h, self.recurrent_kernel, training)
        i, f, g, o = split(y if self.bias is None else y + self.bias, 4, axis=1)
        gate = self.recurrent_activation
        c = gate(f) * c + gate(i) * self.activation(g)
        h = gate(o) * self.activation(c)
        return h, [h, c]


class GRUCell(Cell):
    """h' = z·h + (1 - z)·tanh(...): the gate z keeps the old, the gate r hides it from the new.

    Args: as those of `Cell`, and
        recurrent_activation: Of the gates; sigmoid by default.
        reset_after: Whether r hides what the kernel has made of the state, or the state itself.

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
            activation,
            use_bias,
            kernel_initializer,
            recurrent_initializer,
            bias_initializer,
            kernel_regularizer,
            recurrent_regularizer,
            bias_regularizer,
            kernel_constraint,
            recurrent_constraint,
            bias_constraint,
            dropout,
            recurrent_dropout,
            seed,
            **kwargs,
        )
        self.recurrent_activation = activations.get(recurrent_activation)
        self.reset_after = reset_after

    def _bias_shape(self) -> tuple[int, ...]:
        width = self.parts * self.units
        return (2, width) if self.reset_after else (width,)

    def call(self, inputs: Value, states: Any, training: Any = False) -> tuple[Value, Any]:
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
        # Keras drops the state for the gates alone once it is hidden by r.
        return z * h + (1.0 - z) * self.activation(xg + (r * h) @ for_g)


class StackedRNNCells(Layer):
    """Several cells as one: each is fed what the one before it gives.

    Args:
        cells: The cells, each with a `call` and a `state_size`.

    Raises:
        ValueError: one of them is no cell.

    Source: https://keras.io/api/layers/recurrent_layers/stacked_rnn_cell/
    """

    def __init__(self, cells: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cells = listed(cells, "cells")
        for cell in self.cells:
            check_cell(cell)

    @property
    def state_size(self) -> list[Any]:
        return [cell.state_size for cell in self.cells]

    @property
    def output_size(self) -> int:
        return output_size_of(self.cells[-1])

    def get_initial_state(self, batch_size: int | None = None) -> list[Any]:
        """The first state of each cell."""
        return [initial_state_of(cell, batch_size, self.dtype) for cell in self.cells]

    def build(self, input_shape: Any) -> None:
        shape = tuple(input_shape)
        for cell in self.cells:
            if isinstance(cell, Layer) and not cell.built:
                cell.build(shape)
            shape = (shape[0], output_size_of(cell))

    def call(self, inputs: Value, states: Any, training: Any = False) -> tuple[Value, Any]:
        after = []
        for cell, before in zip(self.cells, states, strict=True):
            is_list = isinstance(before, list | tuple)
            inputs, state = stepped(cell, inputs, list(before) if is_list else [before], training)
            after.append(state if is_list else state[0])
        return inputs, after

    def reset_dropout_masks(self) -> None:
        """Drop others in the next sequence."""
        for cell in self.cells:
            if isinstance(cell, Cell):
                cell.reset_dropout_masks()


# --- what any cell shows, a user's own too ---


def check_cell(cell: Any) -> None:
    """Refuse what is no cell.

    Raises:
        ValueError: it has no `call`, or no `state_size`.
    """
    for wanted in ("call", "state_size"):
        if wanted not in dir(cell):
            raise TapeValueError(
                f"An RNN cell needs a `{wanted}`, and this has none: {cell!r}",
                fix="def call(self, inputs, states): return output, new_states; self.state_size = units",
            )


def output_size_of(cell: Any) -> int:
    """How many outputs a cell gives: `output_size`, else the size of its first state."""
    size = getattr(cell, "output_size", None)
    if size is None:
        size = cell.state_size
    return int(size[0] if isinstance(size, list | tuple) else size)


def initial_state_of(cell: Any, batch_size: Any, dtype: Any) -> list[Any]:
    """What a cell begins with: what it says itself, else zeros."""
    if hasattr(cell, "get_initial_state"):
        state = cell.get_initial_state(batch_size=batch_size)
        return list(state) if isinstance(state, list | tuple) else [state]
    size = cell.state_size
    sizes = size if isinstance(size, list | tuple) else [size]
    return [zeros((batch_size, each), dtype) for each in sizes]


def stepped(cell: Any, inputs: Any, states: Any, training: Any) -> tuple[Any, list[Any]]:
    """The output of a cell and its new states, as a list."""
    told = {"training": training} if isinstance(cell, Layer) else {}
    output, after = cell(inputs, states, **told) if callable(cell) else cell.call(inputs, states)
    return output, list(after) if isinstance(after, list | tuple) else [after]
