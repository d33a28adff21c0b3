import tensorflow as tf

kernel = tf.Variable([[0.2], [0.5]])
bias = tf.Variable([0.1])


def forward(x):
    with tf.GradientTape() as tape:
        out = tf.sigmoid(x @ kernel + bias)
    return tape, out


tape, out = forward(tf.constant([[1.0, 2.0], [0.0, 1.0]]))
loss = tf.reduce_mean((out - 1.0) ** 2)
grads = tape.gradient(loss, [kernel, bias])
print("loss:", loss.numpy(), grads)
