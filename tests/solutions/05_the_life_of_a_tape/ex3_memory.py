# %% [markdown]
# # Keep less
#
# `slope(w, batches)` returns the gradient of the sum of all losses with respect to `w`. The
# number is correct, but the tape keeps far too much:
#
# - One tape records all the batches, so it keeps the values of all of them at once.
# - `polished` does not use `w`, but it runs in the block,
#   on a batch that the tape watches.
#
# Change `slope` so that each tape keeps at most 2 numbers for each element of a batch, plus a few
# more. Change only `slope`. Its result must stay the same.
#
# Run `minitape trace ex3_memory.py` in a terminal with at least 100 columns. The last column shows what each op
# keeps. Your solution is correct when no tape records more than one batch, and none records an op of `polished`.

# %%
import minitape as tf


def polished(batch):
    """Prepare a batch; this function does not use w."""
    centered = batch - tf.reduce_mean(batch)
    return tf.tanh(centered) * tf.exp(-centered * centered)


def loss_of(w, batch):
    return tf.reduce_sum((w * batch) ** 2)

# %%
# TODO
def slope(w, batches):
    total = 0.0
    for batch in batches:
        ready = polished(batch)
        with tf.GradientTape() as tape:
            loss = loss_of(w, ready)
        total += tape.gradient(loss, w)
    return total
# END

# %%
w = tf.Variable(2.0)
batches = [tf.linspace(0.0, float(k), 100) for k in range(1, 9)]
print("with respect to w:", round(float(slope(w, batches)), 2))
