# %% [markdown]
# # Who is on the branch?
#
# The program at the end takes one branch and asks for three slopes. Before you run it, say what
# each one is: a number, or None. Then say why the third one is what it is:
#
# - "a": the tape did not watch c
# - "b": c is a constant, and the slope with respect to a constant is zero
# - "c": the result was computed without c; c only chose the line that computed it
# - "d": TensorFlow has no rule for `<`, so the tape stops there
#
# Write your answers in place of the dots. A letter goes in quotes.

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
    print(name, "- your answer first" if said is ... else f"- you: {said}, the tape: {came}")
