import logging

import tensorflow as tf

logger = logging.getLogger("bridge")
load = tf.Variable(2.5)
stiffness = tf.Variable(40.0)
verbose = True

with tf.GradientTape() as tape:
    bend = load**3 / 48.0
    if verbose:
        logger.info("stiffness is about %d", int(stiffness))
    damage = bend * 0.5

print(tape.gradient(damage, [load, stiffness]))
