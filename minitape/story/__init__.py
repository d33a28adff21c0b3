"""A run as a story: what happened, step by step, in words and numbers; read off a trace and a report, and off nothing else."""

from minitape.story.model import Answer, Call, Fact, Phase, Shown, Step, Story, Term, Tone
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
    "Story",
    "Term",
    "Tone",
    "found",
    "moves",
    "step_of",
    "tell",
]
