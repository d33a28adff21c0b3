# %% [markdown]
# # The wrong label
#
# y = x · x and z = y · y. In an old notebook the line below had the comment "dz_dx". At x = 3 it
# returns 18, and dz/dx is 4x³ = 108. The tape is right; the label is not.
#
# Fix `slopes(x)`: it should return a dictionary with both, each under its right name,
#
#     {"dz_dx": ..., "dz_dy": ...}
#
# A tape gives one answer, so ask for both at once. x is a tensor, not a variable.
#
# It is right when it prints 108 for dz_dx and 18 for dz_dy.

# %%
import minitape as tf

# %%
# TODO
def slopes(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return tape.gradient(z, {"dz_dx": x, "dz_dy": y})
# END

# %%
for name, slope in slopes(tf.constant(3.0)).items():
    print(name, slope)
