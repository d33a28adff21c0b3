import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(19)


def build(width):
    return tf.keras.Sequential(
        [
            tf.keras.Input((2,)),
            tf.keras.layers.Dense(width, activation="tanh", name="hidden"),
            tf.keras.layers.Dense(1, name="out"),
        ]
    )


class Schedule:
    """Calls its hooks when an epoch ends."""

    def __init__(self):
        self.hooks = []

    def on_epoch_end(self, hook):
        self.hooks.append(hook)
        return hook

    def end(self, epoch):
        for hook in self.hooks:
            hook(epoch)


class Trainer:
    def __init__(self, width):
        self.model = build(width)
        self.params = self.model.trainable_variables
        self.optimizer = tf.keras.optimizers.SGD(0.05)

    def widen(self, extra):
        old = self.model
        width = old.get_layer("hidden").units + extra
        self.model = build(width)
        kernel, bias = self.model.get_layer("hidden").get_weights()
        old_kernel, old_bias = old.get_layer("hidden").get_weights()
        kernel[:, :-extra], bias[:-extra] = old_kernel, old_bias
        self.model.get_layer("hidden").set_weights([kernel, bias])
        kernel, bias = self.model.get_layer("out").get_weights()
        old_kernel, old_bias = old.get_layer("out").get_weights()
        kernel[:-extra], bias[:] = old_kernel, old_bias
        self.model.get_layer("out").set_weights([kernel, bias])

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.model(x, training=True) - y) ** 2)
        grads = tape.gradient(loss, self.params)
        self.optimizer.apply_gradients(zip(grads, self.params))
        return float(loss)


rng = np.random.default_rng(19)
x = rng.uniform(-1.0, 1.0, (64, 2)).astype("float32")
y = np.sin(3.0 * x[:, :1]) * x[:, 1:]

schedule = Schedule()
trainer = Trainer(width=4)


@schedule.on_epoch_end
def grow(epoch):
    if epoch % 2 == 1:
        trainer.widen(extra=4)


@schedule.on_epoch_end
def report(epoch):
    print("epoch", epoch, "width", trainer.model.get_layer("hidden").units)


for epoch in range(4):
    print(trainer.step(x, y))
    schedule.end(epoch)
