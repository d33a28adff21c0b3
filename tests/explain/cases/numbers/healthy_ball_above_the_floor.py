import tensorflow as tf

STIFFNESS, MASS, GRAVITY, STEP = 800.0, 1.0, 9.81, 0.01


def contact_energy(height):
    depth = tf.nn.relu(-height)
    return 0.5 * STIFFNESS * depth**2


height, speed = tf.constant(0.3), tf.constant(0.0)
track = []
for frame in range(70):
    with tf.GradientTape() as tape:
        tape.watch(height)
        energy = contact_energy(height)
    push = -tape.gradient(energy, height)
    speed = speed + STEP * (push / MASS - GRAVITY)
    height = height + STEP * speed
    track.append(float(height))
print(f"lowest {min(track):.3f}, at the end {track[-1]:.3f}")
