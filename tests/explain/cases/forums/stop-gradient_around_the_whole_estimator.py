import numpy as np
import tensorflow as tf

logits = tf.Variable([[0.2, 1.1, -0.4]], name="logits")
payoff = tf.constant([[1.0], [3.0], [0.5]])
noise = -np.log(-np.log(np.random.RandomState(1).uniform(size=(1, 3)))).astype("float32")


def gumbel_hard(lg, tau=0.7):
    y = tf.nn.softmax((lg + noise) / tau)
    hard = tf.one_hot(tf.argmax(y, axis=-1), y.shape[-1])
    return tf.stop_gradient(hard - y + y)


with tf.GradientTape() as tape:
    pick = gumbel_hard(logits)
    reward = tf.reduce_sum(pick @ payoff)
print(reward.numpy(), tape.gradient(reward, logits))
