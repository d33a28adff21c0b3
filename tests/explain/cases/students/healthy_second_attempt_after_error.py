import tensorflow as tf

scale = tf.Variable(-0.5)


def log_likelihood(scale):
    if scale <= 0.0:
        raise ValueError(f"scale must be positive, not {float(scale):.2f}")
    return -tf.math.log(scale) - 2.0 / scale


try:
    with tf.GradientTape() as tape:
        value = log_likelihood(scale)
except ValueError as problem:
    print("again:", problem)
    scale.assign(abs(scale))
    with tf.GradientTape() as tape:
        value = log_likelihood(scale)
print(float(value), tape.gradient(value, scale))
