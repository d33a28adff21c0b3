import tensorflow as tf

tf.random.set_seed(0)
UNITS, LETTERS, STEPS, BATCH = 6, 5, 8, 2
w_in = tf.Variable(tf.random.normal([4, UNITS], stddev=0.1))
w_rec = tf.Variable(tf.random.normal([UNITS, UNITS], stddev=0.1))
bias = tf.Variable(tf.fill([UNITS], -6.0))
w_out = tf.Variable(tf.random.normal([UNITS, LETTERS], stddev=0.1))

frames = tf.random.normal([STEPS, BATCH, 4])
labels = tf.constant([[1, 2, 0], [2, 1, 0]])


def rnn(frames):
    states = tf.TensorArray(tf.float32, size=STEPS)

    def step(t, h, states):
        h = tf.nn.relu(frames[t] @ w_in + h @ w_rec + bias)
        return t + 1, h, states.write(t, h)

    _, _, states = tf.while_loop(
        lambda t, h, s: t < STEPS, step, (tf.constant(0), tf.zeros([BATCH, UNITS]), states)
    )
    return states.stack()


with tf.GradientTape() as tape:
    logits = tf.einsum("tbu,ul->tbl", rnn(frames), w_out)
    loss = tf.reduce_mean(
        tf.nn.ctc_loss(
            labels, logits, label_length=[2, 2], logit_length=[STEPS, STEPS], blank_index=-1
        )
    )
for name, g in zip(
    ["w_in", "w_rec", "bias", "w_out"], tape.gradient(loss, [w_in, w_rec, bias, w_out])
):
    print(name, g if g is None else float(tf.norm(g)))
