import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(12)
rng = np.random.default_rng(12)


class SineTask:
    def __init__(self):
        self.amplitude = rng.uniform(0.5, 2.0)
        self.phase = rng.uniform(0.0, np.pi)

    def sample(self, count):
        x = rng.uniform(-3.0, 3.0, (count, 1)).astype("float32")
        return x, (self.amplitude * np.sin(x + self.phase)).astype("float32")


def build():
    return tf.keras.Sequential(
        [
            tf.keras.Input((1,)),
            tf.keras.layers.Dense(12, activation="tanh"),
            tf.keras.layers.Dense(1),
        ]
    )


def mse(model, x, y):
    return tf.reduce_mean((model(x) - y) ** 2)


class MAML:
    def __init__(self, inner_rate=0.05, inner_steps=1):
        self.meta = build()
        self.fast = build()
        self.inner_rate = inner_rate
        self.inner_steps = inner_steps
        self.optimizer = tf.keras.optimizers.Adam(1e-3)

    def adapt(self, x, y):
        self.fast.set_weights(self.meta.get_weights())
        for _ in range(self.inner_steps):
            with tf.GradientTape() as inner:
                loss = mse(self.fast, x, y)
            grads = inner.gradient(loss, self.fast.trainable_variables)
            for variable, grad in zip(self.fast.trainable_variables, grads):
                variable.assign_sub(self.inner_rate * grad)
        return self.fast

    def meta_step(self, tasks):
        with tf.GradientTape() as outer:
            losses = []
            for task in tasks:
                adapted = self.adapt(*task.sample(10))
                losses.append(mse(adapted, *task.sample(10)))
            meta_loss = tf.add_n(losses) / len(losses)
        grads = outer.gradient(meta_loss, self.meta.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.meta.trainable_variables))
        return meta_loss


learner = MAML()
for iteration in range(3):
    value = learner.meta_step([SineTask() for _ in range(4)])
    print(iteration, float(value))
