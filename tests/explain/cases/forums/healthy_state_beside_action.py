import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.random.set_seed(1)
actor = tf.keras.Sequential([layers.Dense(10, activation="relu"), layers.Dense(1, activation="tanh")])
critic = tf.keras.Sequential([layers.Dense(10, activation="relu"), layers.Dense(1)])
obs = np.linspace(-1, 1, 12).reshape(4, 3).astype("float32")
rew = np.ones((4, 1), "float32")
old_actions = np.zeros((4, 1), "float32") + 0.3
actor(obs)
critic(np.hstack([obs, old_actions]))
c_opt, a_opt = tf.keras.optimizers.SGD(0.01), tf.keras.optimizers.SGD(0.01)


def update_critic():
    with tf.GradientTape() as t:
        q = critic(np.hstack([obs, old_actions]))
        c_loss = tf.reduce_mean(tf.square(rew - q))
    g = t.gradient(c_loss, critic.trainable_weights)
    c_opt.apply_gradients(zip(g, critic.trainable_weights))


def update_actor():
    with tf.GradientTape() as t:
        mu = actor(obs)
        joint = tf.concat([obs, mu], axis=1)
        a_loss = -tf.reduce_mean(critic(joint))
    return t.gradient(a_loss, actor.trainable_weights)


update_critic()
print(update_actor())
