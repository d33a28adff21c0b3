# %% [markdown]
# # Which shape?
#
# The program below is a layer with a scale and a bias, applied to a batch of four rows. Its
# target is all of `y`, not a single number.
#
# Predict the shape of the gradient for each of the five sources. A shape is a tuple, such as
# (4, 3), (2,) for one axis of length 2, or () for a single number.
#
# Your answers are correct when each line shows the same shape twice.

# %%
import minitape as tf

# %%
# TODO
by_x = ...
by_w = ...
by_b = ...
by_scale = ...
by_temperature = ...
# END

# %%
x = tf.Variable(tf.ones([4, 3]))
w = tf.Variable(tf.ones([3, 2]))
b = tf.Variable([0.5, -0.5])
scale = tf.Variable([[1.0], [2.0], [3.0], [4.0]])     # one number for each row
temperature = tf.Variable(2.0)

with tf.GradientTape() as tape:
    y = tf.nn.sigmoid((x @ w + b) * scale / temperature)

slopes = tape.gradient(y, [x, w, b, scale, temperature])

said = [by_x, by_w, by_b, by_scale, by_temperature]
print("y has the shape", tuple(y.shape))
if any(each is ... for each in said):
    print("enter your five shapes first")
else:
    names = ["x", "w", "b", "scale", "temperature"]
    for name, yours, slope in zip(names, said, slopes):
        print("with respect to", name, "you said", yours, "and it is", tuple(slope.shape))
