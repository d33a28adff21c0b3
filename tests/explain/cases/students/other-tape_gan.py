import tensorflow as tf

tf.random.set_seed(5)
maker = tf.Variable([[0.5, 0.1]])
judge = tf.Variable([[0.2], [-0.4]])
noise = tf.random.normal([3, 1])

with tf.GradientTape() as maker_tape:
    fake = tf.matmul(noise, maker)

with tf.GradientTape() as judge_tape:
    verdict = tf.sigmoid(tf.matmul(fake, judge))
    maker_loss = -tf.reduce_mean(tf.math.log(verdict))
    judge_loss = -tf.reduce_mean(tf.math.log(1.0 - verdict))

d_judge = judge_tape.gradient(judge_loss, judge)
d_maker = maker_tape.gradient(maker_loss, maker)
print("judge:", d_judge.numpy().ravel(), "maker:", d_maker)
