import tensorflow as tf

tf.random.set_seed(11)
experts = [tf.Variable(tf.random.normal((2,)), name=f"expert_{i}") for i in range(2)]
gates = tf.constant([[0.6, 0.4], [0.3, 0.7]])
x = tf.constant([[1.0, 0.5], [0.2, 0.8]])
variables = tuple(experts)


def output(x):
    votes = tf.stack([tf.linalg.matvec(x, expert) for expert in experts], axis=1)
    return tf.reduce_sum(gates * votes, axis=1)


def reset_weakest():
    norms = [float(tf.norm(expert)) for expert in experts]
    weakest, strongest = norms.index(min(norms)), norms.index(max(norms))
    noise = tf.random.normal((2,), stddev=0.01)
    experts[weakest] = tf.Variable(experts[strongest] + noise, name=f"expert_{weakest}")
    return weakest


first = reset_weakest()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((output(x) - 1.0) ** 2)
gradient = tape.gradient(loss, variables[first])
print(first, gradient)
