import tensorflow as tf

tf.keras.utils.set_random_seed(3)
net = tf.keras.layers.Dense(1)
x = tf.random.normal([8, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)
net.build((None, 2))

for epoch in range(3):
    predictions = net(x)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(predictions - y))
    grads = tape.gradient(loss, net.trainable_variables)
    for v, g in zip(net.trainable_variables, grads):
        if g is not None:
            v.assign_sub(0.1 * g)
print("loss", loss.numpy())
