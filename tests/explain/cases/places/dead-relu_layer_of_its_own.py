import tensorflow as tf

tf.keras.utils.set_random_seed(2)
model = tf.keras.Sequential()
model.add(tf.keras.Input((3,)))
model.add(tf.keras.layers.Dense(4, kernel_initializer="ones"))
model.add(tf.keras.layers.ReLU())
model.add(tf.keras.layers.Dense(2))


def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
    grads = tape.gradient(loss, model.trainable_variables)
    for grad, weight in zip(grads, model.trainable_variables):
        weight.assign_sub(0.1 * grad)
    return loss


below_freezing = tf.constant([[-12.0, -3.0, -7.0], [-20.0, -9.0, -1.0]])
for _ in range(2):
    print(float(train_step(below_freezing, tf.constant([0, 0]))))
