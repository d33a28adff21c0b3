# %% [markdown]
# # Zero times the log of zero
#
# The entropy of a list of probabilities is the sum of -p · log p. An outcome that never happens
# has p = 0 and contributes nothing, so this program excludes it with `tf.where`. The value is
# correct, but the gradient contains a nan.
#
# **Task:** Repair `entropy`. For each p > 0, the gradient is -log p - 1, as before. For p = 0,
# the gradient is 0, because this term is excluded. Do not change the probabilities: if you add a
# small number to each of them, you compute a different entropy.

# %%
import minitape as tf


# TODO
def entropy(p):
    inside = tf.where(p > 0.0, p, 1.0)
    terms = tf.where(p > 0.0, -p * tf.math.log(inside), 0.0)
    return tf.reduce_sum(terms)


# END

# %%
p = tf.Variable([0.5, 0.5, 0.0])
with tf.GradientTape() as tape:
    h = entropy(p)
print("entropy: ", h.numpy())
print("gradient:", tape.gradient(h, p))
