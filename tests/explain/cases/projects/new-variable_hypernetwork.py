import numpy as np
import tensorflow as tf

CODE = 3


class HyperNetwork(tf.Module):
    """Writes the kernel and the bias of a small layer for each task code."""

    def __init__(self, code, inputs, outputs, seed=1):
        super().__init__()
        rng = np.random.default_rng(seed)
        self.shape = (inputs, outputs)
        size = inputs * outputs
        self.bias_map = tf.Variable(
            rng.normal(0.0, 0.3, (code, outputs)).astype("float32"), name="bias_map"
        )
        self.kernel_map = tf.Variable(
            rng.normal(0.0, 0.3, (code, size)).astype("float32"), name="kernel_map"
        )

    def weights(self, code):
        kernel = tf.reshape(tf.linalg.matvec(self.kernel_map, code, transpose_a=True), self.shape)
        bias = tf.linalg.matvec(self.bias_map, code, transpose_a=True)
        return kernel, bias


class TargetLayer:
    """The layer that gets its weights from outside."""

    def __init__(self):
        self.loaded = False

    def load(self, kernel, bias):
        self.kernel = tf.Variable(kernel, name="kernel")
        self.bias = tf.Variable(bias, name="bias")
        self.loaded = True
        return self

    def __call__(self, x):
        return tf.matmul(x, self.kernel) + self.bias


class MultiTask:
    def __init__(self, tasks, inputs):
        rng = np.random.default_rng(9)
        self.codes = [
            tf.Variable(rng.normal(0.0, 0.5, CODE).astype("float32"), name=f"code_{i}")
            for i in range(tasks)
        ]
        self.hyper = HyperNetwork(CODE, inputs, 1)
        self.layer = TargetLayer()

    def predict(self, task, x):
        self.layer.load(*self.hyper.weights(self.codes[task]))
        return self.layer(x)[:, 0]

    def loss(self, task, x, y):
        prior = 0.05 * tf.reduce_sum(self.codes[task] ** 2)
        return tf.reduce_mean((self.predict(task, x) - y) ** 2) + prior


rng = np.random.default_rng(190)
truths = rng.normal(size=(2, 4))
model = MultiTask(tasks=2, inputs=4)
code_rate, map_rate = 0.1, 0.05

for step in range(2):
    for task, truth in enumerate(truths):
        x = rng.normal(size=(20, 4))
        y = (x @ truth).astype("float32")
        with tf.GradientTape(persistent=True) as tape:
            loss = model.loss(task, x.astype("float32"), y)
        map_grads = tape.gradient(loss, [model.hyper.bias_map, model.hyper.kernel_map])
        code_grad = tape.gradient(loss, model.codes[task])
        del tape
        model.codes[task].assign_sub(code_rate * code_grad)
        for variable, grad in zip((model.hyper.bias_map, model.hyper.kernel_map), map_grads):
            if grad is not None:
                variable.assign_sub(map_rate * grad)
        print(step, task, round(float(loss), 4))
