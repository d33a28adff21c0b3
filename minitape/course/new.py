"""A new course with one lesson and one exercise, for an author to go on from.

written   writes it
"""

from __future__ import annotations

from pathlib import Path

from minitape.errors import CourseError
from minitape.storage import write_whole

_FILES = {
    "course.toml": """\
title = "A course of mine"
version = "1"  # a new number, and what passed has to pass again
""",
    "01_slopes/lesson.py": """\
# %% [markdown]
# # 1. Slopes
#
# One idea, told in a few sentences.

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
goal = "What one can do afterwards, in one sentence."
minutes = 10
kills = "the misconception that this lesson is against"
picture = {call = 1, view = "backward"}

[[exercises]]
name = "ex1_slope"
title = "The slope of a curve"
minutes = 5
track = "fast"            # the one exercise of this lesson in the short course
starts_with = "slope"     # how the untouched file fails: a check's kind, or a code such as MT101
hints = [
  "A question that leads on: what does a tape have to know before it can answer?",
  "The place, and the concept: between `with` and `return` of `slope`. minitape explain MT101",
  """
Another one, solved: with tf.GradientTape() as notes:
    notes.watch(t)
    height = tf.sin(t)
and then notes.gradient(height, t) is cos(t).""",
]
debrief = """
What to take home. Shown after it passed."""

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
# Let `slope(x)` return the gradient of `curve(x)`, for any x.

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
    """Write the course; returns its files.

    Raises:
        CourseError: there is such a folder, and it is not empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CourseError(f"{folder} is there, and not empty.", fix="another folder")
    files = []
    for name, text in _FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, text.encode())
        files.append(file)
    return files
