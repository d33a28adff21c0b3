import tensorflow as tf

sides = {"a": tf.Variable(3.0), "b": tf.Variable(4.0), "c": tf.Variable(12.0)}

with tf.GradientTape() as tape:
    diagonal = tf.sqrt(sum(side**2 for side in sides.values()))

for name, side in sides.items():
    print(name, tape.gradient(diagonal, side).numpy())
