"""Attention layers, which compute a weighted mean of values for each step of a query.

    Attention               scores are dot products, or a sum of tanh
    AdditiveAttention       scores are a weighted sum of tanh
    MultiHeadAttention      several attentions in parallel, each with its own projections

Source: https://keras.io/api/layers/attention_layers/
"""

import math
from typing import Any

import numpy as np

from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras import constraints, initializers, random, regularizers
from minitape.keras.layers.activation import Softmax
from minitape.keras.layers.dropout import Dropout
from minitape.keras.layers.einsum import EinsumDense
from minitape.keras.layers.keywords import positive, refuse_given
from minitape.keras.layers.layer import Layer
from minitape.keras.masks import attach_mask, mask_of
from minitape.ops.activations import softmax
from minitape.ops.broadcasting import broadcast_to, reduce_sum
from minitape.ops.comparison import logical_and
from minitape.ops.creation import fill, zeros_like
from minitape.ops.exponential import tanh
from minitape.ops.identity import cast
from minitape.ops.indexing import where
from minitape.ops.products import einsum, matrix_transpose
from minitape.ops.reshaping import expand_dims

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _not_later(steps: int, others: int) -> Any:
    """Return a causal mask, with which each step may attend to itself and to earlier steps."""
    return np.tri(steps, others, dtype=bool)[np.newaxis]


class Attention(Layer):
    """Compute dot-product attention: softmax(query · keyᵀ) · value.

    A call takes [query, value] or [query, value, key], tensors of shape [batch, steps, features]; if no key is passed, the
    value is also the key. It returns a tensor of shape [batch, query steps, value features]; with
    `return_attention_scores=True` it returns this tensor and the scores, [batch, query steps, value steps]. A call's `mask`
    is [query mask, value mask]; masks attached to the inputs are used automatically. With `use_causal_mask=True` a step
    attends only to itself and earlier steps.

    Args:
        use_scale: Whether to multiply the scores by a trainable scalar.
        score_mode: "dot" for dot products, or "concat" for a trainable scalar times the sum of tanh(query + key).
        dropout: Fraction of the attention scores that is dropped during training.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    Raises:
        ValueError: `score_mode` is unknown, or the layer is called with something other than a list of two or three tensors.

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
                fix='pass `score_mode="dot"`',
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
                fix=f"use `{type(self).__name__}()([query, value])`",
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
        """Compute the attention.

        Args:
            inputs: [query, value] or [query, value, key], each of shape [batch, steps, features].
            mask: [query mask, value mask], bool tensors [batch, steps] or None; by default the masks attached to the
                inputs.
            training: Whether to run in training mode; by default, the mode of the enclosing layer or model.
            return_attention_scores: Whether to also return the attention scores.
            use_causal_mask: Whether a step attends only to itself and to earlier steps.

        Returns:
            A tensor [batch, query steps, value features]; with `return_attention_scores` a pair of this tensor and the
            scores, [batch, query steps, value steps].
        """
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
        attention = softmax(fits)
        if training and self.dropout:
            attention = random.dropout(attention, self.dropout, seed=self.seed_generator)
        answer = attention @ value
        if query_mask is not None:
            counts = expand_dims(cast(query_mask, "bool"), axis=-1)
            answer = where(counts, answer, zeros_like(answer))
        return (answer, attention) if return_attention_scores else answer

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
    """Compute additive attention, in which the scores are Σ scale · tanh(query + key).

    The inputs, masks and output are the same as for `Attention`.

    Args:
        use_scale: Whether to multiply each feature in the sum by a trainable weight.
        dropout: Fraction of the attention scores that is dropped during training.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

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
    """Compute `num_heads` attentions in parallel, each with its own projections of query, key and value.

    A call takes `query`, `value` and optionally `key`, each of shape [batch, steps, features]; if no key is passed, the
    value is also the key. It returns a tensor with the shape of the query (or with `output_shape` in place of the last
    axis); with `return_attention_scores=True` it returns this tensor and the scores, [batch, heads, query steps, value
    steps].

    Args:
        num_heads: Number of attention heads.
        key_dim: Size of the projected query and key of each head.
        value_dim: Size of the projected value of each head; `key_dim` by default.
        dropout: Fraction of the attention scores that is dropped during training.
        use_bias: Whether the projections have a bias.
        output_shape: Size, or sizes, of the output's last axes; the query's number of features by default.
        attention_axes: Axes along which attention is computed; by default all but the batch and the features.
        sliding_window: A step attends only to steps at a distance of less than `sliding_window`; None means no limit.
        flash_attention: Not supported; must be None or False.
        kernel_initializer: Initializer of each projection's kernel.
        bias_initializer: Initializer of each projection's bias.
        kernel_regularizer: Regularizer of each projection's kernel; the layer adds its penalty to `losses`.
        bias_regularizer: Regularizer of each projection's bias; the layer adds its penalty to `losses`.
        activity_regularizer: Regularizer of the output of each projection; the layer adds its penalty to `losses`.
        kernel_constraint: Function that projects each kernel after each optimizer update.
        bias_constraint: Function that projects each bias after each optimizer update.
        use_gate: Whether the result is multiplied by a sigmoid of the query before the output projection.
        seed: Integer seed or `SeedGenerator` of the random numbers; None (the default) uses the global generator
            that `tf.keras.utils.set_random_seed` seeds.
        **kwargs: Arguments of `Layer`: `name`, `dtype`, `trainable`, `autocast`.

    As in Keras 3, a call ignores `query_mask` and uses the mask attached to the query.

    Raises:
        ValueError: a size is not a positive integer, or value and key have different numbers of steps.
        UnimplementedError: `flash_attention` is set.

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
        refuse_given(self, "the layer computes with NumPy", flash_attention=flash_attention)
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

    def build(  # type: ignore[override]  # the method receives the shape of each argument
        self, query_shape: Any, value_shape: Any, key_shape: Any = None
    ) -> None:
        key_shape = value_shape if key_shape is None else key_shape
        if tuple(value_shape[1:-1]) != tuple(key_shape[1:-1]):
            raise TapeValueError(
                "All dimensions of `value` and `key`, except the last one, must be equal. Received: "
                f"value_shape={tuple(value_shape)} and key_shape={tuple(key_shape)}",
                fix="pass one key for each value",
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
        """Set the einsum equations for [batch, ..., heads, size]: lowercase letters for query steps, uppercase for key steps."""
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
        """Compute the attention of all heads.

        Args:
            query: A tensor of shape [batch, query steps, features].
            value: A tensor of shape [batch, value steps, features].
            key: A tensor of shape [batch, value steps, features]; `value` by default.
            query_mask: Ignored; the layer uses the mask attached to `query`.
            value_mask: Bool tensor [batch, value steps], which is False for steps to ignore.
            key_mask: Bool tensor [batch, value steps], which is False for steps to ignore.
            attention_mask: Bool tensor [batch, query steps, value steps], which is True where a query step may attend to a
                value step.
            return_attention_scores: Whether to also return the attention scores.
            training: Whether to run in training mode; by default, the mode of the enclosing layer or model.
            use_causal_mask: Whether a step attends only to itself and to earlier steps.

        Returns:
            A tensor with the shape of the query, or with `output_shape` as the last axes; with `return_attention_scores` a
            pair of this tensor and the scores, [batch, heads, query steps, value steps].
        """
        key = value if key is None else key
        query_mask = mask_of(query)
        for each in (query, value, key):
            if mask_of(each) is not None:
                attach_mask(each, None)  # as in Keras: later layers see only the mask of the output
        seen = self._seen(
            query, value, query_mask, value_mask, key_mask, attention_mask, use_causal_mask
        )
        scale = 1.0 / math.sqrt(self.key_dim)
        fits = einsum(self._fit_equation, self.key_dense(key), self.query_dense(query) * scale)
        is_plain = not self.dropout and not return_attention_scores and len(query.shape) == 3
        attention = self._attention_weights(fits, seen, is_plain)
        kept = self._dropout_layer(attention, training=training) if self.dropout else attention
        answer = einsum(self._answer_equation, kept, self.value_dense(value))
        if self.use_gate:
            answer = answer * self.gate_dense(query)
        answer = self.output_dense(answer)
        if query_mask is not None:
            attach_mask(answer, query_mask)
        return (answer, attention) if return_attention_scores else answer

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
        """Return a mask of the value steps to which each query step may attend; None means all steps."""
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

    def _attention_weights(self, fits: Value, seen: Any, is_plain: bool) -> Value:
        if seen is None:
            return self._softmax(fits)
        while len(seen.shape) < len(fits.shape):
            seen = expand_dims(seen, axis=-2 * len(self.attention_axes or ()) - 1)
        seen = broadcast_to(seen, fits.shape)
        if not is_plain:
            return self._softmax(fits, mask=seen)
        # If all values of a step are masked, this path computes equal scores, whereas the path above computes 0, as in Keras.
        lowest = cast(-0.7 * float(fits.dtype.max), fits.dtype)
        return softmax(where(seen, fits, fill(fits.shape, lowest)))
