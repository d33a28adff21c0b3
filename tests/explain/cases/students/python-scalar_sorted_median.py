import tensorflow as tf

knob = tf.Variable(0.5)
sensors = [1.0, -2.0, 0.3]

with tf.GradientTape() as tape:
    answers = sorted(float(knob * s + s * s) for s in sensors)
    middle = answers[len(answers) // 2]
    error = (tf.constant(middle) - 1.0) ** 2

print("error:", error.numpy(), "grad:", tape.gradient(error, knob))
