import tensorflow as tf

tf.keras.utils.set_random_seed(7)
x = tf.random.normal([12, 3])
labels = tf.cast(x[:, 0] > 0.0, tf.float32)[:, None]
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
history = []

for epoch in range(3):
    with tf.GradientTape() as tape:
        logits = model(x)
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels, logits))
        hits = tf.cast(tf.equal(tf.round(tf.sigmoid(logits)), labels), tf.float32)
        history.append({"loss": float(loss), "accuracy": float(tf.reduce_mean(hits))})
    weights = model.trainable_variables
    for weight, grad in zip(weights, tape.gradient(loss, weights)):
        weight.assign_sub(0.5 * grad)
print(history[-1])
