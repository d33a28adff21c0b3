import tensorflow as tf

spend = {"radio": tf.Variable(3.0), "tv": tf.Variable(40.0)}
limit = 10.0

with tf.GradientTape() as tape:
    effect = 0.0
    for channel in sorted(spend):
        used = tf.minimum(spend[channel], limit)
        effect += tf.sqrt(used)

slopes = tape.gradient(effect, spend)
print({k: v.numpy() for k, v in slopes.items()})
