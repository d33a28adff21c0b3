# %% [markdown]
# # Which shape?
#
# A layer with a scale and a bias, on a batch of four rows. The target is not a number but all
# of y.
#
# Predict the shape of the gradient for each of the five. A shape is a tuple: (4, 3), (2,) for one
# axis of two, () for a single number.
#
# It is right when each line shows the same shape twice.

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
    print("your five shapes first")
else:
    names = ["x", "w", "b", "scale", "temperature"]
    for name, yours, slope in zip(names, said, slopes):
        print("by", name, "you said", yours, "and it is", tuple(slope.shape))
