import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(61)


class FakeQuantiser:
    """Rounds to a grid of 8-bit steps and goes back to float."""

    def __init__(self, bits=8):
        self.levels = 2 ** (bits - 1) - 1

    def __call__(self, values):
        scale = self.levels / tf.stop_gradient(tf.reduce_max(tf.abs(values)))
        steps = tf.saturate_cast(values * scale, tf.int8)
        return tf.cast(steps, tf.float32) / scale


def quantised(*names):
    """Class decorator: these attributes are read through a quantiser."""

    def decorate(cls):
        quantiser = FakeQuantiser()
        for name in names:
            private = f"_{name}"
            getter = lambda self, private=private: quantiser(getattr(self, private))
            setter = lambda self, value, private=private: setattr(self, private, value)
            setattr(cls, name, property(getter, setter))
        return cls

    return decorate


@quantised("kernel")
class Dense(tf.Module):
    def __init__(self, inputs, units, activation=tf.identity):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal((inputs, units), stddev=0.4), name="kernel")
        self.bias = tf.Variable(tf.fill([units], 0.05), name="bias")
        self.activation = activation

    def __call__(self, x):
        return self.activation(x @ self.kernel + self.bias)


class Network(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Dense(4, 8, tf.tanh), Dense(8, 1)]
        self.range = tf.Variable(0.02, name="output_range")

    def parameters(self):
        return [p for layer in self.layers for p in (layer._kernel, layer.bias)]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def hinged(self, x):
        return tf.clip_by_value(self(x), -6.0, 6.0)


rng = np.random.default_rng(61)
x = rng.normal(size=(40, 4)).astype("float32")
y = (x[:, :1] - 0.5 * x[:, 1:2] ** 2).astype("float32")
network = Network()
optimizer = tf.keras.optimizers.SGD(0.05, momentum=0.9)

for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((network.hinged(x) - y) ** 2)
    grads = tape.gradient(loss, network.parameters())
    known = [(g, v) for g, v in zip(grads, network.parameters()) if g is not None]
    optimizer.apply_gradients(known)
    print(step, float(loss))

with tf.GradientTape() as tape:
    unit = tf.maximum(network.range, 0.1)
    bins = network(x) / unit
    cost = tf.reduce_mean(tf.abs(bins - y / unit))
print("slope of the output range", tape.gradient(cost, [network.range]))
