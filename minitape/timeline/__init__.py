"""A run as a timeline: turns a trace and a report into steps with their values, gradients and explanations.

backward    a gradient call in progress: the gradient of each value so far, and the contribution of a step
reader      one event → the fields of a step; the reader stores names and values for later events
build       the whole trace → steps, gradient calls, and the contributions to each gradient
problems    the steps with a problem
norms       the target and the gradient norms of a loop, in each iteration
navigation  for each step, the step that each navigation key leads to
model       the timeline as plain data, for the table, the stepper and the page
words       the texts of the steps
"""

from minitape.timeline.build import build_timeline, step_of
from minitape.timeline.model import (
    AddedTerm,
    CallResult,
    Detail,
    Phase,
    Severity,
    Shown,
    Timeline,
    TimelineCall,
    TimelineStep,
    TimelineStop,
)
from minitape.timeline.navigation import Moves, found, moves
from minitape.timeline.reader import EventReader

__all__ = [
    "AddedTerm",
    "CallResult",
    "Detail",
    "EventReader",
    "Moves",
    "Phase",
    "Severity",
    "Shown",
    "Timeline",
    "TimelineCall",
    "TimelineStep",
    "TimelineStop",
    "build_timeline",
    "found",
    "moves",
    "step_of",
]
