# %% [markdown]
# # One of three rules is wrong
#
# Here are three ops, each with its own rule. `alone` compares each rule with central differences
# at 2 and finds no mistake. Nevertheless, the gradients are wrong in a real program.
#
# **Task:** Find the wrong rule, and fix it. Do not change any value, because only the rule is wrong.
#
# **Given:** `alone`, which tests an op as the last op of the program. Which number can a rule
# ignore there without any effect? `minitape check ex3_which_rule_lies.py` can help you as soon as
# you use the ops in the middle of a program.

# %%
import minitape as tf


# TODO
@tf.custom_gradient
def square(x):
    def rule(ybar):
        return ybar * 2.0 * x

    return x * x, rule


@tf.custom_gradient
def inverse(x):
    y = 1.0 / x

    def rule(ybar):
        return -ybar * y * y

    return y, rule


@tf.custom_gradient
def growth(x):
    y = tf.exp(x)

    def rule(ybar):
        return y * ybar

    return y, rule


# END

# %%
def alone(op, at=2.0, h=1e-5):
    x, step = tf.constant(at, tf.float64), tf.constant(h, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = op(x)
    by_steps = (op(x + step) - op(x - step)) / (2.0 * step)
    return float(tape.gradient(y, x)), float(by_steps)


for op in (square, inverse, growth):
    by_rule, by_steps = alone(op)
    print(f"by rule {by_rule:.6f}   by differences {by_steps:.6f}")
