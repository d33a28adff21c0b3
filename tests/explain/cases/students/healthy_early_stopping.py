import tensorflow as tf

w = tf.Variable([0.0, 0.0])
x = tf.constant([[1.0, 2.0], [2.0, 1.0], [0.5, 0.5]])
y = tf.constant([4.0, 5.0, 1.5])
history, best, patience = [], float("inf"), 2

for epoch in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        history.append(float(loss))
    w.assign_sub(0.05 * tape.gradient(loss, w))
    if float(loss) < best - 1e-3:
        best, patience = float(loss), 2
    else:
        patience -= 1
    if patience == 0 or float(loss) < 0.2:
        break

print("stopped after", len(history), "epochs, best", round(best, 3))
