import tensorflow as tf

PARAMETERS = {
    "gain": dict(initial_value=1.0, dtype=tf.float32),
    "delay": dict(initial_value=0.5, dtype=tf.float32, trainable=False),
}

made = {name: tf.Variable(name=name, **settings) for name, settings in PARAMETERS.items()}
gain, delay = made["gain"], made["delay"]
t = tf.linspace(0.0, 1.0, 5)
with tf.GradientTape() as tape:
    heard = gain * tf.sin(t - delay)
    loss = tf.reduce_sum(heard**2)
print(tape.gradient(loss, [gain, delay]))
