# %% [markdown]
# # 2. What the tape writes down
#
# A tape is a list with one entry for each op, in the order in which the ops ran. To compute a
# gradient, the tape walks this list once, from the end to the beginning. This lesson shows the list.

# %%
import minitape as tf

# %% [markdown]
# ## See
#
# The example has two numbers and a result that uses each part more than once. First work out
# dresult/da on paper, for `a = 2` and `b = 3`. It takes a minute, and it is worth the effort.

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
# ## Look: the forward pass
#
# `minitape trace lesson.py --call 1` prints the list. The first half shows what the tape
# recorded: five entries, one for each `+` and `*` in the block. The variables are not entries,
# because they existed before. Next to each entry you see what it *keeps*: a product needs both
# factors in the backward pass, and a sum needs nothing. (The column with the kept values appears
# only if your terminal is at least 100 columns wide.)

# %% [markdown]
# ## Look: the backward pass
#
# The second half of the output is the backward pass, in which the tape walks its list backwards. It starts with
# `result`, whose derivative with respect to itself is 1. Then each entry, the last one first, receives a
# number: how much the result changes when the output of the entry changes. From this number, the entry pays its
# inputs. A sum pays the number to both inputs. A product pays each factor the number times the *other* factor.
#
#     #5  +   gets 1     pays 1 to #3, 1 to #4
#     #4  ·   gets 1     pays 6 to total, 5 to product      (the other factor!)
#     #3  +   gets 1     pays 1 to total, 1 to product
#     #2  ·   gets 5+1   pays 18 to a, 12 to b
#     #1  +   gets 6+1   pays 7 to a, 7 to b
#
# `minitape step lesson.py` shows this pass step by step. The file `picture.svg` shows all of it at once.

# %% [markdown]
# ## Payments add up
#
# `total` is used in two places, so it receives two payments: 6 and 1. A change of `total` changes the
# result along both paths, and the two changes add up. The payments to `a` add up too: 18 + 7 = 25.
#
# You can also look at a single payment. Use `tf.identity` to give each use its own name, and ask
# for the gradient with respect to each name. Predict which of the two is 18.

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
# through the list from the end, every entry has its payments in time, because an op that uses a value comes
# later in the list than the value. You need no search and no recursion, and you visit each entry once.

# %% [markdown]
# ## What is not on the path
#
# The backward pass skips an entry that receives no payment, such as `tf.exp(a)` in this block.

# %%
with tf.GradientTape() as tape:
    unused = tf.exp(a)
    y = a * 10.0
print("dy/da =", tape.gradient(y, a).numpy())

# %% [markdown]
# ## Nothing stays in the variables
#
# In some libraries, a variable stores its gradient, and the next gradient is added to it unless
# you reset it to zero. Here, the tape returns the gradient and stores nothing. The loop below
# prints the same number three times, and there is nothing to reset.

# %%
for turn in range(3):
    with tf.GradientTape() as tape:
        y = a * b
    print("iteration", turn, "dy/da =", tape.gradient(y, a).numpy())

# %% [markdown]
# ## What to take home
#
# - The tape is a list of ops in the order in which they ran.
# - The backward pass visits each op once, the last one first.
# - A value that is used n times receives n payments, and the payments add up.
# - For the backward pass, some ops keep their inputs, some keep their output, and some keep nothing.
#
# Four exercises are waiting. Start with `minitape lesson run 02/ex1`.
