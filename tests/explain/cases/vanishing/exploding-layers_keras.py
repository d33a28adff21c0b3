import tensorflow as tf

tf.keras.utils.set_random_seed(15)
net = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(64, activation="relu", kernel_initializer=tf.keras.initializers.RandomNormal(stddev=1.0))
        for _ in range(6)
    ]
)
net.add(tf.keras.layers.Dense(2))
x = tf.random.normal([16, 8])
labels = tf.one_hot([0, 1] * 8, 2)
with tf.GradientTape() as tape:
    losses = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=net(x))
    loss = tf.reduce_mean(losses)
grads = tape.gradient(loss, net.trainable_variables)
