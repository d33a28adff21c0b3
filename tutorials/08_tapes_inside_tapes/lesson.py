# %% [markdown]
# # 8. Tapes inside tapes
#
# The walk back is made of ops like any others. So a second tape around it can record it, and
# differentiate the gradient.

# %%
import minitape as tf

# %%
x = tf.constant(3.0)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = x * x
    dy_dx = inner.gradient(y, x)        # inside the outer block
print("dy/dx =", dy_dx.numpy())
print("d²y/dx² =", outer.gradient(dy_dx, x).numpy())

# %% [markdown]
# Each tape watches for itself. Here only the inner one was told to watch x, and the outer one has
# nothing to say. (Old manuals promise 2.0 here. That was true in 2018.)

# %%
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = x * x
    dy_dx = inner.gradient(y, x)
print("dy/dx =", dy_dx.numpy())
print("d²y/dx² =", outer.gradient(dy_dx, x))

# %% [markdown]
# A variable is watched by both.

# %%
x = tf.Variable(1.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x * x
    dy_dx = inner.gradient(y, x)
print("dy/dx =", dy_dx.numpy())
print("d²y/dx² =", outer.gradient(dy_dx, x).numpy())

# %% [markdown]
# Two tapes side by side do not know of each other.

# %%
x0 = tf.constant(0.0)
x1 = tf.constant(0.0)
with tf.GradientTape() as first, tf.GradientTape() as second:
    first.watch(x0)
    second.watch(x1)
    y = tf.math.sin(x0) + tf.nn.sigmoid(x1)
print("cos(0) =", first.gradient(y, x0).numpy())
print("the slope of sigmoid at 0 =", second.gradient(y, x1).numpy())
