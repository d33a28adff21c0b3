import tensorflow as tf

w = tf.Variable(1.3)

with tf.GradientTape() as first, tf.GradientTape(watch_accessed_variables=False) as second:
    cheap = w**2
    dear = tf.exp(w)

print("cheap:", first.gradient(cheap, w).numpy())
print("dear:", second.gradient(dear, w))
