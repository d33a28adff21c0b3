import tensorflow as tf

tf.random.set_seed(0)
maker = tf.Variable(tf.random.normal([2, 2], stddev=0.5), name="maker")
judge = tf.Variable(tf.random.normal([2, 1], stddev=0.5), name="judge")
for step in range(6):
    real = tf.random.normal([8, 2]) + [2.0, -1.0]
    noise = tf.random.normal([8, 2])
    with tf.GradientTape() as judge_tape:
        fake = tf.stop_gradient(noise @ maker)
        seen = tf.nn.softplus(-real @ judge) + tf.nn.softplus(fake @ judge)
        judge_loss = tf.reduce_mean(seen)
    judge.assign_sub(0.1 * judge_tape.gradient(judge_loss, judge))
    with tf.GradientTape() as maker_tape:
        maker_loss = tf.reduce_mean(tf.nn.softplus(-(noise @ maker) @ judge))
    maker.assign_sub(0.1 * maker_tape.gradient(maker_loss, maker))
