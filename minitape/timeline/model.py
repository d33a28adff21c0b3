"""A run as steps: plain data that the table, the stepper and the page all show.

Timeline            the steps of a run, in order
  TimelineStep      one event: an op, a value that left, a step of the backward pass
    Detail          a line about a step: the gradient that arrives, the rule, the gradients that are sent
    Shown           the value or the gradient that a node of the picture shows from this step on
  TimelineCall      a gradient call: where its steps begin, and its results
    CallResult      the result for one source, and what is wrong with it
      TimelineStop  a part of the lost path
  AddedTerm         one of the contributions that add up to a gradient
"""

from dataclasses import dataclass, field
from enum import StrEnum

from minitape.draw.words import gradient_text, strip_of, value_text
from minitape.explain.report import GradientNote, Location
from minitape.trace.events import Numbers, TraceStruct


class Phase(StrEnum):
    """The pass that a step belongs to."""

    FORWARD = "forward"
    BACKWARD = "backward"


class Severity(StrEnum):
    """The importance of a step or a line, from which its color follows."""

    OP = "op"
    EVENT = "event"
    MUTED = "muted"
    GRADIENT = "gradient"
    LOST = "lost"


class Detail(TraceStruct):
    """A labeled line about a step.

    Attributes:
        label: The label, such as "rule".
        text: The text.
        tone: The importance.
        tensor: The tensor whose values the text shows.
        of: For the result of a gradient call, the id of the source.
    """

    label: str
    text: str
    tone: Severity = Severity.OP
    tensor: Numbers | None = None
    of: int | None = None


class Shown(TraceStruct):
    """What a node of the picture shows from this step on.

    Attributes:
        node: The id of the node.
        row: `value` or `grad`.
        numbers: The tensor; None for a gradient that is None.
        name: The name of the value or gradient.
    """

    node: str
    row: str
    numbers: Numbers | None
    name: str

    @property
    def text(self) -> str:
        """The row as text."""
        if self.numbers is None:
            return "None"
        is_value = self.row == "value"
        return value_text(self.numbers) if is_value else gradient_text(self.numbers)

    @property
    def cells(self) -> tuple[float | None, ...]:
        """The cells of its strip of colors; empty if it has none."""
        if self.numbers is None:
            return ()
        strip = strip_of(self.numbers, is_gradient=self.row == "grad")
        return () if strip is None else strip.cells


class TimelineStep(TraceStruct):
    """One event of the run that is shown.

    Attributes:
        index: Its index in the timeline.
        event: The number of the trace event.
        kind: The kind of the event.
        call: The number of the gradient call under which it is listed; 0 if there is none.
        what: The title, such as the name of the op.
        number: The number of the op with `#`, or `!` for a problem.
        code: The expression that ran.
        location: Its location in the source.
        callers: The locations from which it was called, the outermost first.
        stack: The ids of the call sites.
        loop: The text of the innermost loop around it.
        inputs, value, note: The cells of its row in a table.
        nth: The number of a step in its backward pass.
        given: The gradient that arrived at a backward step, as text.
        rule: The gradient rule of a backward step.
        tone: The importance.
        op: The number of the op.
        facts: The lines about the step.
        shown: What nodes of the picture show from this step on.
        visit, visits: The step is execution number `visit` of `visits` executions of the same event at the same location.
        iteration: The iterations of the loops in which the op ran, such as `step=3, t=24`; a backward step has the iterations
            of its op.
        problem: What is wrong at this step; usually empty.
    """

    index: int
    event: int
    kind: str
    call: int
    what: str
    phase: Phase = Phase.FORWARD
    number: str = ""
    code: str = ""
    location: Location | None = None
    callers: tuple[Location, ...] = ()
    stack: tuple[int, ...] = ()
    loop: str = ""
    inputs: str = ""
    value: str = ""
    nth: int = 0
    given: str = ""
    rule: str = ""
    note: str = ""
    tone: Severity = Severity.OP
    op: int | None = None
    facts: tuple[Detail, ...] = ()
    shown: tuple[Shown, ...] = ()
    visit: int = 1
    visits: int = 1
    iteration: str = ""
    problem: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """A key that is equal for steps of the same kind at the same location."""
        return (self.kind, self.what, self.stack)


class AddedTerm(TraceStruct):
    """The contribution of one backward step to the gradient `name`, and the sum after it; `step` is the index of the step."""

    name: str
    step: int
    expansion: str
    amount: str
    sum: str


class TimelineStop(TraceStruct):
    """A part of the path from a source to the target.

    Attributes:
        word: The text; empty where intact parts are omitted.
        step: The index of its step; None if there is none.
        is_cut: Whether the connection is lost just before this part.
    """

    word: str
    step: int | None = None
    is_cut: bool = False


class CallResult(TraceStruct):
    """The result of a gradient call for one source, and what is wrong with it.

    Attributes:
        name: The name of the source.
        text: The name of the gradient in the program, or else the name of the source.
        value: The gradient, as text.
        code, line, label, message, fix, file: The finding about it; empty if nothing is wrong.
        mistake: A key that is equal for findings with the same cause.
        outcome: What is wrong: `none`, `zero`, ...
        step: The step that created the source.
        came: The step at which the gradient was returned.
        path: The path from the source to the target.
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
    path: tuple[TimelineStop, ...] = ()


@dataclass(frozen=True, slots=True)
class TimelineCall:
    """A gradient call.

    Attributes:
        number: Its number among the gradient calls of the run.
        text: The source text of the call.
        location: Its location in the source.
        tape: The number of its tape.
        visit: The number of the execution of its line.
        target: The name of the target.
        first: The first step that is listed under it.
        requested: The step of the call itself.
        last: Its last step.
        answers: Its results.
        notes: The notes about the call.
    """

    number: int
    text: str
    location: Location | None
    tape: int
    visit: int
    target: str
    first: int
    requested: int
    last: int
    answers: tuple[CallResult, ...] = ()
    notes: tuple[GradientNote, ...] = ()

    @property
    def has_problem(self) -> bool:
        return any(answer.code for answer in self.answers)


@dataclass(frozen=True)
class Timeline:
    """A run from its first step to its last.

    Attributes:
        script: The name of the script.
        texts: The user's files by name.
        steps: The steps.
        calls: The gradient calls.
        terms: The contributions to each gradient, by the call and the node of the picture.
        tapes: The names of the tapes, by their numbers.
        names: The names of values, by their ids.
        ran_on: The engine, as a heading shows it; empty for minitape.
    """

    script: str
    texts: dict[str, str]
    steps: tuple[TimelineStep, ...]
    calls: tuple[TimelineCall, ...]
    terms: dict[tuple[int, str], tuple[AddedTerm, ...]] = field(repr=False)
    tapes: dict[int, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict, repr=False)
    ran_on: str = ""

    @property
    def main(self) -> str:
        """The file to show first: the script, or else the first file of the trace."""
        if self.script in self.texts or not self.texts:
            return self.script
        return next(iter(self.texts))

    def call_of(self, step: TimelineStep) -> TimelineCall | None:
        """Return the gradient call that a step is listed under."""
        return next((call for call in self.calls if call.number == step.call), None)

    @property
    def problems(self) -> tuple[int, ...]:
        """The indices of the steps where something is wrong."""
        return tuple(step.index for step in self.steps if step.problem)
