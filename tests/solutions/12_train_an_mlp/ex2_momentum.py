# %% [markdown]
# # A ball with momentum
#
# A long narrow valley: steep from side to side, nearly flat along its bottom. With a small step
# the walk along the bottom takes forever; with a big one it jumps from wall to wall.
#
# A heavy ball does better. It has a velocity; each gradient adds to it, and friction reduces it
# a little:
#
#     velocity  ←  friction · velocity + gradient
#     variable  ←  variable - rate · velocity
#
# **Task:** write these two lines in `roll`, for all variables. The velocities are variables too:
# keep them for the next step.
#
# **Given:** plain descent. It ends 0.6 away from the lowest point; the ball should end nearer
# than 0.05.

# %%
import minitape as tf


# TODO
def roll(parameters, gradients, velocities, rate, friction):
    for variable, gradient, velocity in zip(parameters, gradients, velocities):
        velocity.assign(friction * velocity + gradient)
        variable.assign_sub(rate * velocity)


# END

# %%
x, y = tf.Variable(2.0), tf.Variable(1.0)
parameters = [x, y]
velocities = [tf.Variable(0.0), tf.Variable(0.0)]
for step in range(60):
    with tf.GradientTape() as tape:
        height = 0.5 * x**2 + 12.0 * y**2
    roll(parameters, tape.gradient(height, parameters), velocities, 0.02, 0.8)
distance = float(tf.sqrt(x**2 + y**2))
print("distance from the lowest point:", round(distance, 3))
