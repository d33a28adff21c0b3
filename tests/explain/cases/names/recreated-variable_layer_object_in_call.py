import tensorflow as tf


class Attention(tf.keras.layers.Layer):
    def call(self, x):
        self.scale = tf.Variable(0.5, name="scale")
        scores = tf.nn.softmax(self.scale * tf.matmul(x, x, transpose_b=True))
        return tf.matmul(scores, x)


layer = Attention()
x = tf.constant([[1.0, 0.0], [0.3, 1.0]])
scale = None
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(x) ** 2)
    if scale is None:
        scale = layer.scale
    gradient = tape.gradient(loss, scale)
    print(step, gradient)
