# %% [markdown]
# # The cheaper way
#
# Two functions, and two clumsy ways to get their slopes. Both answers are right, but both
# go in the wrong direction.
#
# - `energy` has 24 inputs and 1 output. `energy_slopes` makes 24 forward passes, one per input.
# - `orbit` has 1 input and 24 outputs. `orbit_slopes` makes 24 backward passes through one tape.
#
# Turn both around. The first should run only a few ops. The second should open no tape.

# %%
import minitape as tf

springs = tf.linspace(0.5, 1.5, 24)


def energy(x):
    """The energy of 24 springs: one number."""
    return tf.reduce_sum(springs * x**2)


def orbit(t):
    """The positions of 24 planets at time t."""
    return tf.sin(springs * t)


# %%
# TODO
def energy_slopes(x):
    """How the energy moves with each of the 24 numbers in the constant x."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = energy(x)
    return tape.gradient(y, x)


def orbit_slopes(t):
    """How each of the 24 positions moves with the constant t."""
    with tf.autodiff.ForwardAccumulator(t, tf.constant(1.0)) as forward:
        y = orbit(t)
    return forward.jvp(y)


# END

# %%
print("energy:", energy_slopes(tf.ones([24])).numpy()[:3])
print("orbit: ", orbit_slopes(tf.constant(1.0)).numpy()[:3])
