# %% [markdown]
# # 2. What the tape writes down
#
# The tape is a list, in the order in which things ran. To answer, it walks that list from the
# end to the beginning, once. Each op gets the cotangent of its output ("so much does the target
# move if I move") and passes on what it owes to each of its inputs.

# %%
import minitape as tf

a = tf.Variable(2.0)
b = tf.Variable(3.0)

# %% [markdown]
# A value that is used twice is paid twice, and the payments add up. Here `total` is used in two
# places, and so are a and b.

# %%
with tf.GradientTape() as tape:
    total = a + b                     # 5
    product = a * b                   # 6
    result = total + product + total * product

da, db = tape.gradient(result, [a, b])
print("result =", result.numpy())
print("by a:", da.numpy())
print("by b:", db.numpy())

# %% [markdown]
# With s = a + b and p = ab the result is s + p + sp. By a it moves by
# 1 (through s) + b (through p) + p + s·b (through sp) = 1 + 3 + 6 + 15 = 25.
#
# Why backwards? Because a payment may go out only when all payments to that value have come in.
# The reverse of the order in which things ran is always such an order: nothing can be used
# before it was made. In `minitape trace lesson.py` you see "(1 of 2)", "(2 of 2)".

# %% [markdown]
# What is not on the way from a source to the target costs nothing: this op is written down, and
# never visited.

# %%
with tf.GradientTape() as tape:
    unused = tf.exp(a)
    y = a * 10.0
print("dy/da =", tape.gradient(y, a).numpy())

# %% [markdown]
# `if` and `while` are Python's. The tape never sees them: it sees the ops of the branch that ran.

# %%
def bent(x):
    return x * x if x > 0.0 else -3.0 * x


for start in (2.0, -2.0):
    x = tf.Variable(start)
    with tf.GradientTape() as tape:
        y = bent(x)
    print("slope at", start, "is", tape.gradient(y, x).numpy())
