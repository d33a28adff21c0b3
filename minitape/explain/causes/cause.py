"""The declaration of a cause, a case of it in a run, and the texts about that case.

Cause           one way to lose a gradient, declared in a module of this package
BrokenEdge      one case of it: where a run lost a gradient that way
Clue            a fact about a run that speaks for or against a cause, if several causes fit
Case            a case together with the run, as far as clues need it
Facts           what a cause knows about a case; a cause that knows more declares a subclass next to itself
FindingContext  what the texts about a case may use: the call, the source, the break, and the user's own expressions
DiagnosticText  the texts about a case, filled in from the catalog in `texts/`

`Cause`, `BrokenEdge` and `FindingContext` are generic in the facts, so that mypy checks that the code that finds a case passes
exactly the facts that the texts of its cause use.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from minitape.explain.causes.rewriting import is_place, operands
from minitape.explain.causes.texts import DiagnosticText, code, shared
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph, is_of_a_dataset
from minitape.explain.flow.program.numpy_names import Names, numpy_names
from minitape.explain.flow.program.scopes import is_known_at
from minitape.explain.flow.program.sources import typed_in
from minitape.explain.report import Confidence, Evidence, source_quoted, target_quoted
from minitape.explain.texts.report import THE_TARGET
from minitape.trace import events
from minitape.trace.events import SourceRange

# The reason why no rule can fix a mistake that concerns the size of values.
WHICH_NUMBERS = shared.WHICH_VALUES
NO_HISTORY = shared.NO_HISTORY_EDGE
_SHOWN = 60


class OnCard(NamedTuple):
    """The texts of a picture where the path ends: the title of the node, and the label of the edge that leaves it.

    If `is_op` is true, the op itself is the break, so there is only one node.
    """

    title: str
    leaving: str = NO_HISTORY
    is_op: bool = False


_ANY = OnCard(shared.PATH_ENDS_CARD)


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What a cause knows about a case, besides the events to point at.

    Attributes:
        partial: Whether only a part of the gradient is lost, because other paths contribute.
        guess: Whether the case is based on equal names or values instead of proof.
        possible: Whether the case is only possible.
        by_design: Whether the program stops the gradient here on purpose, and correctly so.
        regularized: Whether the contribution that arrives comes from the regularization alone.
        harmless: Whether nothing is wrong as long as other gradients of the same call arrive. An example is a bias that a
            normalization removes again.
        harmless_alone: Whether nothing is wrong even if no other gradient of the same call arrives. An example is the derivative
            of `x**2` at 0.
    """

    partial: bool = False
    guess: bool = False
    possible: bool = False
    by_design: bool = False
    regularized: bool = False
    harmless: bool = False
    harmless_alone: bool = False


# The facts that a case has, and the facts that the texts of a cause need. A case may have more facts than its cause needs.
_Given = TypeVar("_Given", bound=Facts, covariant=True)
_Needed = TypeVar("_Needed", bound=Facts, contravariant=True)


@dataclass(frozen=True, eq=False)
class Cause(Generic[_Needed]):
    """One way to lose a gradient.

    Attributes:
        slug: Its name in a report.
        code: Its page; several causes may share one.
        says: Returns the texts about a case.
        confidence: The highest confidence that its evidence allows.
        evidence: The kind of evidence that it usually has.
        card: Its texts in a picture.
        goes_on: Whether successive breaks with this cause are one mistake, even on several lines.
        is_slip: Whether it cuts off a gradient that exists. A comparison next to the lost path, for example, has no gradient.
        at_rest: Whether a loop that has converged, with nothing left to learn, looks the same.
        zeros_meant: Whether zeros in place of None are correct, because the derivative is 0 or the gradient was stopped on
            purpose.
        at_point: Whether it may occur at single points of a correct function.
        is_other_target: Whether the target was computed from an object other than the intended one, so that the fix changes its
        value.
        by_hand: Why no rule fixes it; empty where `fixes/repair/rules.py` has rules for it.
        clues: The facts that speak for it or against it if another cause fits too.
        usual: Returns the sentence about what people usually write, for a known mistake; empty if the program does not make it.
    """

    slug: str
    code: str
    says: "Callable[[FindingContext[_Needed]], DiagnosticText]"
    confidence: Confidence = Confidence.CERTAIN
    evidence: Evidence = Evidence.ORDER
    card: OnCard = _ANY
    goes_on: bool = False
    is_slip: bool = False
    at_rest: bool = False
    zeros_meant: bool = False
    at_point: bool = False
    is_other_target: bool = False
    by_hand: str = ""
    clues: "tuple[Clue, ...]" = ()
    usual: "Callable[[FindingContext[Any]], str] | None" = None


@dataclass(frozen=True)
class BrokenEdge(Generic[_Given]):
    """One lost connection.

    Attributes:
        cause: The cause of the break.
        event: The number of the event to point at.
        also: Other events with the same cause.
        facts: The facts that its texts need.
        site: The call site to point at instead of that of the event.
        at: The file and line to point at instead, where no event has them.
        beside: Other lines of that file, each with a note.
        by: The evidence for this case, where it differs from the usual evidence for the cause.
        runner_up: The best supported case of another cause that fits the same gradient.
    """

    cause: Cause[_Given]
    event: int
    also: tuple[int, ...] = ()
    # For a cause that needs a subclass of `Facts`, mypy checks each call.
    facts: _Given = field(default_factory=Facts, compare=False)  # type: ignore[assignment]
    site: int | None = None
    at: tuple[str, int] | None = None
    beside: dict[int, str] = field(default_factory=dict, compare=False)
    by: Evidence | None = None
    runner_up: "BrokenEdge[Facts] | None" = field(default=None, compare=False)

    @property
    def is_last_resort(self) -> bool:
        """Whether it counts only when nothing better explains the loss: a guess, or a cut that is correct by design."""
        return self.facts.guess or self.facts.by_design

    @property
    def confidence(self) -> Confidence:
        """How much the evidence proves in this case."""
        if self.facts.possible:
            return Confidence.POSSIBLE
        is_weak = self.facts.partial or self.facts.guess or self.runner_up is not None
        is_certain = self.cause.confidence is Confidence.CERTAIN
        return Confidence.LIKELY if is_certain and is_weak else self.cause.confidence

    @property
    def evidence(self) -> Evidence:
        """The evidence for this case."""
        return Evidence.NAME if self.facts.guess else self.by or self.cause.evidence


class Case(NamedTuple):
    """A case together with the run, as far as clues need it.

    Attributes:
        flow: The graph of all values of the run.
        call: The gradient call.
        source: The id of the source.
        found: The case.
    """

    flow: FlowGraph
    call: GradientCall
    source: int
    found: BrokenEdge[Facts]

    @property
    def position(self) -> int:
        """The index of the source in the call."""
        return [each.value for each in self.call.event.sources].index(self.source)


class Clue(NamedTuple):
    """A fact about a run that speaks for or against a cause.

    Attributes:
        says: The fact in words.
        weight: How much it counts: 1 is the difference between two kinds of evidence; a negative weight speaks against the cause.
        holds: Whether it is a fact in this run.
    """

    says: str
    weight: int
    holds: Callable[[Case], bool]


class FindingContext(Generic[_Given]):
    """What the texts about a case may use: the call, the source, the break, and the user's own expressions."""

    def __init__(
        self,
        flow: FlowGraph,
        call: GradientCall,
        source: events.GradientSource,
        found: BrokenEdge[_Given],
    ) -> None:
        self.flow = flow
        self.call = call
        self.found = found
        self.facts = found.facts
        self.event = flow.placed(found.event)
        self.source = source.name
        self.value = source.value or 0
        self.target = call.event.target_name or THE_TARGET
        # The same names as they appear in a sentence, with code in backticks.
        self.the_source = source_quoted(self.source)
        self.the_target = target_quoted(call.event.target_name)
        opened = self.line_of(self.tape_event)
        self.tape = shared.THE_TAPE() if opened is None else shared.THE_TAPE_OF_LINE(line=opened)

    # --- locations ---

    @property
    def tape_event(self) -> events.Placed | None:
        entered = self.flow.tapes[self.call.tape].entered
        return self.flow.placed(entered[0]) if entered else None

    def line_of(self, event: events.Placed | None) -> int | str | None:
        """Return the line of an event, with its file if the finding points to another file."""
        at = None if event is None else event.at
        if at is None:
            return None
        is_here = self.place is None or at.file == self.place.file
        return at.line if is_here else shared.LINE_OF_FILE(line=at.line, file=at.file)

    def with_line(self, what: str, event: events.Placed | None) -> str:
        line = self.line_of(event)
        return what if line is None else shared.WITH_LINE(value=what, line=line)

    @property
    def line(self) -> int | str | None:
        """The line of the event itself."""
        return self.line_of(self.event)

    @property
    def place(self) -> SourceRange | None:
        """The location to point at."""
        if self.found.at is not None:
            return SourceRange(*self.found.at, -1, -1, -1)
        if self.found.site is not None:
            return self.flow.sites[self.found.site].at
        return self.event.at or self.call.event.at

    @property
    def place_line(self) -> int:
        return 0 if self.place is None else self.place.line

    @property
    def place_site(self) -> events.SiteEvent | None:
        """The call site to point at; None if only its line is known."""
        if self.found.at is not None:
            return None
        if self.found.site is not None:
            return self.flow.sites[self.found.site]
        return self.flow.innermost(self.event)

    def outer_line(self, event: events.Placed) -> int:
        """Return the line of the user's outermost call that led to `event`."""
        return self.flow.outer_line(event)

    # --- the result of the call ---

    @property
    def gradient(self) -> events.Numbers | None:
        """The gradient of the source; None if the call returned None or raised."""
        for result in self.call.results:
            requested = self.call.event.sources[result.source]
            if requested.value == self.value and result.numbers is not None:
                return result.numbers
        return None

    # --- the user's own expressions ---

    @property
    def typed(self) -> str | None:
        """The source as Python code for the function of the call; None if it has no such name.

        For example, `sequential/dense/kernel` is not Python, and `self.w` in a layer is not `self.w` in the class that trains it.
        """
        at = self.call.event.at
        program, line = ("", 0) if at is None else (self.flow.texts.get(at.file, ""), at.line)
        if is_place(self.source) and (not program or is_known_at(program, line, self.source)):
            return self.source
        places = [each.value for each in self.call.event.sources]
        if self.value not in places:
            return None
        return typed_in(program, line, self.call_text, places.index(self.value), len(places))

    @property
    def tape_name(self) -> str:
        """The tape as it is written in the gradient call."""
        written = re.match(
            r"([\w.\[\]'\"]+)\.(gradient|jacobian|batch_jacobian|explain)\b", self.call_text
        )
        return written[1] if written else "tape"

    @property
    def call_text(self) -> str:
        return self.call.event.text

    @property
    def whole_expr(self) -> str:
        """The user's expression at the break, on one line."""
        return self._written(self.event)

    @property
    def the_whole_expr(self) -> str:
        """The same in the form used in a sentence, with code in backticks."""
        return code(self.whole_expr)

    @property
    def expr(self) -> str:
        """The same expression, shortened to fit into a sentence."""
        return self.expr_of(self.event)

    @property
    def the_expr(self) -> str:
        """The expression in the form used in a sentence; "A call" where the program does not show it."""
        return code(self.expr) if self.expr else shared.A_CALL

    @property
    def op(self) -> str | None:
        """The name of the op at the break; None if the event is not an op."""
        return self.event.name if isinstance(self.event, events.OpEvent) else None

    def given(self, place: int) -> str:
        """Return the argument of the op at the break with that index, as the user writes it."""
        op, written = self.flow.op(self.event.i), operands(self.whole_expr)
        called = self.whole_expr.partition("(")[0].rpartition(".")[2]
        if called.lower() == op.name.lower() and place < len(written):
            return written[place]
        each = op.inputs[place]
        return each.text or self.name_of(each.value)

    @property
    def numpy_names(self) -> Names:
        """The names of NumPy and `math` in the file of the break."""
        site = self.flow.innermost(self.event)
        return numpy_names("" if site is None else self.flow.texts.get(site.at.file, ""))

    def expr_of(self, event: events.Placed) -> str:
        text = self._written(event)
        return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."

    def whole_expr_of(self, event: events.Placed) -> str:
        """Return the user's expression at an event, on one line."""
        return self._written(event)

    def _written(self, event: events.Placed) -> str:
        site = self.flow.innermost(event)
        if site is None:
            return (
                event.name if isinstance(event, events.OpEvent | events.VariableEvent) else "this"
            )
        return " ".join((site.expression or site.code).split())

    def code_of(self, event: events.Placed) -> str:
        site = self.flow.innermost(event)
        return "" if site is None else site.code

    def name_of(self, value: int) -> str:
        """Return the user's name of a value, the expression that computed it, or words such as "a value"."""
        return self._name_or_words(value)[0]

    def called(self, value: int) -> str:
        """Return the name of a value in a sentence, with code in backticks."""
        text, is_code = self._name_or_words(value)
        return code(text) if is_code else text

    def _name_or_words(self, value: int) -> tuple[str, bool]:
        """Return the result of `name_of` for a value, and whether that is code."""
        born = self.flow.born.get(value)
        if isinstance(born, events.ReadEvent):
            return self._name_or_words(born.variable)
        name = self.flow.name(value)
        if name is not None and name != "Variable":
            return name, True
        if born is None:
            return shared.SOME_VALUE, False
        if isinstance(born, events.ConstantEvent) and born.text:
            return born.text, True
        if is_of_a_dataset(born):
            written = self._called_in_an_op(value)
            line = self.line_of(born)
            return (written, True) if written else (shared.DATA_OF_LINE(line=line), False)
        if value in self.flow.variables:
            line = self.line_of(born)
            words = shared.SOME_VARIABLE if line is None else shared.VARIABLE_OF_LINE(line=line)
            return words, False
        iterated = re.match(r"for (\w+) in ", self._written(born))
        return (iterated[1] if iterated else self.expr_of(born)), True

    def _called_in_an_op(self, value: int) -> str | None:
        """Return the user's expression for a value from a dataset, where an op takes it."""
        users = (self.flow.event(edge.event) for edge in self.flow.out_of.get(value, ()))
        ops = (each for each in users if isinstance(each, events.OpEvent))
        texts = (given.text for op in ops for given in op.inputs if given.value == value)
        return next((text for text in texts if text and is_place(text)), None)

    @property
    def result(self) -> str:
        """The name of the result of the statement to point at, or else its expression."""
        if self.found.site is None:
            return self.result_of(self.event)
        site = self.flow.sites[self.found.site]
        return site.target or site.expression or site.code

    @property
    def the_result(self) -> str:
        """The same in the form used in a sentence, with code in backticks."""
        return code(self.result)

    def result_of(self, event: events.Placed) -> str:
        """Return the name of the result of an event's op, or else the expression."""
        name = event.target_name if isinstance(event, events.OpEvent) else None
        return name or self.expr_of(event)

    @property
    def incomplete(self) -> str:
        """The sentence to add if only a part of the gradient is lost."""
        is_said = self.facts.partial and not self.facts.regularized
        return shared.INCOMPLETE() if is_said else ""


# --- the clues that several causes share ---


def _returned_elsewhere(case: Case) -> bool:
    """Whether another execution of the same gradient call returned a gradient for the source at the same index."""
    return case.position in case.flow.once_for_all(_with_gradient)[case.call.event.at]


def _with_gradient(flow: FlowGraph) -> dict[events.SourceRange | None, set[int]]:
    """Return, for each line with a gradient call, the indices of the sources for which some execution returned a gradient."""
    found = defaultdict[events.SourceRange | None, set[int]](set)
    for call in flow.calls.values():
        found[call.event.at] |= {each.source for each in call.results if each.numbers is not None}
    return found


def _was_used(case: Case) -> bool:
    """Whether something was computed from the source while the tape recorded."""
    entered = case.flow.tapes[case.call.tape].entered
    edges = case.flow.out_of.get(case.source, ())
    return bool(entered) and any(entered[0] < each.event < case.call.event.i for each in edges)


# The same line works in another iteration, so what differs between iterations is the cause.
VARIES = Clue("another iteration returned a gradient for this source", 1, _returned_elsewhere)
SAME_IN_ALL = Clue("another iteration returned a gradient for this source", -1, _returned_elsewhere)
# In that case, the path was not cut by a missing use or by a flag of the variable.
USED = Clue("the source was used while the tape recorded", -1, _was_used)
