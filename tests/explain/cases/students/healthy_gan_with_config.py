from dataclasses import dataclass, field

import tensorflow as tf


@dataclass
class Config:
    rate: float = 0.05
    steps: int = 3
    history: list = field(default_factory=list)


config = Config()
g, d = tf.Variable([0.5, -0.3]), tf.Variable([0.1, 0.2])
real = tf.constant([[1.0, 1.2], [0.9, 1.1]])
bce = tf.nn.sigmoid_cross_entropy_with_logits
for step in range(config.steps):
    noise = tf.random.stateless_normal([2, 2], seed=[step, 7])
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fake = noise * g
        real_logit, fake_logit = tf.linalg.matvec(real, d), tf.linalg.matvec(fake, d)
        d_loss = tf.reduce_mean(
            bce(tf.ones_like(real_logit), real_logit) + bce(tf.zeros_like(fake_logit), fake_logit)
        )
        g_loss = tf.reduce_mean(bce(tf.ones_like(fake_logit), fake_logit))
    d_grad, g_grad = d_tape.gradient(d_loss, d), g_tape.gradient(g_loss, g)
    d.assign_sub(config.rate * d_grad)
    g.assign_sub(config.rate * g_grad)
    config.history.append((float(d_loss), float(g_loss)))
print(config.history[-1])
