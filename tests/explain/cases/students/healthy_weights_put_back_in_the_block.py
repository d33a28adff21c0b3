import tensorflow as tf

returns = tf.constant([0.02, 0.05, 0.01])
shares = tf.Variable([0.5, 0.6, 0.1])
for turn in range(4):
    with tf.GradientTape() as tape:
        shares.assign(tf.clip_by_value(shares, 0.0, 1.0))
        shares.assign(shares / tf.reduce_sum(shares))
        risk = tf.reduce_sum(tf.square(shares)) - tf.tensordot(returns, shares, 1)
    shares.assign_sub(0.1 * tape.gradient(risk, shares))
