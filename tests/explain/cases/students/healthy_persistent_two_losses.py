import tensorflow as tf

tf.keras.utils.set_random_seed(3)
encoder = tf.keras.layers.Dense(4, activation="tanh")
speed_head = tf.keras.layers.Dense(1)
class_head = tf.keras.layers.Dense(2)
x = tf.constant([[0.1, 0.9, 0.3], [0.8, 0.2, 0.5]])

with tf.GradientTape(persistent=True) as tape:
    code = encoder(x)
    losses = {
        "speed": tf.reduce_mean((speed_head(code) - 1.0) ** 2),
        "class": tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 1], logits=class_head(code))
        ),
    }
for name, head in (("speed", speed_head), ("class", class_head)):
    grads = tape.gradient(losses[name], encoder.trainable_variables + head.trainable_variables)
    print(name, [float(tf.norm(g)) for g in grads])
del tape
