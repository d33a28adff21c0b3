import tensorflow as tf

tf.keras.utils.set_random_seed(6)


def make():
    return tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2, activation="tanh")])


teacher = make()
student = make()
student.set_weights([0.9 * weight for weight in teacher.get_weights()])
x = tf.random.normal((8, 3))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((student(x) - teacher(x)) ** 2)
print(tape.gradient(loss, student.trainable_variables))
