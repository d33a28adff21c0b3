# %% [markdown]
# # What is the order?
#
# The program below computes four values, `u`, `v`, `w` and `y`, and asks for the gradient of `y`.
#
# In which order does the backward pass visit these values? Write their names into `order`. The
# backward pass visits the target first.
#
# Your answer is correct when the two printed lines are the same.

# %%
import minitape as tf

# %%
# TODO
order = ["y", "w", "v", "u"]
# END

# %% [markdown]
# `spy` returns its value unchanged. In the backward pass, it appends its name to `visited`.

# %%
visited = []


def spy(name, value):
    @tf.custom_gradient
    def hand_through(value):
        def back(payment):
            visited.append(name)
            return payment

        return tf.identity(value), back

    return hand_through(value)


# %%
a = tf.Variable(2.0)
with tf.GradientTape() as tape:
    u = spy("u", a * a)
    v = spy("v", u + a)
    w = spy("w", u * v)
    y = spy("y", w + v)
tape.gradient(y, a)

if order is ...:
    print("enter your four names first")
else:
    print("you said", order)
    print("visited ", visited)
