# %% [markdown]
# # The wrong label
#
# Let y = x · x and z = y · y. In an old notebook, the last line of `slopes` had the label "dz_dx". At `x = 3`,
# that line returns 18, but dz/dx is 4x³ = 108. The answer of the tape is correct, but the label is wrong.
#
# Fix `slopes(x)`. It should return a dictionary with both derivatives, each under its correct name:
#
#     {"dz_dx": ..., "dz_dy": ...}
#
# A tape returns only one answer, so ask for both derivatives at once. `x` is a tensor, not a variable.
#
# Your solution is correct when the file prints 108 for `dz_dx` and 18 for `dz_dy`.

# %%
import minitape as tf

# %%
# TODO
def slopes(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return {"dz_dx": tape.gradient(z, y)}
# END

# %%
for name, slope in slopes(tf.constant(3.0)).items():
    print(name, slope)
