"""Masks of Keras: where they come from, who uses them, and who loses them."""

from dataclasses import replace
from typing import Any

from programs.case import Case, Program, rounds, table
from programs.layers import _numbers, _set_weights

_CLOSE = rounds(2e-5, "float32, in another order")
WORDS = [[1, 2, 0, 3], [4, 0, 0, 0]]
WORDS_THAT_END = [[1, 2, 3, 0], [4, 0, 0, 0]]


def _mask(tensor: Any) -> Any:
    return getattr(tensor, "_keras_mask", None)


def _behind(make: Any, words: Any = WORDS_THAT_END, **settings: Any) -> Program:
    """What a layer answers behind an Embedding with a mask, the slopes, and the mask of the answer."""

    def program(tf: Any, np: Any) -> Any:
        keras = tf.keras
        table, layer = keras.layers.Embedding(6, 3, mask_zero=True), make(keras.layers)
        layer(table(tf.constant(words)), **settings)
        _set_weights(np, table)
        _set_weights(np, layer)
        with tf.GradientTape() as tape:
            rows = table(tf.constant(words))
            tape.watch(rows)
            answer = layer(rows, **settings)
            parts = tf.nest.flatten(answer)
            loss = tf.add_n([tf.reduce_sum(y * y * _numbers(np, tuple(y.shape), 9)) for y in parts])
        slopes = tape.gradient(loss, [rows, *layer.trainable_weights])
        return answer, [_mask(each) for each in parts], slopes

    return program


BEHIND = {
    "dense": _behind(lambda k: k.Dense(2)),
    "dropout": _behind(lambda k: k.Dropout(0.5)),
    "activation": _behind(lambda k: k.Activation("tanh")),
    "batch_normalization": _behind(lambda k: k.BatchNormalization()),
    "batch_normalization_while_training": _behind(lambda k: k.BatchNormalization(), training=True),
    "layer_normalization": _behind(lambda k: k.LayerNormalization()),
    "conv1d": _behind(lambda k: k.Conv1D(2, 2)),
    "flatten": _behind(lambda k: k.Flatten()),
    "lambda": _behind(lambda k: k.Lambda(lambda x: x * 2.0)),
    "lambda_with_a_mask": _behind(lambda k: k.Lambda(lambda x: x * 2.0, mask=lambda x, mask: mask)),
    "masking": _behind(lambda k: k.Masking()),
    "global_average_pooling1d": _behind(lambda k: k.GlobalAveragePooling1D(), WORDS),
    "global_max_pooling1d": _behind(lambda k: k.GlobalMaxPooling1D()),
    "softmax": _behind(lambda k: k.Identity()),
    "simple_rnn": _behind(lambda k: k.SimpleRNN(2), WORDS),
    "lstm": _behind(lambda k: k.LSTM(2), WORDS),
    "lstm_of_words_that_end": _behind(lambda k: k.LSTM(2)),
    "lstm_with_all_steps": _behind(lambda k: k.LSTM(2, return_sequences=True)),
    "lstm_and_its_states": _behind(lambda k: k.LSTM(2, return_sequences=True, return_state=True)),
    "lstm_unrolled": _behind(lambda k: k.LSTM(2, unroll=True, return_sequences=True), WORDS),
    "lstm_backwards": _behind(lambda k: k.LSTM(2, go_backwards=True, return_sequences=True), WORDS),
    "gru": _behind(lambda k: k.GRU(2, return_sequences=True), WORDS),
    "rnn_with_zeros": _behind(
        lambda k: k.RNN(k.GRUCell(2), return_sequences=True, zero_output_for_mask=True), WORDS
    ),
    "stacked_cells": _behind(lambda k: k.RNN([k.GRUCell(2), k.LSTMCell(2)]), WORDS),
    "bidirectional": _behind(lambda k: k.Bidirectional(k.LSTM(2)), WORDS),
    "bidirectional_with_all_steps": _behind(
        lambda k: k.Bidirectional(k.GRU(2, return_sequences=True)), WORDS
    ),
    "time_distributed": _behind(lambda k: k.TimeDistributed(k.Dense(2))),
    "a_layer_with_a_mask_of_none": _behind(lambda k: k.LSTM(2), WORDS, mask=None),
}


def _of_two(make: Any, **settings: Any) -> Program:
    """A layer called with a list of two embedded sequences."""

    def program(tf: Any, np: Any) -> Any:
        keras = tf.keras
        table, layer = keras.layers.Embedding(6, 3, mask_zero=True), make(keras.layers)
        table(tf.constant(WORDS))
        _set_weights(np, table)
        one, other = table(tf.constant(WORDS)), table(tf.constant(WORDS_THAT_END))
        with tf.GradientTape() as tape:
            tape.watch([one, other])
            answer = layer([one, other], **settings)
            loss = tf.reduce_sum(answer * answer)
        return answer, _mask(answer), tape.gradient(loss, [one, other]), _mask(one)

    return program


OF_TWO = {
    "add": _of_two(lambda k: k.Add()),
    "multiply": _of_two(lambda k: k.Multiply()),
    "maximum": _of_two(lambda k: k.Maximum()),
    "average": _of_two(lambda k: k.Average()),
    "concatenate": _of_two(lambda k: k.Concatenate()),
    "concatenate_the_steps": _of_two(lambda k: k.Concatenate(axis=1)),
    "dot": _of_two(lambda k: k.Dot(axes=2)),
    "attention": _of_two(lambda k: k.Attention()),
    "attention_without_the_future": _of_two(lambda k: k.Attention(), use_causal_mask=True),
    "additive_attention": _of_two(lambda k: k.AdditiveAttention(use_scale=False)),
}


def multi_head_attention_behind_a_mask(tf: Any, np: Any) -> Any:
    """The masks of query and value are found by themselves, and are taken off them."""
    keras = tf.keras
    keras.backend.clear_session()
    table, layer = (
        keras.layers.Embedding(6, 4, mask_zero=True),
        keras.layers.MultiHeadAttention(2, 2),
    )
    layer(table(tf.constant(WORDS)), table(tf.constant(WORDS)))
    _set_weights(np, table)
    _set_weights(np, layer)
    x = table(tf.constant(WORDS))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer(x, x)
        loss = tf.reduce_sum(y * y)
    return y, _mask(y), _mask(x), tape.gradient(loss, [x, *layer.trainable_weights])


def a_mask_given_by_hand(tf: Any, np: Any) -> Any:
    layer = tf.keras.layers.GRU(2)
    x = tf.constant(_numbers(np, (2, 4, 3), 1))
    layer(x)
    _set_weights(np, layer)
    return layer(x, mask=tf.constant(WORDS) > 0)


def a_layer_of_ones_own_with_compute_mask(tf: Any, np: Any) -> Any:
    class Shorter(tf.keras.layers.Layer):
        def call(self, inputs: Any) -> Any:
            return inputs[:, 1:]

        def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
            return None if mask is None else mask[:, 1:]

    layer = Shorter()
    rows = tf.keras.layers.Embedding(6, 2, mask_zero=True)(tf.constant(WORDS))
    return _mask(layer(rows)), layer.supports_masking


def a_layer_of_ones_own_that_takes_a_mask(tf: Any, np: Any) -> Any:
    class Counting(tf.keras.layers.Layer):
        def call(self, inputs: Any, mask: Any = None) -> Any:
            return tf.reduce_sum(tf.cast(mask, tf.float32), axis=1)

    rows = tf.keras.layers.Embedding(6, 2, mask_zero=True)(tf.constant(WORDS))
    return Counting()(rows)


def a_mask_goes_through_a_model(tf: Any, np: Any) -> Any:
    keras = tf.keras
    model = keras.Sequential(
        [keras.layers.Embedding(6, 3, mask_zero=True), keras.layers.Dense(2), keras.layers.LSTM(2)]
    )
    model(tf.constant(WORDS))
    for layer in model.layers:
        _set_weights(np, layer)
    return model(tf.constant(WORDS))


def a_mask_goes_through_a_drawn_model(tf: Any, np: Any) -> Any:
    keras = tf.keras
    words = keras.Input((None,), dtype="int32")
    y = keras.layers.Embedding(6, 3, mask_zero=True)(words)
    y = keras.layers.LSTM(2, return_sequences=True)(y)
    model = keras.Model(words, keras.layers.GlobalAveragePooling1D()(y))
    for layer in model.layers:
        _set_weights(np, layer)
    return model(tf.constant(WORDS))


def a_stateful_layer_goes_on(tf: Any, np: Any) -> Any:
    layer = tf.keras.layers.LSTM(2, stateful=True)
    x = tf.constant(_numbers(np, (2, 4, 3), 1))
    layer(x)
    _set_weights(np, layer)
    layer.reset_state()
    first, second = layer(x), layer(x)
    layer.reset_states()
    return first, second, layer(x), len(layer.weights)


def a_stateful_layer_keeps_its_batch(tf: Any, np: Any) -> Any:
    layer = tf.keras.layers.GRU(2, stateful=True)
    layer(tf.ones([2, 4, 3]))
    return layer(tf.ones([3, 4, 3]))


def _from_the_start(case: Case) -> Case:
    def program(tf: Any, np: Any) -> Any:
        tf.keras.backend.clear_session()
        return case(tf, np)

    return replace(case, program=program)


_ALL = {f"behind_a_mask_{name}": program for name, program in BEHIND.items()}
_ALL |= {f"two_masks_{name}": program for name, program in OF_TWO.items()}
TABLE = tuple(map(_from_the_start, map(_CLOSE, table(_ALL))))
