# %% [markdown]
# # A loss that works for large numbers
#
# A classifier returns a score `z`, which is positive for yes. For a picture whose answer *is* yes, the loss is
#
#     loss(z) = log(1 + exp(-z))
#
# At z = -100, the classifier is very sure but wrong. There, this program returns inf, and its gradient is nan.
#
# **Task:** Make `loss` return the correct value and gradient from -300 to 300. Use
# `tf.custom_gradient`, other ops, or both, but do not use a ready-made softplus or cross entropy.
#
# **Given:** For very negative `z`, log(1 + exp(-z)) is -z plus a tiny remainder. Write this with
# numbers that cannot become large.

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
    print("z =", at, " loss =", y.numpy(), " derivative =", tape.gradient(y, z))
