import tensorflow as tf

tf.random.set_seed(6)
logits = tf.Variable([0.2, 0.9, -0.4])
payoff = tf.constant([1.0, 2.0, 5.0])

for temperature in (1.0, 0.7):
    with tf.GradientTape() as tape:
        u = tf.random.uniform([3], minval=0.05, maxval=0.95)
        soft = tf.nn.softmax((logits - tf.math.log(-tf.math.log(u))) / temperature)
        hard = tf.one_hot(tf.argmax(soft), 3)
        choice = tf.stop_gradient(hard - soft) + soft
        reward = tf.reduce_sum(choice * payoff)
    logits.assign_add(0.1 * tape.gradient(reward, logits))
    print(int(tf.argmax(choice)), float(reward))
