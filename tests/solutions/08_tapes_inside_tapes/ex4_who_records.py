# %% [markdown]
# # Which tape records what?
#
# The program at the end has two tapes, one inside the other. Read the program, but do not run it
# yet. Predict the answer to each of the four questions: a number, or None.
#
# Replace the dots with your answers.

# %%
import minitape as tf

# %%
# TODO
inner_b = 9.0       # inner.gradient(b, x)
outer_b = 27.0       # outer.gradient(b, x)
outer_early = 6.0   # outer.gradient(early, x)
outer_late = None    # outer.gradient(late, x)
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
    print(name, "- enter your answer first" if said is ... else f"- you: {said}, the tape: {answers[name]}")
