import tensorflow as tf

tf.random.set_seed(4)
mix = tf.Variable(tf.random.normal([3, 3], stddev=0.5))
read = tf.Variable(tf.random.normal([3, 2], stddev=0.5))
steps = tf.random.normal([5, 4, 3])
answer = tf.random.normal([4, 2])

with tf.GradientTape() as tape:
    state = tf.zeros([4, 3])
    output = tf.zeros([4, 2])
    for t in range(5):
        state = tf.tanh(steps[t] + state @ mix)
        output = state @ read
    loss = tf.reduce_mean((output - answer) ** 2)
print(loss.numpy(), [g.shape for g in tape.gradient(loss, [mix, read])])
