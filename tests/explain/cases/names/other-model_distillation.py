import tensorflow as tf

tf.keras.utils.set_random_seed(21)


def network(width):
    return tf.keras.Sequential(
        [tf.keras.layers.Input([4]), tf.keras.layers.Dense(width, use_bias=False), tf.keras.layers.Dense(3, use_bias=False)]
    )


teacher = network(8)
student = network(2)
x = tf.random.normal([5, 4])

with tf.GradientTape() as tape:
    soft = tf.nn.softmax(teacher(x) / 2.0)
    logits = teacher(x)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=tf.stop_gradient(soft), logits=logits))
grads = tape.gradient(loss, student.trainable_variables)
print(grads)
