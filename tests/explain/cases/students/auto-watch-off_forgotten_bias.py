import tensorflow as tf

x = tf.constant([1.0, 2.0, 3.0, 4.0])
y = tf.constant([2.1, 3.9, 6.2, 8.1])
w = tf.Variable(1.0)
b = tf.Variable(0.5)

with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(w)
    residual = w * x + b - y
    loss = tf.reduce_mean(residual**2)

dw, db = tape.gradient(loss, (w, b))
print("dw:", float(dw), "db:", db)
