import tensorflow as tf

tf.random.set_seed(5)
gen = tf.Variable(tf.random.normal([2, 3], stddev=0.3), name="gen")
disc = tf.Variable(tf.random.normal([3, 1], stddev=0.3), name="disc")
real = tf.random.normal([4, 3]) + 1.0


def bce(logits, label):
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(tf.fill(logits.shape, label), logits))


for step in range(3):
    noise = tf.random.normal([4, 2])
    fake = tf.tanh(tf.matmul(noise, gen))
    with tf.GradientTape() as d_tape:
        d_loss = bce(tf.matmul(real, disc), 1.0) + bce(tf.matmul(fake, disc), 0.0)
    disc.assign_sub(0.1 * d_tape.gradient(d_loss, disc))
    with tf.GradientTape() as g_tape:
        fake = tf.tanh(tf.matmul(noise, gen))
        g_loss = bce(tf.matmul(fake, disc), 1.0)
    gen.assign_sub(0.1 * g_tape.gradient(g_loss, gen))
print(d_loss.numpy(), g_loss.numpy())
