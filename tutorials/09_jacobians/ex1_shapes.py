# %% [markdown]
# # Shapes first
#
# Four examples with three inputs go through a layer with two outputs. Before you run the program,
# predict the shape of each Jacobian. A shape is a tuple, such as (4, 2).
#
# Replace the dots with your answers.

# %%
import minitape as tf

# %%
# TODO
by_kernel = ...     # tape.jacobian(y, kernel)
by_bias = ...       # tape.jacobian(y, bias)
by_scale = ...      # tape.jacobian(y, scale), where the scale is a single number
total = ...         # tape.jacobian(tf.reduce_sum(y), kernel), as the program computes it
in_a_batch = ...    # tape.batch_jacobian(y, x)
# END

# %%
x = tf.ones([4, 3])
kernel = tf.Variable(tf.ones([3, 2]))
bias = tf.Variable(tf.zeros([2]))
scale = tf.Variable(1.0)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = scale * (x @ kernel + bias)
    summed = tf.reduce_sum(y)
tables = {
    "by_kernel": tape.jacobian(y, kernel),
    "by_bias": tape.jacobian(y, bias),
    "by_scale": tape.jacobian(y, scale),
    "total": tape.jacobian(summed, kernel),
    "in_a_batch": tape.batch_jacobian(y, x),
}
shapes = {name: tuple(table.shape) for name, table in tables.items()}

# %%
for name, said in zip(shapes, (by_kernel, by_bias, by_scale, total, in_a_batch)):
    print(name, "- enter your answer first" if said is ... else f"- you: {said}, the tape: {shapes[name]}")
