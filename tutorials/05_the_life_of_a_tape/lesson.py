# %% [markdown]
# # 5. The life of a tape
#
# A tape remembers numbers that the walk back will need, and that costs memory. So it gives one
# answer, lets go of everything on the way, and is used up.

# %%
import minitape as tf

x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
    z = y * y

print("dz/dx =", tape.gradient(z, x).numpy())
try:
    tape.gradient(y, x)
except RuntimeError:
    print("the second question: RuntimeError")

# %% [markdown]
# A persistent tape keeps what it knows and answers again: dz/dx = 4x³ = 108, dy/dx = 2x = 6.

# %%
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
    z = y * y

print("dz/dx =", tape.gradient(z, x).numpy())
print("dy/dx =", tape.gradient(y, x).numpy())

# %% [markdown]
# It keeps it for as long as the tape lives. `del tape` lets go.

# %%
del tape

# %% [markdown]
# With a vector the same slopes come out, one for each entry.

# %%
x = tf.constant([1.0, 3.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
    z = y * y

print("dz/dx =", tape.gradient(z, x).numpy())
print("dy/dx =", tape.gradient(y, x).numpy())

# %% [markdown]
# Not everything is kept, even so: `minitape trace lesson.py` says what each op keeps. A product
# needs both factors. A sum needs nothing.
