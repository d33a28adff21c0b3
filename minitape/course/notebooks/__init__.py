"""Exercises in notebooks.

conversion   a script as a notebook (notebook, cells)
magics       %check, %hint and %solution
"""

from minitape.course.notebooks.conversion import cells, notebook

__all__ = ["cells", "notebook"]
