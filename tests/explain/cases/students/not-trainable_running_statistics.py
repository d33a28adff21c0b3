import tensorflow as tf


class Normalise(tf.Module):
    def __init__(self, mean):
        super().__init__(name="normalise")
        self.gamma = tf.Variable(1.5, name="gamma")
        self.beta = tf.Variable(0.1, name="beta")
        self.center = tf.Variable(mean, trainable=False, name="center")

    def __call__(self, x):
        return self.gamma * (x - self.center) + self.beta


layer = Normalise(mean=0.4)
batch = tf.constant([0.5, 1.5, -0.5])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(layer(batch) ** 2)

wanted = {v.name.split(":")[0]: v for v in layer.variables}
grads = tape.gradient(loss, [wanted["center"], wanted["beta"], wanted["gamma"]])
print(grads)
