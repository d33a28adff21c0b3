# %% [markdown]
# # Swapped labels
#
# An old manual page asks a persistent tape twice and prints these lines:
#
#     dy_dx 108.0
#     dz_dx 6.0
#
# For `x = 3`, y = x² and z = y², this cannot be correct, because dy/dx is 2x. A copy of this code
# uses the vector [1, 3], but one of its comments still says that the result is 108.0.
#
# Fix `both(x)`. It should return a dictionary with "dy_dx" and "dz_dx", each under its correct
# name, for a tensor `x` of any shape. Also fix the comments, or remove them.
#
# Your solution is correct when the first line shows 6 and 108, and the second line shows [2. 6.] and [4. 108.].

# %%
import minitape as tf

# %%
# TODO
def both(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    dy_dx = tape.gradient(z, x)  # 108.0
    dz_dx = tape.gradient(y, x)  # 6.0
    return {"dy_dx": dy_dx, "dz_dx": dz_dx}
# END

# %%
for x in (tf.constant(3.0), tf.constant([1.0, 3.0])):
    answer = both(x)
    print("dy/dx", answer["dy_dx"], " dz/dx", answer["dz_dx"])
