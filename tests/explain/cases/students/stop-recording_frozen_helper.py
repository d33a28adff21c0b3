import tensorflow as tf

encoder = tf.Variable([[0.2, -0.1], [0.4, 0.3]])
decoder = tf.Variable([[0.1], [0.7]])


def features(tape, x):
    with tape.stop_recording():
        hidden = tf.tanh(tf.matmul(x, encoder))
    return hidden


x = tf.constant([[1.0, 0.0], [0.5, 2.0]])
with tf.GradientTape() as tape:
    guess = tf.matmul(features(tape, x), decoder)
    loss = tf.reduce_mean((guess - 1.0) ** 2)

grads = tape.gradient(loss, {"decoder": decoder, "encoder": encoder})
print({k: None if g is None else g.shape for k, g in grads.items()})
