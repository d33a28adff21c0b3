import tensorflow as tf

w = tf.Variable(3.0)
smooth = tf.Variable(0.0, trainable=False)
best = tf.Variable(1e9, trainable=False)
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.square(w - 1.0)
        smooth.assign(0.9 * smooth + 0.1 * loss)
        best.assign(tf.minimum(best, smooth))
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(float(smooth), float(best))
