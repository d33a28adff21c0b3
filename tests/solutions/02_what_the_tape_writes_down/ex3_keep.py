# %% [markdown]
# # What has to be kept?
#
# To pay its inputs, an op may need numbers from the way down. Say for each of the six what the
# tape has to keep for it:
#
# - "nothing": its slope is the same, whatever went in
# - "inputs":  its slope is computed from what went in
# - "output":  its slope can be computed from what came out, and the input may go
#
# Where both would do, "output" is the one to choose: the output is needed by the next op anyway.
# Think of the derivative of each. Can you write it with the result of the op alone?
#
# `minitape trace ex3_keep.py` has it in the last column, beside the word keeps, in a terminal of
# 100 letters or more: look there after you have decided.

# %%
import minitape as tf

# %%
# TODO
keeps = {
    "a + b": "nothing",
    "a * b": "inputs",
    "-a": "nothing",
    "sin(a)": "inputs",
    "exp(a)": "output",
    "sigmoid(a)": "output",
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
print("the sum of all slopes by a:", tape.gradient(results, a).numpy())
