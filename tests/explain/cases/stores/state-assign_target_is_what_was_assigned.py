import tensorflow as tf

mass = tf.Variable(2.0)
acceleration = tf.constant(3.0)
force = tf.Variable(0.0)

with tf.GradientTape() as tape:
    force.assign(mass * acceleration)

print("force", force.numpy())
print("d force / d mass", tape.gradient(force, mass))
