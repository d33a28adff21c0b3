"""Recurrent layers: a cell is a function of one step and the state before it; a layer runs it along a sequence.

    SimpleRNNCell    h' = tanh(x·W + h·U + b)
    LSTMCell         a memory c beside h, with gates for what goes in, stays and comes out
    GRUCell          one gate between old and new
    RNN              any cell along a sequence [batch, steps, features]; SimpleRNN, LSTM, GRU are RNN with their cell

The loop over the steps is written out, so a tape sees every one of them.

Source: https://keras.io/api/layers/recurrent_layers/
"""

from typing import Any

from minitape.core.values import Value
from minitape.keras import activations, initializers
from minitape.keras.layers.layer import Layer, check_rank, in_small_letters
from minitape.ops.joining import concat, split, stack, unstack
from minitape.ops.making import zeros


class _Cell(Layer):
    """What all cells share: a kernel for the input, one for the state, a bias; `parts` of them side by side."""

    parts = 1
    states = 1

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.units = int(units)
        self.activation = activations.get(activation)
        self.recurrent_activation = activations.get(recurrent_activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.recurrent_initializer = initializers.get(recurrent_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        width = self.parts * self.units
        self.kernel = self.add_weight(
            (input_shape[-1], width), self.kernel_initializer, name="kernel"
        )
        self.recurrent_kernel = self.add_weight(
            (self.units, width), self.recurrent_initializer, name="recurrent_kernel"
        )
        if self.use_bias:
            self.bias = self.add_weight(self._bias_shape(), self._first_bias, name="bias")

    def _bias_shape(self) -> tuple[int, ...]:
        return (self.parts * self.units,)

    def _first_bias(self, shape: Any, dtype: Any = None) -> Value:
        return self.bias_initializer(shape, dtype=dtype)

    def get_initial_state(self, batch_size: int) -> list[Value]:
        """Zeros: one [batch, units] for each part of the state."""
        return [zeros((batch_size, self.units), self.dtype) for _ in range(self.states)]


class SimpleRNNCell(_Cell):
    """h' = activation(x·kernel + h·recurrent_kernel + bias)."""

    def call(self, inputs: Value, states: Any) -> tuple[Value, list[Value]]:
        y = inputs @ self.kernel
        if self.bias is not None:
            y = y + self.bias
        h = self.activation(y + states[0] @ self.recurrent_kernel)
        return h, [h]


class LSTMCell(_Cell):
    """c' = f·c + i·tanh(...), h' = o·tanh(c'): gates i, f and o between 0 and 1.

    Args:
        units: Size of h and of c.
        unit_forget_bias: Begin with a forget gate that is mostly open: the bias of f is 1.

    Source: https://keras.io/api/layers/recurrent_layers/lstm_cell/; Hochreiter, Schmidhuber 1997.
    """

    parts = 4
    states = 2

    def __init__(self, units: int, *, unit_forget_bias: bool = True, **settings: Any) -> None:
        super().__init__(units, **settings)
        self.unit_forget_bias = unit_forget_bias

    def _first_bias(self, shape: Any, dtype: Any = None) -> Value:
        bias = super()._first_bias(shape, dtype)
        if not self.unit_forget_bias:
            return bias
        i, _, g, o = split(bias, 4)
        return concat([i, initializers.Ones()((self.units,), dtype=dtype), g, o], axis=0)

    def call(self, inputs: Value, states: Any) -> tuple[Value, list[Value]]:
        h, c = states
        y = inputs @ self.kernel + h @ self.recurrent_kernel
        i, f, g, o = split(y if self.bias is None else y + self.bias, 4, axis=1)
        gate = self.recurrent_activation
        c = gate(f) * c + gate(i) * self.activation(g)
        h = gate(o) * self.activation(c)
        return h, [h, c]


class GRUCell(_Cell):
    """h' = z·h + (1 - z)·tanh(...): the gate z keeps the old, the gate r hides it from the new.

    Source: https://keras.io/api/layers/recurrent_layers/gru_cell/; Cho et al., arXiv 1406.1078.
    """

    parts = 3

    def _bias_shape(self) -> tuple[int, ...]:
        return (2, self.parts * self.units)

    def call(self, inputs: Value, states: Any) -> tuple[Value, list[Value]]:
        (h,) = states
        of_x, of_h = inputs @ self.kernel, h @ self.recurrent_kernel
        if self.bias is not None:
            for_x, for_h = unstack(self.bias)
            of_x, of_h = of_x + for_x, of_h + for_h
        (xz, xr, xg), (hz, hr, hg) = split(of_x, 3, axis=1), split(of_h, 3, axis=1)
        z = self.recurrent_activation(xz + hz)
        r = self.recurrent_activation(xr + hr)
        h = z * h + (1.0 - z) * self.activation(xg + r * hg)
        return h, [h]


class RNN(Layer):
    """A cell along a sequence.

    Args:
        cell: `cell(x, states)` gives an output and new states; `get_initial_state(batch_size=...)` the first ones.
        return_sequences: Give the outputs of all steps, [batch, steps, units], and not only the last.
        return_state: Give the last states too.
        go_backwards: Begin at the end.

    Source: https://keras.io/api/layers/recurrent_layers/rnn/
    """

    def __init__(
        self,
        cell: Any,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.cell = cell
        self.return_sequences, self.return_state = return_sequences, return_state
        self.go_backwards = go_backwards

    def call(self, inputs: Value, initial_state: Any = None) -> Any:
        check_rank(self, inputs.shape, 3)
        states = initial_state
        if states is None:
            states = self.cell.get_initial_state(batch_size=inputs.shape[0])
        steps = unstack(inputs, axis=1)
        outputs = []
        for x in reversed(steps) if self.go_backwards else steps:
            output, states = self.cell(x, states)
            outputs.append(output)
        answer = stack(outputs, axis=1) if self.return_sequences else outputs[-1]
        return (answer, *states) if self.return_state else answer


class _WithCell(RNN):
    """An RNN that makes its own cell; settings of the cell come first."""

    cell_kind: type[_Cell]

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        *,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        name: str | None = None,
        **settings: Any,
    ) -> None:
        cell_name = in_small_letters(self.cell_kind)
        cell = self.cell_kind(units, activation=activation, name=cell_name, **settings)
        super().__init__(cell, return_sequences, return_state, go_backwards, name=name)


class SimpleRNN(_WithCell):
    """`SimpleRNNCell` along a sequence.

    Source: https://keras.io/api/layers/recurrent_layers/simple_rnn/
    """

    cell_kind = SimpleRNNCell


class LSTM(_WithCell):
    """`LSTMCell` along a sequence.

    Source: https://keras.io/api/layers/recurrent_layers/lstm/
    """

    cell_kind = LSTMCell


class GRU(_WithCell):
    """`GRUCell` along a sequence.

    Source: https://keras.io/api/layers/recurrent_layers/gru/
    """

    cell_kind = GRUCell
