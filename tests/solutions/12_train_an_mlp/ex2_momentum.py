# %% [markdown]
# # A ball with momentum
#
# A long, narrow valley is steep from side to side and nearly flat along its bottom. With a small rate, descent
# along the bottom takes a long time. With a large rate, the point jumps from one side of the valley to the other.
#
# A heavy ball does better. It has a velocity. Each gradient
# changes the velocity, and friction reduces it a little:
#
#     velocity  ←  friction · velocity + gradient
#     variable  ←  variable - rate · velocity
#
# **Task:** Write these two lines in `roll`, for all variables. The velocities are variables too,
# so that the next step can use them.
#
# **Given:** plain gradient descent. It ends at a distance of 0.6 from the lowest point. The ball
# should end at a distance of less than 0.05.

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
