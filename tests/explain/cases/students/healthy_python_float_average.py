import tensorflow as tf

w = tf.Variable(0.2)
smooth = None

for step, (x, y) in enumerate([(1.0, 2.0), (2.0, 3.5), (1.5, 3.0), (3.0, 6.5)]):
    with tf.GradientTape() as tape:
        loss = tf.square(w * x - y)
    value = loss.numpy().item()
    smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
    w.assign_sub(0.05 * tape.gradient(loss, w))
    print(step, round(value, 3), round(smooth / (1 - 0.9 ** (step + 1)), 3))
