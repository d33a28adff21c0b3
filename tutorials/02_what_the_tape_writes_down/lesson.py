# %% [markdown]
# # 2. What the tape writes down
#
# A tape is a list: one entry for each op, in the order in which they ran. To answer, it walks
# that list once, from the end to the beginning. That is all. This lesson is that list.

# %%
import minitape as tf

# %% [markdown]
# ## See
#
# Two numbers, and a result in which each part is used more than once. Work out dresult/da on paper
# first, at a = 2 and b = 3. It takes a minute, and it is worth it.

# %%
a = tf.Variable(2.0)
b = tf.Variable(3.0)

with tf.GradientTape() as tape:
    total = a + b                     # 5
    product = a * b                   # 6
    result = total + product + total * product

da, db = tape.gradient(result, [a, b])
print("result =", result.numpy())
print("with respect to a:", da.numpy())
print("with respect to b:", db.numpy())

# %% [markdown]
# ## Look: the way down
#
# `minitape trace lesson.py --call 1` prints the list. The first half is what was written down:
# five entries, one for each + and * in the block. The variables are not entries, because they
# existed before. Next to an entry you see what it *keeps*: a product will need both factors
# in the backward pass, a sum needs nothing. (This column needs a terminal
# that is at least 100 columns wide.)

# %% [markdown]
# ## Look: the backward pass
#
# The second half of the output is the backward pass: the tape walks its list backwards. It starts
# with result, whose derivative with respect to itself is 1. Then each entry, the last one first, receives a
# number: "the result moves this much if your output moves". It pays a share of this number to each
# of its inputs. A sum passes the number on to both inputs. A product pays to each factor the number times the *other* factor.
#
#     #5  +   gets 1     pays 1 to #3, 1 to #4
#     #4  ·   gets 1     pays 6 to total, 5 to product      (the other factor!)
#     #3  +   gets 1     pays 1 to total, 1 to product
#     #2  ·   gets 5+1   pays 18 to a, 12 to b
#     #1  +   gets 6+1   pays 7 to a, 7 to b
#
# `minitape step lesson.py` goes through it step by step. picture.svg shows all of it at once.

# %% [markdown]
# ## Payments add up
#
# total is used in two places, so two payments come in: 6 and 1. A move of total moves the result
# through both, and the two moves add up. The payments to a add up too: 18 + 7 = 25.
#
# You can look at a single payment. Give each use its own name, with `tf.identity`, and ask for
# each. Predict: which of the two is 18?

# %%
with tf.GradientTape() as tape:
    a_in_total = tf.identity(a)
    a_in_product = tf.identity(a)
    total = a_in_total + b
    product = a_in_product * b
    result = total + product + total * product

through_total, through_product = tape.gradient(result, [a_in_total, a_in_product])
print("through total:", through_total.numpy(), " through product:", through_product.numpy())

# %% [markdown]
# ## Why from the end?
#
# An entry can pay only after it has received all its payments. #2 has to wait for #4 *and* for #3. If you go
# through the list from the end, this is always true: an op that uses a value comes later in the list
# than the value, so all its payments have arrived. No search, no recursion, each entry once.

# %% [markdown]
# ## What is not on the path
#
# The backward pass skips an entry that receives no payment. Here, exp is recorded but never visited.

# %%
with tf.GradientTape() as tape:
    unused = tf.exp(a)
    y = a * 10.0
print("dy/da =", tape.gradient(y, a).numpy())

# %% [markdown]
# ## Nothing stays in the variables
#
# In some libraries a gradient is stored in the variable, and the next one is added to it unless
# you set it back to zero. Here the tape returns it, and that is all. Three iterations, the
# same number three times; there is nothing to reset.

# %%
for turn in range(3):
    with tf.GradientTape() as tape:
        y = a * b
    print("round", turn, "dy/da =", tape.gradient(y, a).numpy())

# %% [markdown]
# ## What to take home
#
# - The tape is a list of ops in the order in which they ran.
# - The backward pass visits each once, the last one first.
# - A value that is used n times gets n payments, and they add up.
# - For this, some ops keep their inputs, some keep their output, and some keep nothing.
#
# Four exercises are waiting: `minitape lesson run 02/ex1`.
