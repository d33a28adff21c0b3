import tensorflow as tf

logits = tf.Variable([1.0, 0.5, -0.5])

with tf.GradientTape() as tape:
    probabilities = tf.nn.softmax(logits)

slopes = tape.gradient(probabilities, logits)
print("probabilities:", probabilities.numpy(), "slopes:", slopes.numpy())
