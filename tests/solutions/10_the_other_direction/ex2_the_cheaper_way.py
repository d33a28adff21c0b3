# %% [markdown]
# # The cheaper direction
#
# Here are two functions, and for each of them a slow way to compute its derivatives. Both results
# are correct, but both functions go in the wrong direction.
#
# - `energy` has 24 inputs and 1 output. `energy_slopes` makes 24 forward passes, one for each input.
# - `orbit` has 1 input and 24 outputs. `orbit_slopes` makes 24 backward passes through one tape.
#
# Reverse the direction of both. The first function should run only a few ops, and the second should open no tape.

# %%
import minitape as tf

springs = tf.linspace(0.5, 1.5, 24)


def energy(x):
    """Return the energy of 24 springs: one number."""
    return tf.reduce_sum(springs * x**2)


def orbit(t):
    """Return the positions of 24 planets at time t."""
    return tf.sin(springs * t)


# %%
# TODO
def energy_slopes(x):
    """Return how the energy changes with each of the 24 numbers in the constant x."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = energy(x)
    return tape.gradient(y, x)


def orbit_slopes(t):
    """Return how each of the 24 positions changes with the constant t."""
    with tf.autodiff.ForwardAccumulator(t, tf.constant(1.0)) as forward:
        y = orbit(t)
    return forward.jvp(y)


# END

# %%
print("energy:", energy_slopes(tf.ones([24])).numpy()[:3])
print("orbit: ", orbit_slopes(tf.constant(1.0)).numpy()[:3])
