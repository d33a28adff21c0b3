# %% [markdown]
# # Ward A, patient 3: the early start
#
# A car of 1000 kg drives at some speed. Fuel pays for its energy and for the time on the road.
# How does the price move with the speed? The tape says None.
#
# Fix the block so that `slope(speed)` returns the slope of the price.

# %%
import minitape as tf


# %%
def slope(speed):
    """How the price of a trip moves with the speed; speed is a variable."""
    # TODO
    with tf.GradientTape() as tape:
        energy = 0.5 * speed**2
        hours = 100.0 / speed
        price = 0.25 * energy + 5.0 * hours
    return tape.gradient(price, speed)
    # END


# %%
print("slope:", slope(tf.Variable(10.0)))
