import numpy as np
import tensorflow as tf


class QNet(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[0.2, -0.1], [0.4, 0.3]])

    def __call__(self, state):
        return state @ self.w


online, frozen = QNet(), QNet()
rng = np.random.default_rng(0)
for step in range(4):
    state = rng.normal(size=(3, 2)).astype(np.float32)
    action = tf.argmax(online(state), axis=1)
    reward = rng.normal(size=3).astype(np.float32)
    target = reward + 0.9 * tf.reduce_max(frozen(state[::-1]), axis=1)
    with tf.GradientTape() as tape:
        chosen = tf.reduce_sum(online(state) * tf.one_hot(action, 2), axis=1)
        loss = tf.reduce_mean((target - chosen) ** 2)
    online.w.assign_sub(0.1 * tape.gradient(loss, online.w))
    if step % 2 == 1:
        frozen.w.assign(online.w)
print(online.w.numpy())
