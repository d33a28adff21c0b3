import tensorflow as tf

tf.keras.utils.set_random_seed(6)
teacher = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(3)])
student = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])
hard_loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
x = tf.random.normal((12, 4))
y = tf.argmax(teacher(x), axis=1)


def soft_loss(targets, scores):
    """How far the scores of one model are from the probabilities of another."""
    probabilities = tf.nn.softmax(tf.stop_gradient(targets) / 2.0)
    logs = tf.nn.log_softmax(scores / 2.0)
    return -tf.reduce_mean(tf.reduce_sum(probabilities * logs, axis=1))


for _ in range(2):
    with tf.GradientTape() as tape:
        scores = student(x)
        loss = 0.2 * hard_loss(y, scores) + 0.8 * soft_loss(teacher(x), scores)
    gradients = tape.gradient(loss, student.trainable_variables)
    for v, g in zip(student.trainable_variables, gradients):
        v.assign_sub(0.1 * g)
