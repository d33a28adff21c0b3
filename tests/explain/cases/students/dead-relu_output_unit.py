import tensorflow as tf

tf.keras.utils.set_random_seed(1)
price = tf.keras.layers.Dense(1, activation="relu")
rooms = tf.constant([[2.0, 50.0], [3.0, 80.0], [4.0, 120.0]])
price.build(rooms.shape)
price.bias.assign([-900.0])
truth = tf.constant([[200.0], [320.0], [450.0]])

with tf.GradientTape() as tape:
    guess = price(rooms)
    loss = tf.reduce_mean(tf.abs(guess - truth))

for variable, grad in zip(price.trainable_variables, tape.gradient(loss, price.trainable_variables)):
    print(variable.name, grad.numpy().ravel())
