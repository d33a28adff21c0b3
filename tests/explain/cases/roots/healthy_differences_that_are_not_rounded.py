import tensorflow as tf

w = tf.Variable([0.4, 1.6])
bias = tf.Variable([0.1, 0.2])
with tf.GradientTape() as tape:
    h = tf.tanh(w)
    moved = w + (h - w)  # the same as h, which has a gradient
    excess = w - tf.floor(w)
    kept = tf.round(w) + (w - tf.stop_gradient(w))
    loss = tf.reduce_sum(moved**2) + tf.reduce_sum(excess * kept * bias)
print(tape.gradient(loss, [w, bias]))
