"""A run as a story: in goes a trace and a report, out comes what happened, step by step, in words and numbers.

walk       a gradient call under way: what has been sent to each value, and what a step adds
reader     one event → what the step says, and what is learnt for those to come
tell       the whole trace → steps, gradient calls, and the amounts that each gradient is the sum of
problems   at which steps something goes wrong
moves      from each step, where every key of a stepper leads
model      all this as plain data, for a table, a stepper and a page alike
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
