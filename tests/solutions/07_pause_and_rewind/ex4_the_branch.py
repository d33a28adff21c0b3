# %% [markdown]
# # What is on the tape after an `if`?
#
# The program at the end takes one branch and asks for three derivatives. Before you run it,
# predict each of them: a number, or None. Then choose the reason for the third answer:
#
# - "a": the tape did not watch `c`
# - "b": `c` is a constant, and the derivative with respect to a constant is zero
# - "c": the result was computed without `c`, which only chose the line that computed the result
# - "d": TensorFlow has no rule for `<`, so the path on the tape ends there
#
# Replace the dots with your answers. Put the letter in quotes.

# %%
import minitape as tf

# %%
# TODO
slope_of_a = 6.0
slope_of_b = None
slope_of_c = None
why = "c"
# END

# %%
a = tf.Variable(3.0)
b = tf.Variable(5.0)
c = tf.constant(-1.0)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(c)
    if c < 0.0:
        result = a**2
    else:
        result = a * b
da = tape.gradient(result, a)
db = tape.gradient(result, b)
dc = tape.gradient(result, c)

# %%
for name, said, came in (("a", slope_of_a, da), ("b", slope_of_b, db), ("c", slope_of_c, dc)):
    print(name, "- enter your answer first" if said is ... else f"- you: {said}, the tape: {came}")
