"""Creates a course with one lesson and one exercise, as a starting point for an author.

written   writes its files
"""

from __future__ import annotations

from pathlib import Path

from minitape.course import messages
from minitape.errors import CourseError
from minitape.storage import write_whole

_FILES = {
    "course.toml": """\
title = "My course"
version = "1"  # if you change it, students must pass all exercises again
""",
    "01_slopes/lesson.py": """\
# %% [markdown]
# # 1. Slopes
#
# Explain one idea in a few sentences.

# %%
import minitape as tf

# %%
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
print("dy/dx =", tape.gradient(y, x).numpy())
""",
    "01_slopes/lesson.toml": '''\
title = "Slopes"
goal = "What a student can do after this lesson, in one sentence."
minutes = 10
misconceptions = "the misconception that this lesson corrects"
picture = {call = 1, view = "backward"}

[[exercises]]
name = "ex1_slope"
title = "The slope of a curve"
minutes = 5
track = "fast"            # this exercise is in the short course
starts_with = "slope"     # how the untouched file fails: the kind of a check, or a code such as MT101
hints = [
  "A question that leads to the answer: what must a tape know before it can compute a gradient?",
  "The location and the concept: between `with` and `return` in `slope`; see `minitape explain MT101`.",
  """
A similar problem, solved:
    with tf.GradientTape() as notes:
        notes.watch(t)
        height = tf.sin(t)
    notes.gradient(height, t)       # cos(t)""",
]
debrief = """
What the student should remember. It is shown when the exercise passes."""

[[exercises.checks]]
kind = "slope"
function = "slope"
of = "curve"
at = [{shape = [3], low = 0.5, high = 2.0}]
''',
    "01_slopes/ex1_slope.py": """\
# %% [markdown]
# # 1.1 The slope of a curve
#
# Make `slope(x)` return the gradient of `curve(x)` for any x.

# %%
import minitape as tf


def curve(x):
    return tf.exp(x) * x


def slope(x):
    # TODO
    return x
    # END


# %%
print(slope(tf.constant([1.0, 2.0])))
""",
    "solutions/01_slopes/ex1_slope.py": """\
import minitape as tf


def curve(x):
    return tf.exp(x) * x


def slope(x):
    # TODO
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = curve(x)
    return tape.gradient(y, x)
    # END
""",
}


def written(folder: Path) -> list[Path]:
    """Write the files of a new course.

    Returns:
        The paths of the files.

    Raises:
        CourseError: the folder exists and is not empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CourseError(messages.NOT_EMPTY.format(folder=folder), fix=messages.OTHER_FOLDER)
    files = []
    for name, text in _FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, text.encode())
        files.append(file)
    return files
