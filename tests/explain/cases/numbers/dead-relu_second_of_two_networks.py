import tensorflow as tf

x = tf.constant([[0.5], [1.0], [1.5], [2.0]])
y = tf.constant([[1.0], [2.0], [3.0], [4.0]])


class Network:
    def __init__(self, bias):
        self.kernel = tf.Variable([[0.7]])
        self.bias = tf.Variable([bias])

    def __call__(self, x):
        return tf.nn.relu(x @ self.kernel + self.bias)


def train(network, steps):
    variables = [network.kernel, network.bias]
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((network(x) - y) ** 2)
        grads = tape.gradient(loss, variables)
        for variable, grad in zip(variables, grads):
            variable.assign_sub(0.05 * grad)
    return float(loss)


for name, bias in {"a": 0.1, "b": -6.0}.items():
    print(name, train(Network(bias), 3))
