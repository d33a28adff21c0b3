"""A run as a story: turns a trace and a report into steps with their values, gradients and explanations.

walk       a gradient call in progress: the gradient of each value so far, and what a step adds to it
reader     one event → the fields of a step; it remembers names and values for later events
tell       the whole trace → steps, gradient calls, and the contributions to each gradient
problems   the steps at which something goes wrong
moves      for each step, the step that each navigation key leads to
model      all this as plain data, for the table, the stepper and the page
words      the words and sentences of the steps
"""

from minitape.story.model import Answer, Call, Fact, Phase, Shown, Step, Stop, Story, Term, Tone
from minitape.story.moves import Moves, found, moves
from minitape.story.reader import Reader
from minitape.story.tell import step_of, tell

__all__ = [
    "Answer",
    "Call",
    "Fact",
    "Moves",
    "Phase",
    "Reader",
    "Shown",
    "Step",
    "Stop",
    "Story",
    "Term",
    "Tone",
    "found",
    "moves",
    "step_of",
    "tell",
]
