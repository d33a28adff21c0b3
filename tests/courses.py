"""A small course for tests: two lessons, and three exercises with one kind of check each."""

from pathlib import Path

_LESSON = """\
title = "{title}"
goal = "Goal of {title}."
minutes = 10
misconceptions = "a misconception"
"""

_EXERCISE = """
[[exercises]]
name = "{name}"
title = "{title}"
minutes = 2
{track}
starts_with = "{starts}"
hints = ["a question", "a place", "a twin"]
debrief = "What **{name}** leaves."
"""

_GUESS = """
[[exercises.checks]]
kind = "prediction"
name = "slope"
computed = "gradient"
"""

_DERIVATIVE = """
[[exercises.checks]]
kind = "codes"
absent = ["MT201"]

[[exercises.checks]]
kind = "slope"
function = "slope"
of = "curve"
at = [{shape = [3], low = 0.5, high = 1.5}]
"""

_CHEAP = """
[[exercises.checks]]
kind = "holds"
function = "is_even"
"""

_CHECKS = '''\
import numpy as np
from minitape.course.failing import Failed


def is_even(student, draw):
    """f does not care about the sign."""
    x = draw.uniform((), 0.5, 2.0)
    if abs(float(student.f(x)) - float(student.f(-x))) > 1e-4:
        raise Failed(f"f({x:.3f}) and f({-x:.3f}) differ", fix="use only x * x")
'''

_PREDICT = """\
# %% [markdown]
# # 1.1 A guess
#
# Which number will it be?

# %%
import minitape as tf

# TODO
slope = ...
# END

# %%
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
gradient = tape.gradient(y, x)
print("the gradient is", gradient.numpy())
"""

_LOST = """\
# %% [markdown]
# # 1.2 A lost gradient
#
# Fix `slope`.

# %%
import numpy as np
import minitape as tf


def curve(x):
    return tf.exp(x) * x


def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        # TODO
        y = np.exp(x) * x.numpy()
        y = tf.constant(y)
        # END
    return tape.gradient(y, x)


# %%
print(slope(tf.constant([1.0, 2.0])))
"""

_EVEN = """\
# %% [markdown]
# # 2.1 An even function

# %%
import minitape as tf


def f(x):
    # TODO
    return x
    # END
"""

# For each exercise by name: its title, track, initial state, checks, file, and solution.
EXERCISES = {
    "01_first/ex1_guess": ("A guess", 'track = "fast"', "prediction", _GUESS, _PREDICT),
    "01_first/ex2_lost": ("A lost gradient", "", "MT201", _DERIVATIVE, _LOST),
    "02_second/ex1_even": ("An even function", 'track = "fast"', "holds", _CHEAP, _EVEN),
}
SOLVED = {
    "01_first/ex1_guess": ("slope = ...", "slope = 6.0"),
    "01_first/ex2_lost": (
        "        y = np.exp(x) * x.numpy()\n        y = tf.constant(y)\n",
        "        y = curve(x)\n",
    ),
    "02_second/ex1_even": ("return x", "return x * x"),
}


def write_course(folder: Path) -> Path:
    """Write the course and its solutions; return the folder."""
    folder.mkdir()
    (folder / "course.toml").write_text('title = "Small"\nversion = "1"\n')
    for name, (title, track, starts, checks, text) in EXERCISES.items():
        lesson, _, exercise = name.partition("/")
        toml = folder / lesson / "lesson.toml"
        solutions = folder / "solutions" / lesson
        if not toml.exists():
            toml.parent.mkdir()
            solutions.mkdir(parents=True)
            toml.write_text(_LESSON.format(title=lesson))
            script = "# %%\nimport minitape as tf\n\nprint(tf.constant(1.0).numpy())\n"
            (toml.parent / "lesson.py").write_text(script)
        about = _EXERCISE.format(name=exercise, title=title, track=track, starts=starts)
        toml.write_text(toml.read_text() + about + checks)
        (toml.parent / f"{exercise}.py").write_text(text)
        (solutions / f"{exercise}.py").write_text(text.replace(*SOLVED[name]))
    (folder / "02_second" / "checks.py").write_text(_CHECKS)
    return folder
