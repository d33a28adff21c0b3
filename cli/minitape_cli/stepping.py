"""The state of the stepper, and the action of each key; independent of the terminal.

StepperSession  the current step of a timeline, and the pane that is open
press           handles a key
parsed          the step that `--at` means
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from minitape.explain.report import GradientNote
from minitape.timeline import (
    AddedTerm,
    CallResult,
    Moves,
    Shown,
    Timeline,
    TimelineCall,
    TimelineStep,
    found,
)
from minitape.timeline.norms import MANY, LoopNorms
from minitape_cli.term_navigation import ASIDE, ONWARD, Following, chosen, tensors

if TYPE_CHECKING:  # imports the engine, which most sessions never need
    from minitape.terms import Expansions


class Pane(StrEnum):
    """What the screen shows: the step in its source, or a pane to read."""

    STEP = "step"
    WHOLE = "this step"
    WHY = "why"
    TERMS = "terms of the gradient"
    ELEMENT = "how this number was computed"
    GRAPH = "graph"
    MAP = "run map"
    KEYS = "keys"


@dataclass
class StepperSession:
    """The current step of a timeline, and the pane that the user has open.

    Attributes:
        timeline: The run.
        moves: The targets of the navigation keys.
        draw: Returns the picture of a gradient call as plain text, for a width.
        open_page: Opens the run as a page at a step; returns a message.
        ask: Returns the `Expansions` of the run.
        ask_loops: Returns the numbers of the gradient calls that ran in a loop.
        index: The index of the current step.
        pane: What the screen shows.
        scroll: The first line of a pane that is shown.
        prompt: `/`, `:` or `e` while the user types after it.
        typed: What the user has typed.
        sought: The text of the last search.
        message: A message for the next screen only.
        following: The number that is shown in the pane `ELEMENT`.
        is_over: The user has quit.
    """

    timeline: Timeline
    moves: Moves
    draw: Callable[[int, int], str]
    open_page: Callable[[int], str]
    ask: Callable[[], "Expansions"]
    ask_loops: Callable[[], tuple[LoopNorms, ...]]
    index: int = 0
    pane: Pane = Pane.STEP
    scroll: int = 0
    prompt: str = ""
    typed: str = ""
    sought: str = ""
    message: str = ""
    following: Following | None = None
    is_over: bool = False

    @property
    def step(self) -> TimelineStep:
        return self.timeline.steps[self.index]

    @property
    def call(self) -> TimelineCall | None:
        """The gradient call that the current step is listed under."""
        return self.timeline.call_of(self.step)

    @property
    def wrong(self) -> tuple[CallResult, ...]:
        """The results of this step's gradient call that have a problem; if the step is a result, only that result."""
        answers = () if self.call is None else self.call.answers
        if self.step.kind == "result":
            answers = tuple(each for each in answers if each.name == self.step.inputs)
        return tuple(answer for answer in answers if answer.code)

    @property
    def notes(self) -> tuple[GradientNote, ...]:
        """The notes about the gradients of this step's call."""
        return () if self.call is None else self.call.notes

    @property
    def loop(self) -> tuple[LoopNorms, int] | None:
        """The loop that requests the gradient of this step's call again and again, and the index of its iteration; None if it has
        only a few iterations.
        """
        number = self.step.call
        for loop in self.ask_loops():
            if number in loop.calls and len(loop.calls) >= MANY:
                return loop, loop.calls.index(number)
        return None

    @property
    def terms(self) -> dict[str, tuple[AddedTerm, ...]]:
        """The contributions to each gradient that this step shows, by its name."""
        target = "" if self.call is None else self.call.target
        return {
            shown.name if shown.row == "grad" else f"∂{target}/∂{shown.name}": terms
            for shown in self.step.shown
            if (terms := self.timeline.terms.get((self.step.call, shown.node), ()))
        }

    def shown_before(self, shown: Shown) -> Shown | None:
        """Return what the same row of the picture showed before this step; None for the first value, and for the first gradient
        of each call.
        """
        for step in reversed(self.timeline.steps[: self.index]):
            if shown.row == "grad" and step.call != self.step.call:
                return None
            for each in step.shown:
                if (each.node, each.row) == (shown.node, shown.row):
                    return each
        return None

    # --- keys ---

    def press(self, key: str) -> None:
        """Execute the action of a key; unknown keys are ignored."""
        self.message = ""
        if key in ("ctrl-c", "ctrl-d"):
            self.is_over = True
        elif self.prompt:
            self._type(key)
        elif self.pane is Pane.ELEMENT and self._follow(key):
            pass
        elif self.pane is Pane.MAP and key in _ITERATIONS:
            self._iterate(_ITERATIONS[key])
        elif self.pane is not Pane.STEP and key in _SCROLLS:
            self.scroll = max(0, self.scroll + _SCROLLS[key])
        elif self.pane is not Pane.STEP and key in ("q", "escape", "enter"):
            self.pane = Pane.STEP
        elif key in _PANES:
            self._show(_PANES[key])
        elif key in _PROMPTS:
            self.prompt, self.typed = key, ""
        elif key == "e":
            self._ask_for_element()
        elif key == "o":
            self.message = self.open_page(self.index)
        elif key == "q":
            self.is_over = True
        elif key in _TARGETS:
            self.pane = Pane.STEP
            self._go(_TARGETS[key](self), _STAYS.get(key, ""))

    def _go(self, index: int, otherwise: str) -> None:
        index = max(0, min(index, len(self.timeline.steps) - 1))
        if index == self.index:
            self.message = otherwise
        self.index = index

    def _show(self, pane: Pane) -> None:
        """Open a pane, or close the one that is open."""
        if pane is self.pane:
            self.pane = Pane.STEP
            return
        nothing = {
            Pane.WHY: "" if self.wrong or self.notes else "this gradient call has no problems",
            Pane.TERMS: "" if self.terms else "the values of this step have no gradient",
            Pane.GRAPH: "" if self.timeline.calls else "no gradient was requested: nothing to draw",
            Pane.MAP: ""
            if self.loop
            else f"this gradient is not requested in a loop of {MANY} or more iterations",
        }
        self.message = nothing.get(pane, "")
        if not self.message:
            self.pane, self.scroll = pane, 0

    def _iterate(self, by: int) -> None:
        """Go to the gradient call of an earlier or later iteration of the loop."""
        assert self.loop is not None  # the pane is open
        loop, iteration = self.loop
        iteration = max(0, min(iteration + by, len(loop.calls) - 1))
        call = next(each for each in self.timeline.calls if each.number == loop.calls[iteration])
        self.index = call.requested

    # --- how a number was computed ---

    def _ask_for_element(self) -> None:
        """Ask for the element to show; a tensor with only one element is shown without asking."""
        have = tensors(self.step)
        if not have:
            self.message = "this step has no tensor"
        elif next(iter(have.values())).shape:
            self.prompt, self.typed = "e", ""
        else:
            self._open_element("")

    def _open_element(self, typed: str) -> None:
        command = chosen(self.step, typed)
        found = command if isinstance(command, str) else self.ask().find(*command)
        if isinstance(found, str):
            self.message = found
            return
        self.following = Following(self.ask(), [found])
        self.pane, self.scroll = Pane.ELEMENT, 0

    def _follow(self, key: str) -> bool:
        """Handle a key of this pane (to a term, back, or to the step of the number); return whether the key was one of them."""
        following = self.following
        assert following is not None  # the pane is open
        if key in ONWARD or key in ASIDE or key in ("left", "backspace"):
            self.message, self.scroll = following.press(key), 0
            return True
        if key == "enter":
            self.pane = Pane.STEP
            event = following.trail[-1].event
            at = next((step.index for step in self.timeline.steps if step.event == event), None)
            self.message = "no single step computed this number" if at is None else ""
            self.index = self.index if at is None else at
            return True
        return False

    def _type(self, key: str) -> None:
        if key == "escape" or (key == "backspace" and not self.typed):
            self.prompt = ""
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "enter":
            self._find()
        elif len(key) == 1:
            self.typed += key

    def _find(self) -> None:
        """Go to the next step that contains the typed text; without text, repeat the last search."""
        if self.prompt == "e":
            self.prompt = ""
            self._open_element(self.typed)
            return
        command = f":{self.typed}" if self.prompt == ":" and self.typed else self.typed
        self.sought, self.prompt = command or self.sought, ""
        if not self.sought:
            return
        at = found(self.timeline, self.sought, self.index + 1)
        if at is None:
            self.message = f"{self.sought}: no step contains it"
        else:
            self.pane = Pane.STEP
            self._go(at, f"{self.sought}: only this step contains it")


_PROMPTS = ("/", ":")
_SCROLLS = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -(10**9), "end": 10**9}
_PANES = {
    "enter": Pane.WHOLE,
    "w": Pane.WHY,
    "t": Pane.TERMS,
    "g": Pane.GRAPH,
    "m": Pane.MAP,
    "?": Pane.KEYS,
}
# In the run map.
_ITERATIONS = {
    "left": -1,
    "right": 1,
    "[": -1,
    "]": 1,
    "shift-left": -1,
    "shift-right": 1,
    "pageup": -10,
    "pagedown": 10,
    "home": -(10**9),
    "end": 10**9,
}
_TARGETS: dict[str, Callable[[StepperSession], int]] = {
    "right": lambda at: at.index + 1,
    " ": lambda at: at.index + 1,
    "left": lambda at: at.index - 1,
    "b": lambda at: at.moves.next_backward(at.index),
    "n": lambda at: at.moves.next_problem(at.index),
    "N": lambda at: at.moves.previous_problem(at.index),
    "shift-right": lambda at: at.moves.later_again[at.index],
    "]": lambda at: at.moves.later_again[at.index],
    "shift-left": lambda at: at.moves.earlier_again[at.index],
    "[": lambda at: at.moves.earlier_again[at.index],
    "down": lambda at: at.moves.later_op[at.index],
    "up": lambda at: at.moves.earlier_op[at.index],
    "f": lambda at: 0 if at.call is None else at.call.first,
    "home": lambda at: 0,
    "end": lambda at: len(at.timeline.steps) - 1,
}
_STAYS = {
    "right": "this is the last step",
    " ": "this is the last step",
    "left": "this is the first step",
    "b": "this run has no other backward pass",
    "n": "this run has no other problem or note",
    "N": "this run has no other problem or note",
    "shift-right": "this was the last run of this line",
    "]": "this was the last run of this line",
    "shift-left": "this was the first run of this line",
    "[": "this was the first run of this line",
    "down": "this op has no later step",
    "up": "this op has no earlier step",
}

# The keys of the pane `KEYS`, and what they do.
HELP = (
    ("→ ←", "next, previous step"),
    ("b", "start of the next backward pass"),
    ("n N", "next, previous problem or note"),
    ("Shift→ Shift←  ] [", "next, previous iteration of the same line"),
    ("↓ ↑", "next, previous step of the same op: its forward step, its backward step"),
    ("f", "first step of this gradient call"),
    ("Home End", "first, last step of the run"),
    ("/", "search for an op, a name or source text; / Enter repeats the search"),
    (":", "go to a line"),
    ("Enter", "show this step on the whole screen"),
    ("w", "explain why a gradient is None, zero or NaN, or what a note means, and suggest a fix"),
    ("t", "show the terms of this gradient"),
    ("e", "show how one number was computed: type 2,1 or w 2,1; follow its terms"),
    ("g", "draw the graph of this gradient call"),
    (
        "m",
        "show all iterations of a training loop: → ← select one, Enter goes to its gradient call",
    ),
    ("o", "open the run as a page, at this step"),
    ("? q Esc", "show these keys; quit; close a pane"),
)


def parsed(timeline: Timeline, moves: Moves, at: str) -> int | None:
    """Return the index of the step that `--at` names (`7`, `line:12`, `problem`, `backward`); None if no step matches."""
    if at == "problem":
        return next(iter(moves.problems or moves.notes), None)
    if at == "backward":
        return next(iter(moves.backward), None)
    if at.startswith("line:"):
        return found(timeline, at, 0)
    number = int(at) - 1 if at.isdecimal() else -1
    return number if 0 <= number < len(timeline.steps) else None
