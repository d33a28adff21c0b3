import tensorflow as tf

tf.keras.utils.set_random_seed(8)
base = tf.keras.Sequential([tf.keras.layers.Input([3]), tf.keras.layers.Dense(2, activation="tanh")])
base.trainable = False

features = tf.constant([[1.0, 0.5, -0.5]])
with tf.GradientTape() as tape:
    score = tf.reduce_sum(base(features))
print("gradients:", tape.gradient(score, base.trainable_variables))
