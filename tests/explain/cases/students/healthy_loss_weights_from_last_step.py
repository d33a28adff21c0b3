import tensorflow as tf

a, b = tf.Variable(2.0), tf.Variable(-1.0)
weights = [1.0, 1.0]

for step in range(3):
    with tf.GradientTape() as tape:
        parts = [(a - 0.5) ** 2 + 0.1 * b**2, 10.0 * (b - a) ** 2]
        loss = sum(weight * part for weight, part in zip(weights, parts))
    da, db = tape.gradient(loss, [a, b])
    a.assign_sub(0.01 * da)
    b.assign_sub(0.01 * db)
    weights = [1.0 / (float(part) + 0.1) for part in parts]
print("weights:", weights)
