"""Layers of Keras that came after the first: what they compute from given weights, the slopes, and what they refuse."""

from dataclasses import replace
from typing import Any

from programs.case import Case, Program, rounds, table
from programs.layers import PICTURES, ROWS, SEQUENCES, _numbers, _rows, _set_weights

_CLOSE = rounds(2e-5, "float32, in another order")
SMALL = (2, 3, 3, 4)

LAYERS = {
    "dense_with_all_prices": (
        lambda k: k.Dense(3, activity_regularizer="l2", kernel_regularizer="l1"),
        ROWS,
    ),
    "einsum_dense": (
        lambda k: k.EinsumDense("abc,cd->abd", output_shape=(None, 2), bias_axes="d"),
        SEQUENCES,
    ),
    "einsum_dense_with_dots": (
        lambda k: k.EinsumDense("...x,xy->...y", output_shape=5, bias_axes="y"),
        SEQUENCES,
    ),
    "einsum_dense_of_heads": (
        lambda k: k.EinsumDense(
            "abc,cde->abde", output_shape=(None, 2, 3), bias_axes="de", activation="tanh"
        ),
        SEQUENCES,
    ),
    "resizing": (lambda k: k.Resizing(3, 7), PICTURES),
    "resizing_nearest": (lambda k: k.Resizing(8, 2, interpolation="nearest"), PICTURES),
    "center_crop": (lambda k: k.CenterCrop(2, 3), PICTURES),
    "center_crop_of_what_is_too_small": (lambda k: k.CenterCrop(6, 3), PICTURES),
    "identity": (lambda k: k.Identity(), ROWS),
    "rescaling": (lambda k: k.Rescaling(0.5, offset=-1.0), ROWS),
    "masking": (lambda k: k.Masking(), SEQUENCES),
    "activity_regularization": (lambda k: k.ActivityRegularization(l1=0.1, l2=0.2), ROWS),
    "prelu_with_shared_axes": (lambda k: k.PReLU(shared_axes=[1, 2]), PICTURES),
    "softmax_over_two_axes": (lambda k: k.Softmax(axis=(1, 2)), SEQUENCES),
    "conv1d_causal": (lambda k: k.Conv1D(3, 2, padding="causal", dilation_rate=2), SEQUENCES),
    "conv1d_strided": (lambda k: k.Conv1D(3, 2, strides=2, activation="tanh"), SEQUENCES),
    "conv2d_channels_first": (lambda k: k.Conv2D(3, 2, data_format="channels_first"), PICTURES),
    "conv2d_dilated": (lambda k: k.Conv2D(2, 2, dilation_rate=(2, 1), padding="same"), PICTURES),
    "conv1d_transpose": (lambda k: k.Conv1DTranspose(3, 3, strides=2), SEQUENCES),
    "conv1d_transpose_same": (
        lambda k: k.Conv1DTranspose(2, 3, strides=2, padding="same"),
        SEQUENCES,
    ),
    "conv2d_transpose_with_output_padding": (
        lambda k: k.Conv2DTranspose(2, 3, strides=2, padding="same", output_padding=1),
        PICTURES,
    ),
    "depthwise_conv1d": (lambda k: k.DepthwiseConv1D(2, depth_multiplier=2), SEQUENCES),
    "depthwise_conv2d_same": (
        lambda k: k.DepthwiseConv2D(3, padding="same", activation="tanh"),
        PICTURES,
    ),
    "separable_conv1d": (lambda k: k.SeparableConv1D(4, 2, depth_multiplier=2), SEQUENCES),
    "separable_conv1d_causal": (lambda k: k.SeparableConv1D(4, 2, padding="causal"), SEQUENCES),
    "separable_conv2d": (lambda k: k.SeparableConv2D(3, 2, padding="same", strides=2), PICTURES),
    "max_pooling2d_channels_first": (
        lambda k: k.MaxPooling2D(2, data_format="channels_first"),
        PICTURES,
    ),
    "average_pooling1d_same": (lambda k: k.AveragePooling1D(2, padding="same"), SEQUENCES),
    "global_max_pooling2d_channels_first": (
        lambda k: k.GlobalMaxPooling2D(data_format="channels_first"),
        PICTURES,
    ),
    "group_normalization": (lambda k: k.GroupNormalization(2), SMALL),
    "group_normalization_of_one_group": (lambda k: k.GroupNormalization(1, scale=False), SEQUENCES),
    "group_normalization_of_each_channel": (
        lambda k: k.GroupNormalization(-1, center=False),
        SMALL,
    ),
    "rms_normalization": (lambda k: k.RMSNormalization(), SEQUENCES),
    "unit_normalization": (lambda k: k.UnitNormalization(), SEQUENCES),
    "unit_normalization_of_two_axes": (lambda k: k.UnitNormalization(axis=[1, 2]), SEQUENCES),
    "normalization_with_numbers": (
        lambda k: k.Normalization(mean=[1.0, 2.0, 3.0, 4.0], variance=[4.0, 3.0, 2.0, 1.0]),
        ROWS,
    ),
    "normalization_inverted": (
        lambda k: k.Normalization(axis=None, mean=1.0, variance=4.0, invert=True),
        ROWS,
    ),
    "zero_padding1d": (lambda k: k.ZeroPadding1D((1, 2)), SEQUENCES),
    "zero_padding2d_channels_first": (
        lambda k: k.ZeroPadding2D((1, 2), data_format="channels_first"),
        PICTURES,
    ),
    "cropping1d": (lambda k: k.Cropping1D((1, 2)), SEQUENCES),
    "cropping2d": (lambda k: k.Cropping2D(((1, 0), (2, 1))), PICTURES),
    "up_sampling1d": (lambda k: k.UpSampling1D(3), SEQUENCES),
    "up_sampling2d_bilinear": (
        lambda k: k.UpSampling2D((2, 3), interpolation="bilinear"),
        PICTURES,
    ),
    "flatten_channels_first": (lambda k: k.Flatten(data_format="channels_first"), PICTURES),
    "dot": (lambda k: k.Dot(axes=1), ROWS, ROWS),
    "dot_normalized": (lambda k: k.Dot(axes=-1, normalize=True), ROWS, ROWS),
    "dot_of_sequences": (lambda k: k.Dot(axes=(2, 1)), (2, 4, 3), (2, 3, 5)),
    "dot_of_the_steps": (lambda k: k.Dot(axes=1), (2, 4, 3), (2, 4, 2)),
    "add_of_other_ranks": (lambda k: k.Add(), SEQUENCES, (2, 3)),
    "lambda_with_arguments": (
        lambda k: k.Lambda(lambda x, by: x * by, arguments={"by": 3.0}),
        ROWS,
    ),
    "spatial_dropout_outside_training": (lambda k: k.SpatialDropout2D(0.5), PICTURES),
    "gaussian_dropout_outside_training": (lambda k: k.GaussianDropout(0.5), ROWS),
    "simple_rnn_with_all_steps": (lambda k: k.SimpleRNN(2, return_sequences=True), SEQUENCES),
    "simple_rnn_unrolled": (lambda k: k.SimpleRNN(2, unroll=True, activation="relu"), SEQUENCES),
    "lstm_backwards": (lambda k: k.LSTM(2, go_backwards=True, return_sequences=True), SEQUENCES),
    "lstm_of_other_activations": (
        lambda k: k.LSTM(2, activation="relu", recurrent_activation="hard_sigmoid"),
        SEQUENCES,
    ),
    "gru_reset_before": (lambda k: k.GRU(2, reset_after=False), SEQUENCES),
    "gru_without_bias": (lambda k: k.GRU(2, use_bias=False, return_sequences=True), SEQUENCES),
    "stacked_cells": (lambda k: k.RNN([k.LSTMCell(2), k.GRUCell(3)]), SEQUENCES),
    "an_rnn_of_stacked_cells": (
        lambda k: k.RNN(
            k.StackedRNNCells([k.SimpleRNNCell(2), k.SimpleRNNCell(3)]), return_sequences=True
        ),
        SEQUENCES,
    ),
    "bidirectional_lstm": (lambda k: k.Bidirectional(k.LSTM(2)), SEQUENCES),
    "bidirectional_gru_with_all_steps": (
        lambda k: k.Bidirectional(k.GRU(2, return_sequences=True)),
        SEQUENCES,
    ),
    "bidirectional_sum": (lambda k: k.Bidirectional(k.SimpleRNN(2), merge_mode="sum"), SEQUENCES),
    "bidirectional_mean": (
        lambda k: k.Bidirectional(k.SimpleRNN(2, return_sequences=True), merge_mode="ave"),
        SEQUENCES,
    ),
    "bidirectional_product": (
        lambda k: k.Bidirectional(k.SimpleRNN(2), merge_mode="mul"),
        SEQUENCES,
    ),
    "bidirectional_with_a_layer_back": (
        lambda k: k.Bidirectional(k.LSTM(2), backward_layer=k.GRU(3, go_backwards=True)),
        SEQUENCES,
    ),
    "time_distributed_dense": (lambda k: k.TimeDistributed(k.Dense(2)), SEQUENCES),
    "time_distributed_conv2d": (lambda k: k.TimeDistributed(k.Conv2D(2, 2)), (2, 3, 4, 4, 1)),
    "attention": (lambda k: k.Attention(), (2, 3, 4), (2, 5, 4)),
    "attention_with_keys": (lambda k: k.Attention(use_scale=True), (2, 3, 4), (2, 5, 2), (2, 5, 4)),
    "attention_by_concat": (
        lambda k: k.Attention(score_mode="concat", use_scale=True),
        (2, 3, 4),
        (2, 5, 4),
    ),
    "additive_attention": (lambda k: k.AdditiveAttention(), (2, 3, 4), (2, 5, 4)),
    "additive_attention_without_scale": (
        lambda k: k.AdditiveAttention(use_scale=False),
        (2, 3, 4),
        (2, 5, 4),
    ),
}


def _from_the_start(case: Case) -> Case:
    """With names that are numbered from the start: layers inside others stand in the paths of weights."""

    def program(tf: Any, np: Any) -> Any:
        tf.keras.backend.clear_session()
        return case(tf, np)

    return replace(case, program=program)


TABLE: tuple[Case, ...] = tuple(map(_from_the_start, map(_CLOSE, _rows(LAYERS))))


# --- several arguments ---


def _called(make: Any, *shapes: Any, **settings: Any) -> Program:
    """As `_answers`, for layers that are called with several arguments."""

    def program(tf: Any, np: Any) -> Any:
        layer = make(tf.keras.layers)
        xs = [tf.constant(_numbers(np, shape, i)) for i, shape in enumerate(shapes)]
        given = {
            name: tf.constant(value) if isinstance(value, list) else value
            for name, value in settings.items()
        }
        layer(*xs, **given)
        _set_weights(np, layer)
        with tf.GradientTape() as tape:
            tape.watch(xs)
            answer = layer(*xs, **given)
            parts = tf.nest.flatten(answer)
            loss = tf.add_n([tf.reduce_sum(y * y * _numbers(np, tuple(y.shape), 9)) for y in parts])
        slopes = tape.gradient(loss, [*xs, *layer.trainable_weights])
        weights = [(w.path.split("/", 1)[1], w.numpy()) for w in layer.weights]
        return {"value": answer, "slopes": slopes, "weights": weights}

    return program


QUERY, VALUE = (2, 3, 4), (2, 5, 4)
CALLED = {
    "multi_head_attention": _called(lambda k: k.MultiHeadAttention(2, 3), QUERY, VALUE),
    "multi_head_attention_with_keys": _called(
        lambda k: k.MultiHeadAttention(2, 3, value_dim=2), QUERY, VALUE, (2, 5, 3)
    ),
    "multi_head_attention_and_its_scores": _called(
        lambda k: k.MultiHeadAttention(2, 3), QUERY, VALUE, return_attention_scores=True
    ),
    "multi_head_attention_without_the_future": _called(
        lambda k: k.MultiHeadAttention(2, 3, use_bias=False), QUERY, QUERY, use_causal_mask=True
    ),
    "multi_head_attention_with_a_mask": _called(
        lambda k: k.MultiHeadAttention(2, 3, output_shape=5),
        QUERY,
        VALUE,
        attention_mask=[[[True, False, True, True, False]] * 3] * 2,
    ),
    "multi_head_attention_over_two_axes": _called(
        lambda k: k.MultiHeadAttention(2, 3, attention_axes=(1, 2)), (2, 2, 3, 4), (2, 2, 3, 4)
    ),
    "multi_head_attention_with_masks_of_steps": _called(
        lambda k: k.MultiHeadAttention(2, 3),
        QUERY,
        VALUE,
        query_mask=[[True, True, False]] * 2,
        value_mask=[[True, False, True, True, False]] * 2,
        key_mask=[[True, True, True, True, False]] * 2,
    ),
    "multi_head_attention_with_a_gate": _called(
        lambda k: k.MultiHeadAttention(2, 3, use_gate=True), QUERY, VALUE
    ),
    "gru_from_a_given_state": _called(lambda k: k.GRU(2, return_state=True), (2, 4, 3), (2, 2)),
    "an_lstm_and_its_states": _called(
        lambda k: k.LSTM(2, return_sequences=True, return_state=True), (2, 4, 3)
    ),
    "bidirectional_and_its_states": _called(
        lambda k: k.Bidirectional(k.LSTM(2, return_state=True)), (2, 4, 3)
    ),
    "bidirectional_side_by_side": _called(
        lambda k: k.Bidirectional(k.LSTM(2), merge_mode=None), (2, 4, 3)
    ),
    "softmax_with_a_mask": _called(lambda k: k.Softmax(), (2, 3), mask=[[True, False, True]] * 2),
}
TABLE += tuple(map(_from_the_start, map(_CLOSE, table(CALLED))))
