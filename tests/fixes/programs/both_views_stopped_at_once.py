import tensorflow as tf

tf.random.set_seed(2)
encoder, head = tf.Variable([[0.4, -0.2], [0.1, 0.3]]), tf.Variable([[1.0, 0.2], [0.0, 1.0]])
first, second = tf.random.normal([3, 2]), tf.random.normal([3, 2])


def distance(guess, goal):
    guess, goal = [tf.stop_gradient(each) for each in (guess, goal)]
    return tf.reduce_mean(tf.square(guess - goal))


with tf.GradientTape() as tape:
    a, b = first @ encoder, second @ encoder
    loss = distance(a @ head, b) + distance(b @ head, a)
print(tape.gradient(loss, [head, encoder]))
