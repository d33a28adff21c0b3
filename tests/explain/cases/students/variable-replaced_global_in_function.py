import tensorflow as tf

level = tf.Variable(5.0)


def drain(amount):
    global level
    level = level - amount


for hour in range(2):
    with tf.GradientTape() as tape:
        pressure = tf.sqrt(level) * 9.81
    print(hour, tape.gradient(pressure, level))
    drain(0.5)
