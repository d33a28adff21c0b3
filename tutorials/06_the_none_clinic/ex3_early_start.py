# %% [markdown]
# # Ward A, patient 3: the early start
#
# A car of 1000 kg drives at some speed. The price of the trip covers the energy and the time on
# the road. How does the price change with the speed? The tape returns None.
#
# Fix the block so that `slope(speed)` returns the derivative of the price.

# %%
import minitape as tf


# %%
def slope(speed):
    """Return how the price of a trip changes with the speed, which is a variable."""
    # TODO
    energy = 0.5 * speed**2
    hours = 100.0 / speed
    with tf.GradientTape() as tape:
        price = 0.25 * energy + 5.0 * hours
    return tape.gradient(price, speed)
    # END


# %%
print("slope:", slope(tf.Variable(10.0)))
