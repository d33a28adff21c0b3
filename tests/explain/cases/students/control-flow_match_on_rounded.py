import tensorflow as tf

mood = tf.Variable(1.8)
volume = tf.Variable(3.0)


def tempo(mood):
    match int(mood):
        case 0:
            return 60.0
        case 1:
            return 90.0
        case _:
            return 120.0


with tf.GradientTape() as tape:
    energy = volume**2 * tempo(mood)

print("energy:", energy.numpy(), tape.gradient(energy, [mood, volume]))
