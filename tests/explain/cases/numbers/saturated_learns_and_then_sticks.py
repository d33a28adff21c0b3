import tensorflow as tf

x = tf.constant([1.0, 2.0, 3.0])
y = tf.constant([0.9, 0.8, 0.7])
w = tf.Variable(0.5)

for step in range(6):
    with tf.GradientTape() as tape:
        guess = tf.sigmoid(w * x)
        loss = tf.reduce_mean((guess - y) ** 2)
    slope = tape.gradient(loss, w)
    w.assign_sub(3000.0 * slope)
    print(step, float(loss))
