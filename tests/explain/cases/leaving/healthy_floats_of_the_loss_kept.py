import tensorflow as tf

w = tf.Variable([1.0, -2.0])
optimizer = tf.keras.optimizers.SGD(0.1)
history = {"loss": [], "size": []}
best, patience = float("inf"), 0

for step in range(5):
    with tf.GradientTape() as tape:
        size = tf.reduce_sum(w**2)
        loss = tf.reduce_sum((w - 0.5) ** 2) + 0.01 * size
        history["loss"].append(float(loss))
        history["size"].append(size.numpy())
        if loss.numpy() < best:
            best, patience = loss.numpy(), 0
        else:
            patience += 1
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    if patience > 2:
        break
print(sum(history["loss"]) / len(history["loss"]), best, history["size"][-1])
