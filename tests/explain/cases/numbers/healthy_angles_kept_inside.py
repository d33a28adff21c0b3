import tensorflow as tf

bone = tf.Variable([1.0, 0.01, 0.0])
axis = tf.constant([2.0, 0.0, 0.0])
with tf.GradientTape() as tape:
    cosine = tf.reduce_sum(bone * axis) / (tf.norm(bone) * tf.norm(axis))
    bend = tf.acos(tf.clip_by_value(cosine, -1.0 + 1e-6, 1.0 - 1e-6))
print(bend.numpy(), tape.gradient(bend, bone).numpy())
