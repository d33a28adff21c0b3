# %% [markdown]
# # A loss that survives large numbers
#
# A classifier returns a score z, positive for yes. Its loss for a picture whose answer *is* yes is
#
#     loss(z) = log(1 + exp(-z))
#
# At z = -100 (very sure, and wrong) this program returns inf, and its gradient is nan.
#
# **Task:** make `loss` return the correct value and gradient from -300 to 300. Use
# `tf.custom_gradient`, other ops, or both; but not a ready-made softplus or cross entropy.
#
# **Given:** far to the left, log(1 + exp(-z)) is -z plus a tiny rest. Write it with numbers that
# cannot become large.

# %%
import minitape as tf


# TODO
@tf.custom_gradient
def loss(z):
    # log(1 + e^-z) = max(-z, 0) + log(1 + e^-|z|), and e^-|z| never grows beyond 1
    value = tf.maximum(-z, 0.0) + tf.math.log1p(tf.exp(-tf.abs(z)))

    def rule(ybar):
        return -ybar * tf.sigmoid(-z)

    return value, rule


# END

# %%
for at in (-100.0, -1.0, 0.0, 100.0):
    z = tf.Variable(at)
    with tf.GradientTape() as tape:
        y = loss(z)
    print("z =", at, " loss =", y.numpy(), " slope =", tape.gradient(y, z))
