import tensorflow as tf


class Centre(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable(2.0)

    def __call__(self, x):
        y = self.scale * x
        return y - tf.reduce_mean(y)


centre = Centre()
with tf.GradientTape() as tape:
    scores = centre(tf.constant([1.0, 2.0, 6.0]))
    loss = tf.reduce_mean(scores)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, centre.scale).numpy())
