import tensorflow as tf

ratings = tf.Variable([3.0, 5.0, 3.0, 1.0])
bonus = tf.Variable(0.5)

with tf.GradientTape() as tape:
    values, index, counts = tf.unique_with_counts(ratings * bonus)
    weighted = values * tf.cast(counts, tf.float32)
    score = tf.reduce_mean(weighted)

print("score:", score.numpy())
print(tape.gradient(score, ratings))
