import tensorflow as tf

left = tf.Variable(0.9)
right = tf.Variable(1.4)

with tf.GradientTape() as tape:
    hit_left = left > 0.5
    hit_right = right > 1.0
    both = tf.logical_and(hit_left, hit_right)
    score = tf.cast(both, tf.float32) * 10.0

print("score:", score.numpy(), "grads:", tape.gradient(score, [left, right]))
