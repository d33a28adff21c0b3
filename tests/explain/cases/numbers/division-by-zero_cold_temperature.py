import tensorflow as tf

scores = tf.Variable([1.0, 2.0, 0.5])
temperature = 1.0
for epoch in range(4):
    with tf.GradientTape() as tape:
        chances = tf.nn.softmax(scores / temperature)
        loss = -tf.math.log(chances[1] + 1e-9)
    scores.assign_sub(0.1 * tape.gradient(loss, scores))
    temperature = max(temperature - 0.5, 0.0)
