# %% [markdown]
# # Where payments meet
#
# At `a = 2`, the program below computes
#
#     u = a · a = 4      v = u + a = 6      y = u · v + u = 28
#
# `u` is used three times, so it receives three payments: from the product u · v, from the `+ u`
# at the end of `y`, and from `v`.
#
# Work out these values on paper:
#
# - `to_u`: the three payments to `u`, in this order: [from the product, from the end, from `v`]
# - `by_a`: the gradient of `y` with respect to `a`
#
# Your answers are correct when the two printed lines agree.

# %%
import minitape as tf

# %%
# TODO
to_u = [6.0, 1.0, 4.0]
by_a = 48.0
# END

# %% [markdown]
# Each use of `u` gets its own name, so that we can ask the tape for the gradient of each use.

# %%
a = tf.Variable(2.0)
with tf.GradientTape() as tape:
    u = a * a
    u_in_product = tf.identity(u)
    u_at_the_end = tf.identity(u)
    u_in_v = tf.identity(u)
    v = u_in_v + a
    y = u_in_product * v + u_at_the_end

paid = tape.gradient(y, [u_in_product, u_at_the_end, u_in_v, a])

if to_u is ... or by_a is ...:
    print("enter your four numbers first")
else:
    print("you said      ", to_u, by_a)
    print("the tape says ", [float(each) for each in paid[:3]], float(paid[3]))
