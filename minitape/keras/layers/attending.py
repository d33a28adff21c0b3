"""Attention: each step of a query is answered by a mean of values, weighed by how well their keys fit it.

    Attention               the fit is a product, or a tanh of a sum
    AdditiveAttention       the fit is a weighed tanh of a sum
    MultiHeadAttention      several at once, each in a space of its own

Source: https://keras.io/api/layers/attention_layers/
"""

import math
from typing import Any

import numpy as np

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import constraints, initializers, random, regularizers
from minitape.keras.layers.activating import Softmax
from minitape.keras.layers.dropping import Dropout
from minitape.keras.layers.einsum import EinsumDense
from minitape.keras.layers.keywords import positive, refuse_given
from minitape.keras.layers.layer import Layer
from minitape.keras.masks import hang, mask_of
from minitape.ops.activations import softmax
from minitape.ops.broadcasting import broadcast_to, reduce_sum
from minitape.ops.comparing import logical_and
from minitape.ops.exponential import tanh
from minitape.ops.making import fill, zeros_like
from minitape.ops.passing import cast
from minitape.ops.picking import where
from minitape.ops.products import einsum, matrix_transpose
from minitape.ops.shaping import expand_dims

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _not_later(steps: int, others: int) -> Any:
    """Which steps a step may see that must not look into the future: itself, and those before it."""
    return np.tri(steps, others, dtype=bool)[np.newaxis]


class Attention(Layer):
    """Called with [query, value] or [query, value, key]: softmax(query · keyᵀ) · value.

    Args:
        use_scale: Whether the fit is multiplied by a weight.
        score_mode: "dot", or "concat": a weight times the sum of tanh(query + key).
        dropout: While training, the share of the fits that is dropped.
        seed: Of what is dropped.

    A call's `mask` is [mask of the query, mask of the value]; a mask on the inputs is found by itself.

    Raises:
        ValueError: it is called with something else than a list of two or three; there is no such mode.

    Source: https://keras.io/api/layers/attention_layers/attention/; Luong et al., arXiv 1508.04025.
    """

    supports_masking = True

    def __init__(
        self,
        use_scale: bool = False,
        score_mode: str = "dot",
        dropout: float = 0.0,
        seed: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if score_mode not in ("dot", "concat"):
            raise TapeValueError(
                "Invalid value for argument score_mode. Expected one of {'dot', 'concat'}. "
                f"Received: score_mode={score_mode}",
                fix='score_mode="dot"',
            )
        self.use_scale, self.score_mode = use_scale, score_mode
        self.dropout = dropout
        self.seed, self.seed_generator = seed, random.own_generator(seed)
        self.scale: Any = None

    def build(self, input_shape: Any) -> None:
        self._check_list(input_shape)
        if self.use_scale:
            self.scale = self.add_weight((), "ones", name="scale")
        if self.score_mode == "concat":
            self.concat_score_weight = self.add_weight((), "ones", name="concat_score_weight")

    def _check_list(self, inputs: Any, what: str = "inputs") -> None:
        if not isinstance(inputs, list) or len(inputs) not in (2, 3):
            raise TapeValueError(
                f"{type(self).__name__} layer must be called on a list of {what}, namely [query, value] or "
                "[query, value, key].",
                fix=f"{type(self).__name__}()([query, value])",
                code="MT507",
            )

    def call(
        self,
        inputs: Any,
        mask: Any = None,
        training: Any = False,
        return_attention_scores: bool = False,
        use_causal_mask: bool = False,
    ) -> Any:
        query, value, *more = inputs
        query_mask, value_mask = self._masks(mask)
        fits = self._fits(query, more[0] if more else value)
        seen = None if value_mask is None else expand_dims(cast(value_mask, "bool"), axis=-2)
        if use_causal_mask:
            past = _not_later(fits.shape[-2], fits.shape[-1])
            seen = past if seen is None else logical_and(seen, past)
        if seen is not None:
            lowest = 65504.0 if fits.dtype.name == "float16" else 1.0e9
            fits = where(broadcast_to(seen, fits.shape), fits, fits - lowest)
        shares = softmax(fits)
        if training and self.dropout:
            shares = random.dropout(shares, self.dropout, seed=self.seed_generator)
        answer = shares @ value
        if query_mask is not None:
            counts = expand_dims(cast(query_mask, "bool"), axis=-1)
            answer = where(counts, answer, zeros_like(answer))
        return (answer, shares) if return_attention_scores else answer

    def _masks(self, mask: Any) -> tuple[Any, Any]:
        if mask is None:
            return None, None
        self._check_list(mask, "masks")
        return mask[0], mask[1]

    def _fits(self, query: Value, key: Value) -> Value:
        if self.score_mode == "dot":
            fits = query @ matrix_transpose(key)
            return fits if self.scale is None else fits * self.scale
        both = expand_dims(query, axis=-2) + expand_dims(key, axis=-3)
        scaled = both if self.scale is None else self.scale * both
        return self.concat_score_weight * reduce_sum(tanh(scaled), axis=-1)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return self._masks(mask)[0]


class AdditiveAttention(Attention):
    """`Attention` whose fit is Σ scale · tanh(query + key), with a weight for each feature.

    Args:
        use_scale: Whether there are weights.
        dropout: While training, the share of the fits that is dropped.

    Source: https://keras.io/api/layers/attention_layers/additive_attention/; Bahdanau et al., arXiv 1409.0473.
    """

    def __init__(self, use_scale: bool = True, dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(use_scale=use_scale, dropout=dropout, **kwargs)

    def build(self, input_shape: Any) -> None:
        self._check_list(input_shape)
        if self.use_scale:
            self.scale = self.add_weight((input_shape[0][-1],), "glorot_uniform", name="scale")

    def _fits(self, query: Value, key: Value) -> Value:
        waves = tanh(expand_dims(query, axis=-2) + expand_dims(key, axis=-3))
        return reduce_sum(waves if self.scale is None else self.scale * waves, axis=-1)


class MultiHeadAttention(Layer):
    """Called with query and value, [batch, steps, features]: attention in `num_heads` spaces at once.

    Args:
        num_heads: How many.
        key_dim: Size of query and key in each of them.
        value_dim: Size of value; that of key by default.
        dropout: While training, the share of the fits that is dropped.
        use_bias: Whether the products have one.
        output_shape: Sizes of the answer's last axes; as those of the query by default.
        attention_axes: Along which axes steps lie; all but batch and features by default.
        sliding_window: How many steps in each direction a step may see; all by default.
        flash_attention: Refused.
        kernel_initializer: First values of the four kernels; the other settings of weights as those of Dense.
        use_gate: Whether the answer is weighed by a sigmoid of the query before its last product.
        seed: Of what is dropped.

    A call's `query_mask` is without effect, as in Keras 3: the mask that hangs on the query counts.

    Raises:
        ValueError: a size is no whole number above 0.

    Source: https://keras.io/api/layers/attention_layers/multi_head_attention/; Vaswani et al., arXiv 1706.03762.
    """

    supports_masking = True

    def __init__(
        self,
        num_heads: int,
        key_dim: int,
        value_dim: int | None = None,
        dropout: float = 0.0,
        use_bias: bool = True,
        output_shape: Any = None,
        attention_axes: Any = None,
        sliding_window: int | None = None,
        flash_attention: Any = None,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        use_gate: bool = False,
        seed: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        refuse_given(self, "it computes on NumPy", flash_attention=flash_attention)
        self.num_heads, self.key_dim = (
            positive("num_heads", num_heads),
            positive("key_dim", key_dim),
        )
        self.value_dim = positive("value_dim", key_dim if value_dim is None else value_dim)
        self.dropout, self.use_bias, self.use_gate = dropout, use_bias, use_gate
        sizes = (output_shape,) if isinstance(output_shape, int) else output_shape
        self._output_sizes = None if sizes is None else tuple(sizes)
        axes = (attention_axes,) if isinstance(attention_axes, int) else attention_axes
        self.attention_axes = axes
        self.sliding_window = (
            None if sliding_window is None else positive("sliding_window", sliding_window)
        )
        self.seed = seed
        self._kernel_initializer = initializers.get(kernel_initializer)
        self._bias_initializer = initializers.get(bias_initializer)
        self._of_products = {
            "kernel_regularizer": regularizers.get(kernel_regularizer),
            "bias_regularizer": regularizers.get(bias_regularizer),
            "activity_regularizer": activity_regularizer,
            "kernel_constraint": constraints.get(kernel_constraint),
            "bias_constraint": constraints.get(bias_constraint),
        }

    def build(  # type: ignore[override]  # it is told the shape of each argument
        self, query_shape: Any, value_shape: Any, key_shape: Any = None
    ) -> None:
        key_shape = value_shape if key_shape is None else key_shape
        if tuple(value_shape[1:-1]) != tuple(key_shape[1:-1]):
            raise TapeValueError(
                "All dimensions of `value` and `key`, except the last one, must be equal. Received: "
                f"value_shape={tuple(value_shape)} and key_shape={tuple(key_shape)}",
                fix="a key for each value",
                code="MT507",
            )
        self.query_dense = self._into_heads("query", query_shape, self.key_dim)
        self.key_dense = self._into_heads("key", key_shape, self.key_dim)
        if self.use_gate:
            self.gate_dense = self._into_heads("gate", query_shape, self.value_dim, "sigmoid")
        self.value_dense = self._into_heads("value", value_shape, self.value_dim)
        rank = len(query_shape)
        steps = range(1, rank - 1) if self.attention_axes is None else self.attention_axes
        self.attention_axes = tuple(axis % rank for axis in steps)
        self._set_equations(rank + 1)
        self._softmax = Softmax(axis=tuple(range(-len(self.attention_axes), 0)), dtype=self.dtype)
        self._dropout_layer = Dropout(self.dropout, seed=self.seed, dtype=self.dtype)
        self.output_dense = self._out_of_heads(query_shape)

    def _product(self, equation: str, sizes: Any, bias_axes: str, **settings: Any) -> EinsumDense:
        return EinsumDense(
            equation,
            sizes,
            bias_axes=bias_axes if self.use_bias else None,
            kernel_initializer=initializers.another(self._kernel_initializer),
            bias_initializer=initializers.another(self._bias_initializer),
            dtype=self.dtype,
            **self._of_products,
            **settings,
        )

    def _into_heads(self, name: str, shape: Any, size: int, activation: Any = None) -> EinsumDense:
        kept = _LETTERS[: len(shape) - 1]
        equation = f"{kept}x,xyz->{kept}yz"
        product = self._product(
            equation, (self.num_heads, size), "yz", activation=activation, name=name
        )
        product.build(shape)
        return product

    def _out_of_heads(self, query_shape: Any) -> EinsumDense:
        kept = _LETTERS[: len(query_shape) - 1]
        sizes = self._output_sizes or (query_shape[-1],)
        new = _LETTERS[len(kept) : len(kept) + len(sizes)]
        product = self._product(
            f"{kept}yz,yz{new}->{kept}{new}", sizes, new, name="attention_output"
        )
        product.build((*tuple(query_shape)[:-1], self.num_heads, self.value_dim))
        return product

    def _set_equations(self, rank: int) -> None:
        """For values [batch, ..., heads, size]: steps of the query have small letters, those of keys have capitals."""
        of_query = _LETTERS[:rank]
        at = self.attention_axes or ()
        of_key = "".join(
            letter.upper() if axis in at else letter for axis, letter in enumerate(of_query)
        )
        others = [of_query[axis] for axis in range(rank - 1) if axis not in at]
        fits = "".join([*others, *(of_query[axis] for axis in at), *(of_key[axis] for axis in at)])
        self._fit_equation = f"{of_key},{of_query}->{fits}"
        self._answer_equation = f"{fits},{of_key}->{of_query}"

    def call(
        self,
        query: Value,
        value: Value,
        key: Any = None,
        query_mask: Any = None,
        value_mask: Any = None,
        key_mask: Any = None,
        attention_mask: Any = None,
        return_attention_scores: bool = False,
        training: Any = None,
        use_causal_mask: bool = False,
    ) -> Any:
        key = value if key is None else key
        query_mask = mask_of(query)
        for each in (query, value, key):
            if mask_of(each) is not None:
                hang(
                    each, None
                )  # as Keras does: what comes after sees the mask of the answer alone
        seen = self._seen(
            query, value, query_mask, value_mask, key_mask, attention_mask, use_causal_mask
        )
        scale = 1.0 / math.sqrt(self.key_dim)
        fits = einsum(self._fit_equation, self.key_dense(key), self.query_dense(query) * scale)
        is_plain = not self.dropout and not return_attention_scores and len(query.shape) == 3
        shares = self._shares(fits, seen, is_plain)
        kept = self._dropout_layer(shares, training=training) if self.dropout else shares
        answer = einsum(self._answer_equation, kept, self.value_dense(value))
        if self.use_gate:
            answer = answer * self.gate_dense(query)
        answer = self.output_dense(answer)
        if query_mask is not None:
            hang(answer, query_mask)
        return (answer, shares) if return_attention_scores else answer

    def _seen(
        self,
        query: Value,
        value: Value,
        query_mask: Any,
        value_mask: Any,
        key_mask: Any,
        attention_mask: Any,
        use_causal_mask: bool,
    ) -> Any:
        """Which step of the value each step of the query may see; None for all."""
        steps, others = int(query.shape[1]), int(value.shape[1])
        masks = []
        if query_mask is not None:
            masks.append(expand_dims(cast(query_mask, "bool"), axis=-1))
        for mask in (value_mask, key_mask):
            if mask is not None:
                masks.append(expand_dims(cast(mask, "bool"), axis=-2))
        if use_causal_mask:
            masks.append(_not_later(steps, others))
        if self.sliding_window is not None:
            apart = np.abs(np.arange(steps)[:, np.newaxis] - np.arange(others))
            masks.append((apart < self.sliding_window)[np.newaxis])
        if attention_mask is not None:
            masks.append(cast(attention_mask, "bool"))
        seen = None
        for mask in masks:
            seen = mask if seen is None else logical_and(seen, mask)
        return seen

    def _shares(self, fits: Value, seen: Any, is_plain: bool) -> Value:
        if seen is None:
            return self._softmax(fits)
        while len(seen.shape) < len(fits.shape):
            seen = expand_dims(seen, axis=-2 * len(self.attention_axes or ()) - 1)
        seen = broadcast_to(seen, fits.shape)
        if not is_plain:
            return self._softmax(fits, mask=seen)
        # A step that may see nothing sees everything alike, where the other way gives it nothing: so Keras's two ways.
        lowest = cast(-0.7 * float(fits.dtype.max), fits.dtype)
        return softmax(where(seen, fits, fill(fits.shape, lowest)))
