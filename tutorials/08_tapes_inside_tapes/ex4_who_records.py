# %% [markdown]
# # Which tape records what?
#
# Two tapes, one inside the other, and lines at four levels. Read the program at the end. Do not
# run it yet. Say what the answer to each of the four questions is: a number, or None.
#
# Write your answers in place of the dots.

# %%
import minitape as tf

# %%
# TODO
inner_b = ...       # inner.gradient(b, x)
outer_b = ...       # outer.gradient(b, x)
outer_early = ...   # outer.gradient(early, x)
outer_late = ...    # outer.gradient(late, x)
# END

# %%
x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as outer:
    a = x * x
    with tf.GradientTape(persistent=True) as inner:
        b = a * x
    early = inner.gradient(b, x)
late = inner.gradient(b, x)

answers = {
    "inner_b": early,
    "outer_b": outer.gradient(b, x),
    "outer_early": outer.gradient(early, x),
    "outer_late": outer.gradient(late, x),
}

# %%
for name, said in zip(answers, (inner_b, outer_b, outer_early, outer_late)):
    print(name, "- your answer first" if said is ... else f"- you: {said}, the tape: {answers[name]}")
