# %% [markdown]
# # One of three rules lies
#
# Three ops, each with its own rule. `alone` compares each with central differences at 2 and
# finds no mistake. In a real program the gradients are wrong nevertheless.
#
# **Task:** find the rule that lies, and fix it. Change no value: only the rule is wrong.
#
# **Given:** `alone`. It tests an op as the last one of the program. Which number can a rule
# forget there without any effect? `minitape check ex3_which_rule_lies.py` may help, once you
# use the ops in the middle of a program.

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
        return -y * y

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
    print(f"by rule {by_rule:.6f}   by steps {by_steps:.6f}")
