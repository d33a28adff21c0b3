# %% [markdown]
# # What must be kept?
#
# To pay its inputs, an op may need values from the forward pass. Say for each of the six what
# the tape must keep for it:
#
# - "nothing": its slope is the same for all inputs
# - "inputs":  its slope is computed from its inputs
# - "output":  its slope can be computed from its output, so the inputs are not needed
#
# If both work, choose "output": the next op needs the output anyway. Think of the derivative
# of each op. Can you write it with the result of the op alone?
#
# `minitape trace ex3_keep.py` shows it in the last column, next to the word keeps, in a terminal
# with 100 columns or more: look there after you have decided.

# %%
import minitape as tf

# %%
# TODO
keeps = {
    "a + b": "...",
    "a * b": "...",
    "-a": "...",
    "sin(a)": "...",
    "exp(a)": "...",
    "sigmoid(a)": "...",
}
# END

# %%
a, b = tf.Variable(0.5), tf.Variable(2.0)
with tf.GradientTape() as tape:
    results = {
        "a + b": a + b,
        "a * b": a * b,
        "-a": -a,
        "sin(a)": tf.sin(a),
        "exp(a)": tf.exp(a),
        "sigmoid(a)": tf.sigmoid(a),
    }
print("the sum of all slopes with respect to a:", tape.gradient(results, a).numpy())
