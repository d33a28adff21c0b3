import tensorflow as tf

CONFIG = {"units": 3, "detach": True}


class Encoder(tf.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.w = tf.Variable(tf.ones([2, config["units"]]) * 0.2)
        self.b = tf.Variable(tf.zeros([config["units"]]))

    def __call__(self, x):
        code = tf.nn.relu(tf.matmul(x, self.w) + self.b)
        if self.config["detach"]:
            code = tf.stop_gradient(code)
        return code


encoder = Encoder(CONFIG)
head = tf.Variable(tf.ones([3, 1]))
with tf.GradientTape() as tape:
    out = tf.matmul(encoder(tf.constant([[1.0, 2.0]])), head)
    loss = tf.squeeze(out) ** 2

print(tape.gradient(loss, {"enc_b": encoder.b, "enc_w": encoder.w, "head": head}))
