"""The drawers below the cards of a slide: variables with their gradients, and constants."""

from collections.abc import Iterator, Sequence

from minitape.draw.diagram import wording
from minitape.draw.diagram.links import Came, came_of, together
from minitape.draw.diagram.model import Flow, Parameter
from minitape.draw.diagram.tree import PartKind
from minitape.draw.diagram.uses import Uses
from minitape.draw.words import count, short_name
from minitape.trace import events

_MOST_PARAMETERS = 4
_MOST_GIVEN = 2
_NAME_WIDTH = 16


class Drawers:
    """Creates the rows of each drawer."""

    def __init__(self, uses: Uses) -> None:
        self._uses = uses
        self._facts, self._origins = uses.facts, uses.origins

    def of(self, index: int) -> tuple[Parameter, ...]:
        """Return a row for each trained variable that a card is the first to read, or one row for all of them if there are
        many, and rows for the variables that it reads again.
        """
        facts = self._facts
        trained = [
            (facts.variables[variable], min(heads) == index)
            for variable, heads in self._uses.variables.items()
            if index in heads and variable in facts.variables and self._origins.is_source(variable)
        ]
        own = [variable for variable, is_first in trained if is_first]
        again = [variable for variable, is_first in trained if not is_first]
        others = [
            value
            for value, heads in self._uses.constants.items()
            if min(heads) == index and value not in self._uses.shown and self._uses.is_input(value)
        ]
        given = (
            *self._read_again(again),
            *(self._given(value) for value in others[:_MOST_GIVEN]),
        )
        return (*self._parameters(own), *given)

    def of_exit(self, value: int) -> tuple[Parameter, ...]:
        """Return the rows for the sources that left the tape at an exit, which is given by the value that came back."""
        variables = (self._facts.variables.get(each) for each in self._uses.exits[value].variables)
        known = [each for each in variables if each is not None]
        return self._parameters([each for each in known if self._origins.is_source(each.variable)])

    def _parameters(self, own: Sequence[events.VariableEvent]) -> tuple[Parameter, ...]:
        """Return a row for each variable, or one row for all of them if there are many."""
        if len(own) <= _MOST_PARAMETERS:
            return tuple(map(self._parameter, own))
        results = [self._facts.results.get(each.variable) for each in own]
        came = [result.numbers for result in results if result is not None and result.numbers]
        missing = len(own) - len(came)
        size = sum(each.numbers.size for each in own)
        total = together(came) if came else Came(Flow.NEVER, None, wording.NONE)
        flow = total.flow if not missing else Flow.NEVER
        text = total.text if not missing else f"{wording.NONE} for {missing}"
        name = count(len(own), "variable")
        ids = tuple(each.variable for each in own)
        return (Parameter(name, f"{size:,}", text, flow, total.norm, ids),)

    def _read_again(self, variables: Sequence[events.VariableEvent]) -> Iterator[Parameter]:
        """Yield a row for variables that are in the drawer of an earlier card."""
        if len(variables) == 1:
            name = short_name(_last_name(variables[0]), _NAME_WIDTH)
            yield Parameter(name, "", wording.AGAIN, Flow.NOT_NEEDED)
        elif variables:
            name = count(len(variables), "variable")
            yield Parameter(name, "", wording.AGAIN, Flow.NOT_NEEDED)

    def _given(self, value: int) -> Parameter:
        """Return the row for a constant that a card uses."""
        numbers = self._facts.tensors[value]
        name = short_name(self.name_of_constant(value), _NAME_WIDTH)
        shape = wording.shape(numbers.shape, self._uses.batch)
        if not self._origins.is_source(value):
            return Parameter(name, shape, wording.CONSTANT, Flow.NOT_NEEDED)
        result = self._facts.results.get(value)
        came = came_of(result.numbers if result is not None else None)
        return Parameter(name, shape, came.text, came.flow, came.norm, (value,))

    def name_of_constant(self, value: int) -> str:
        name = self._named(value)
        heads = [self._uses.cards[head].first.kind for head in self._uses.constants[value]]
        # `fit` gets all its data in one call, whose text does not name each value.
        is_shared = (
            sum(self._uses.is_input(v) and self._named(v) == name for v in self._uses.constants) > 1
        )
        return wording.LABELS if is_shared and heads == [PartKind.LOSS] else name

    def _named(self, value: int) -> str:
        numbers, maker = self._facts.tensors.get(value), self._facts.made_by(value)
        text = maker.text if isinstance(maker, events.ConstantEvent) else ""
        return (numbers.name if numbers is not None else "") or text or wording.INPUT

    def _parameter(self, variable: events.VariableEvent) -> Parameter:
        result = self._facts.results.get(variable.variable)
        came = came_of(result.numbers if result is not None else None)
        shape = wording.parameter_shape(variable.numbers.shape)
        name = short_name(_last_name(variable), _NAME_WIDTH)
        return Parameter(name, shape, came.text, came.flow, came.norm, (variable.variable,))


def _last_name(variable: events.VariableEvent) -> str:
    """Return the name of a variable without the names of the layers around it."""
    return (variable.numbers.name or variable.name).partition(":")[0].rpartition("/")[2]
