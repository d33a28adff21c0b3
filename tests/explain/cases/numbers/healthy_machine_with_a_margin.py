import tensorflow as tf

points = tf.constant([[2.0, 1.0], [1.5, 2.0], [-1.0, -1.5], [-2.0, -0.5], [0.5, 0.4], [-0.3, -0.6]])
labels = [1.0, 1.0, -1.0, -1.0, 1.0, -1.0]

w = tf.Variable([0.1, -0.1])
b = tf.Variable(0.0)

for epoch in range(8):
    mistakes = 0
    for point, label in zip(points, labels):
        with tf.GradientTape() as tape:
            margin = label * (tf.reduce_sum(w * point) + b)
            loss = tf.nn.relu(1.0 - margin)
        grad_w, grad_b = tape.gradient(loss, [w, b])
        w.assign_sub(0.5 * grad_w)
        b.assign_sub(0.5 * grad_b)
        mistakes += int(loss > 0.0)
    print("epoch", epoch, "inside the margin:", mistakes)
