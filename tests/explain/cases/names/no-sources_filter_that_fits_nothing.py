import tensorflow as tf

encoder = tf.Variable([[0.5, -0.2], [0.1, 0.3]], name="encoder/w")
decoder = tf.Variable([[0.4], [0.7]], name="decoder/w")
everything = [encoder, decoder]
chosen = [v for v in everything if v.name == "decoder/w"]

x = tf.constant([[1.0, 2.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((tf.tanh(x @ encoder) @ decoder) ** 2)
print(tape.gradient(loss, chosen))
