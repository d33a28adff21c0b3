import tensorflow as tf

left, right = -1.0, 1.0
positions = [tf.Variable(p) for p in (-0.5, 0.0, 0.5)]


def energy(position):
    return 1.0 / tf.abs(position - left) + 1.0 / tf.abs(position - right)


with tf.GradientTape() as tape:
    total = tf.add_n([energy(p) for p in positions])
forces = tape.gradient(total, positions)
for p, force in zip(positions, forces):
    print(f"at {p.numpy():+.1f}: force {-force.numpy():+.3f}")
