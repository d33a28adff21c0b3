# %% [markdown]
# # 7. Pause, rewind, cut
#
# Three ways to keep something off the tape.

# %%
import minitape as tf

x = tf.Variable(2.0)
y = tf.Variable(3.0)

# %% [markdown]
# ## Pause
#
# What runs under `stop_recording` is computed and not written down.

# %%
with tf.GradientTape() as tape:
    x_squared = x * x
    with tape.stop_recording():
        y_squared = y * y
    z = x_squared + y_squared

slopes = tape.gradient(z, {"x": x, "y": y})
print("dz/dx:", slopes["x"].numpy())
print("dz/dy:", slopes["y"])

# %% [markdown]
# A persistent tape that is asked inside its own block writes down the walk back, too. A pause
# keeps that off the tape.

# %%
with tf.GradientTape(persistent=True) as tape:
    y_cubed = y * y * y
    with tape.stop_recording():
        slope = tape.gradient(y_cubed, y)
print("slope:", slope.numpy())
print("its slope:", tape.gradient(slope, y))

# %% [markdown]
# ## Rewind
#
# `reset` forgets everything, as if the tape had just been opened.

# %%
reset = True
with tf.GradientTape() as tape:
    y_squared = y * y
    if reset:
        tape.reset()
    z = x * x + y_squared

slopes = tape.gradient(z, {"x": x, "y": y})
print("dz/dx:", slopes["x"].numpy())
print("dz/dy:", slopes["y"])

# %% [markdown]
# It forgets what you asked it to watch as well.

# %%
c = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(c)
    tape.reset()
    z = c * c
print("after reset:", tape.gradient(z, c))

# %% [markdown]
# ## Cut
#
# `stop_gradient` passes the number on and cuts its history, on every tape.

# %%
with tf.GradientTape() as tape:
    z = x * x + tf.stop_gradient(y * y)

slopes = tape.gradient(z, {"x": x, "y": y})
print("dz/dx:", slopes["x"].numpy())
print("dz/dy:", slopes["y"])
