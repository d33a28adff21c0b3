import tensorflow as tf

gain = tf.Variable(0.5)
records = []
for step in range(3):
    with tf.GradientTape() as tape:
        answer = tf.tanh(gain * (step + 1.0))
        records.append(tf.Variable(answer, trainable=False))
        loss = (answer - 0.9) ** 2
    gain.assign_sub(0.5 * tape.gradient(loss, gain))
print([float(each) for each in records])
