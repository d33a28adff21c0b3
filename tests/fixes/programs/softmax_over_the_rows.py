import tensorflow as tf

w = tf.Variable([[0.5, 0.2, 0.1]])
with tf.GradientTape() as tape:
    p = tf.nn.softmax(w, axis=0)
    loss = tf.reduce_sum(p * tf.constant([[1.0, 2.0, 4.0]]))
print(tape.gradient(loss, w))
