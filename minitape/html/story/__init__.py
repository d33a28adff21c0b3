"""The story of a run, which the page shows first.

texts.py    the catalog of its texts
scenes.py   the sentence and the scenes, from the timeline and the findings
river.py    the picture of the call, and of the call after a verified fix
moments.py  the changes in the picture from iteration to iteration
trial.py    the tape of a small call, which the page's script computes with other values
pane.py     the story as HTML, and as data for the page's script
"""

from minitape.html.story.pane import StoryPane, story_pane
from minitape.html.story.scenes import FixedRun

__all__ = ["FixedRun", "StoryPane", "story_pane"]
