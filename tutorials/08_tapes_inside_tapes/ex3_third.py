# %% [markdown]
# # One more derivative
#
# With two tapes, you get the second derivative. Make `third(x)` return the third derivative of
# y = x² · sin(x) at the variable `x`. At 1, the third derivative is -2.3473.

# %%
import minitape as tf


def f(x):
    return x * x * tf.sin(x)


# %%
def third(x):
    """Return the third derivative of f at the variable x."""
    # TODO
    with tf.GradientTape() as middle:
        with tf.GradientTape() as inner:
            y = f(x)
        slope = inner.gradient(y, x)
    return middle.gradient(slope, x)
    # END


# %%
print("third derivative at 1:", third(tf.Variable(1.0)))
