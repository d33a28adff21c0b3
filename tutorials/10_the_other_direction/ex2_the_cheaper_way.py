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
    slopes = []
    for i in range(24):
        with tf.autodiff.ForwardAccumulator(x, tf.one_hot(i, 24)) as forward:
            y = energy(x)
        slopes.append(forward.jvp(y))
    return tf.stack(slopes)


def orbit_slopes(t):
    """How each of the 24 positions moves with the constant t."""
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(t)
        y = orbit(t)
    return tf.stack([tape.gradient(y, t, output_gradients=tf.one_hot(i, 24)) for i in range(24)])


# END

# %%
print("energy:", energy_slopes(tf.ones([24])).numpy()[:3])
print("orbit: ", orbit_slopes(tf.constant(1.0)).numpy()[:3])
