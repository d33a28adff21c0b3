# %% [markdown]
# # What must be kept?
#
# To pay its inputs, an op may need values from the forward pass. For each of the six ops below,
# write what the tape must keep:
#
# - `"nothing"` if the slope is the same for all inputs
# - `"inputs"` if the slope is computed from the inputs
# - `"output"` if the slope can be computed from the output, so that the inputs are not needed
#
# If both `"inputs"` and `"output"` work, choose `"output"`, because the next op needs the output anyway.
# Think of the derivative of each op. Can you write the derivative with only the result of the op?
#
# In a terminal with at least 100 columns, `minitape trace ex3_keep.py` shows the answers in the
# last column, next to the word "keeps". Look at it only after you have decided.

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
