"""A run told as steps: plain data that a table, a stepper and a page show alike.

Story     the steps of a run, in order
  Step      one thing that happened: an op, a value that left, a step of the walk back
    Fact      a line about it: what arrives, the rule, what is sent where
    Shown     what is known from this step on: the value or the gradient on one card of the picture
  Call      a gradient call: where its steps begin, what it answered
    Answer    for one source: what came back, and what is wrong with it
      Stop      a word on the path that was lost
  Term      one of the amounts that a gradient is the sum of
"""

from dataclasses import dataclass, field
from enum import StrEnum

from minitape.draw.words import gradient_text, strip_of, value_text
from minitape.explain.report import Note, Place
from minitape.trace.events import Numbers, Record


class Phase(StrEnum):
    """Which way the program was going."""

    FORWARD = "forward"
    BACKWARD = "backward"


class Tone(StrEnum):
    """How a step or a line is meant."""

    OP = "op"
    EVENT = "event"
    MUTED = "muted"
    GRADIENT = "gradient"
    LOST = "lost"


class Fact(Record):
    """A labelled line about a step; `tensor` is what its numbers are of, and `of` the value that a result is the gradient of."""

    label: str
    text: str
    tone: Tone = Tone.OP
    tensor: Numbers | None = None
    of: int | None = None


class Shown(Record):
    """What the card `node` says in its `row` (`value` or `grad`) from this step on, None for a gradient that is None.

    `name` is whose number it is.
    """

    node: str
    row: str
    numbers: Numbers | None
    name: str

    @property
    def text(self) -> str:
        """The row in words."""
        if self.numbers is None:
            return "None"
        is_value = self.row == "value"
        return value_text(self.numbers) if is_value else gradient_text(self.numbers)

    @property
    def cells(self) -> tuple[float | None, ...]:
        """The cells of its strip, if it has one."""
        if self.numbers is None:
            return ()
        strip = strip_of(self.numbers, is_gradient=self.row == "grad")
        return () if strip is None else strip.cells


class Step(Record):
    """One thing that happened.

    `index` is its place in the story and `event` the number of the trace event. `call` is the gradient call that it leads
    to, belongs to or, until the tape of another is open, comes after; 0 if there is none. `visit` of `visits` counts the
    times that the same thing happened at the same place; `turn` names the turns of the loops in which the op ran
    (`step=3, t=24`), on the walk back too. The `nth` step of a walk back has the gradient that it was `given`, and the
    `rule` of its op. `problem` says in a few words what is wrong here, and is empty almost always.
    """

    index: int
    event: int
    kind: str
    call: int
    what: str
    phase: Phase = Phase.FORWARD
    number: str = ""
    code: str = ""
    place: Place | None = None
    callers: tuple[Place, ...] = ()
    stack: tuple[int, ...] = ()
    loop: str = ""
    inputs: str = ""
    value: str = ""
    nth: int = 0
    given: str = ""
    rule: str = ""
    remark: str = ""
    tone: Tone = Tone.OP
    op: int | None = None
    facts: tuple[Fact, ...] = ()
    shown: tuple[Shown, ...] = ()
    visit: int = 1
    visits: int = 1
    turn: str = ""
    problem: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for steps that are the same thing at the same place."""
        return (self.kind, self.what, self.stack)


class Term(Record):
    """What one step of the walk back added to the gradient `name`, and the sum then; `step` is the step's index."""

    name: str
    step: int
    origin: str
    amount: str
    sum: str


class Stop(Record):
    """A word on the path from a source to the target; `step` is the index of its step, None where there is none to go to.

    `is_cut` if the connection is lost on the way here. The word is empty where healthy stops are left out.
    """

    word: str
    step: int | None = None
    is_cut: bool = False


class Answer(Record):
    """What a call gave for one source: the words, and whether something is wrong with it; `mistake` as of its finding.

    `step` is where the source itself was made, and `path` leads from there to the target; `came` is where its gradient came back.
    """

    name: str
    text: str
    value: str
    code: str = ""
    line: int | None = None
    label: str = ""
    message: str = ""
    fix: str = ""
    file: str = ""
    mistake: tuple[str, str, int] | None = None
    outcome: str = ""
    step: int | None = None
    came: int | None = None
    path: tuple[Stop, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A gradient call: its first step of all, the step where it was asked, its last one, what it answered and what is noted."""

    number: int
    text: str
    place: Place | None
    tape: int
    visit: int
    target: str
    first: int
    asked: int
    last: int
    answers: tuple[Answer, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def has_problem(self) -> bool:
        return any(answer.code for answer in self.answers)


@dataclass(frozen=True)
class Story:
    """A run from its first step to its last.

    `texts` are the user's files by name, `main` the one to show first, `terms` the amounts behind each gradient by call and
    node, `tapes` the names of the tapes, `names` what values are called, by their ids, `ran_on` what a heading says of the
    engine.
    """

    script: str
    texts: dict[str, str]
    steps: tuple[Step, ...]
    calls: tuple[Call, ...]
    terms: dict[tuple[int, str], tuple[Term, ...]] = field(repr=False)
    tapes: dict[int, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict, repr=False)
    ran_on: str = ""

    @property
    def main(self) -> str:
        """The file that the run spends most of its steps in, unless the script itself is among them."""
        if self.script in self.texts or not self.texts:
            return self.script
        return next(iter(self.texts))

    def call_of(self, step: Step) -> Call | None:
        """The gradient call that a step leads to, belongs to or comes after."""
        return next((call for call in self.calls if call.number == step.call), None)

    @property
    def problems(self) -> tuple[int, ...]:
        """The indices of the steps where something is wrong."""
        return tuple(step.index for step in self.steps if step.problem)
