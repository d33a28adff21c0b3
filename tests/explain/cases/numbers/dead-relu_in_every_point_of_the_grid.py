import tensorflow as tf

weights = tf.constant([0.4, -0.3])
threshold = 30.0


def response(light):
    return tf.nn.relu(tf.reduce_sum(weights * light) - threshold)


slopes = []
for level in (0.0, 1.0, 2.0, 5.0):
    light = tf.constant([level, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(light)
        signal = response(light)
    slopes.append(tape.gradient(signal, light).numpy())
print(slopes)
