import numpy as np
import tensorflow as tf

growth = tf.Variable(0.4)
population = tf.constant(0.1)
observed = np.array([0.1, 0.13, 0.17, 0.22], dtype=np.float32)

with tf.GradientTape() as tape:
    history = np.array([0.1], dtype=np.float32)
    for _ in range(3):
        population = population + growth * population * (1.0 - population)
        history = np.append(history, population)
    loss = tf.reduce_mean((history - observed) ** 2)

print("loss", loss.numpy(), "gradient", tape.gradient(loss, growth))
