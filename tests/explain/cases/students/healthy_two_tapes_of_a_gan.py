import tensorflow as tf

tf.random.set_seed(0)
maker, judge = tf.Variable([[0.5, 0.1]]), tf.Variable([[0.2], [-0.4]])
real = tf.random.normal([6, 2], mean=1.0)

for round_number in range(2):
    noise = tf.random.normal([6, 1])
    with tf.GradientTape() as maker_tape, tf.GradientTape() as judge_tape:
        fake = noise @ maker
        on_fake, on_real = fake @ judge, real @ judge
        maker_loss = tf.reduce_mean(tf.nn.softplus(-on_fake))
        judge_loss = tf.reduce_mean(tf.nn.softplus(on_fake)) + tf.reduce_mean(tf.nn.softplus(-on_real))
    judge.assign_sub(0.1 * judge_tape.gradient(judge_loss, judge))
    maker.assign_sub(0.1 * maker_tape.gradient(maker_loss, maker))
    print(round_number, float(maker_loss), float(judge_loss))
