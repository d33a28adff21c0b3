# %% [markdown]
# # Less to keep
#
# `slope(w, batches)` returns the gradient of the sum of all losses with respect to w. The number
# is right, but the tape keeps far too much:
#
# - one tape records all the batches, so it keeps the values of all of them at once;
# - `polished` has nothing to do with w, but it runs in the block, on a batch that the tape
#   watches.
#
# Change it so that each tape keeps at most 2 numbers for each element of a batch (and a few
# more). Change only `slope`; the result must stay the same.
#
# Run `minitape trace ex3_memory.py` in a terminal with 100 columns or more: the last column shows what
# each op keeps. It is right when no tape sees more than one batch, or any op of `polished`.

# %%
import minitape as tf


def polished(batch):
    """Bring a batch into shape: no w in it."""
    centered = batch - tf.reduce_mean(batch)
    return tf.tanh(centered) * tf.exp(-centered * centered)


def loss_of(w, batch):
    return tf.reduce_sum((w * batch) ** 2)

# %%
# TODO
def slope(w, batches):
    total = 0.0
    with tf.GradientTape() as tape:
        tape.watch(batches)
        for batch in batches:
            total += loss_of(w, polished(batch))
    return tape.gradient(total, w)
# END

# %%
w = tf.Variable(2.0)
batches = [tf.linspace(0.0, float(k), 100) for k in range(1, 9)]
print("with respect to w:", round(float(slope(w, batches)), 2))
