"""The texts for a store into a variable."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from minitape.explain.causes.cause import Facts, FindingContext
from minitape.explain.causes.texts import DiagnosticText, code, joined
from minitape.explain.causes.texts import cuts as texts
from minitape.explain.causes.wording import loops
from minitape.explain.causes.wording.stores import as_tensor, store_call, stored_in
from minitape.explain.flow.program.text import parameters
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import walk
from minitape.trace import events


@dataclass(frozen=True, kw_only=True)
class StoredInVariable(Facts):
    """A value was stored in a variable.

    Attributes:
        variable: The variable in which the value was stored.
    """

    variable: int


def reported(context: FindingContext[StoredInVariable]) -> DiagnosticText:
    """Return the texts for a store that the target reads."""
    assign = _assign(context)
    stores_all = re.match(r"(.+)\.set_weights\(", context.whole_expr)
    if stores_all is not None:
        return _of_all_weights(context, stores_all[1])
    variable, found, _ = context.whole_expr.partition(f".{assign.how}(")
    if not found:
        variable = context.name_of(context.facts.variable)
    call = code(f"{variable}.{assign.how}")
    return texts.STORED(
        method=code(assign.how),
        call=call,
        line=context.line,
        others=_and_others(context),
        source=context.the_source,
        incomplete=context.incomplete,
        fix=_kept_as_list(context) or _kept_as_tensor(context) or _kept_beside(context, call),
    )


def _of_all_weights(context: FindingContext[StoredInVariable], model: str) -> DiagnosticText:
    """Return the texts for `model.set_weights(...)`, which stores into all weights one by one."""
    return texts.STORED_WEIGHTS(
        call=code(f"{model}.set_weights"),
        line=context.line,
        model=code(model),
        others=_and_others(context),
        source=context.the_source,
        incomplete=context.incomplete,
        target=context.the_target,
    )


def _kept_as_list(context: FindingContext[StoredInVariable]) -> str | None:
    """Return the advice for a loop that stores into each variable of a list: use a list of tensors instead."""
    site = context.flow.innermost(context.event)
    program = "" if site is None else context.flow.texts.get(site.at.file, "")
    found = loops.list_at(program, context.place_line)
    if found is None:
        return None
    statement, is_named, line = found
    entry = texts.LIST_INSTEAD if is_named else texts.NEW_LIST_INSTEAD
    return entry(statement=code(statement), line=line, target=context.the_target)


def _kept_beside(context: FindingContext[StoredInVariable], call: str) -> str:
    """Return the advice to keep the new value in a tensor: `w.assign_sub(step)` → `new = w - step`."""
    better = as_tensor(context.whole_expr, False, False)
    value = None if better is None else better.partition(" = ")[2]
    if not value:
        return texts.NEW_VALUE(target=context.the_target, call=call)
    statement = code(f"new = {value}")
    return texts.NEW_VALUE_AS(statement=statement, target=context.the_target, call=call)


def _assign(context: FindingContext[StoredInVariable]) -> events.AssignEvent:
    assert isinstance(context.event, events.AssignEvent)
    return context.event


def _and_others(context: FindingContext[StoredInVariable]) -> str:
    """Return the sentence on other lines that store values on the lost paths."""
    others = [context.flow.event(each) for each in context.found.also]
    lines = {
        each.at.line
        for each in others
        if isinstance(each, events.AssignEvent) and each.at is not None
    }
    reported = sorted(lines - {context.place_line})
    if not reported:
        return ""
    sentence = texts.ANOTHER_STORE if len(reported) == 1 else texts.OTHER_STORES
    return sentence(lines=joined(reported))


def _kept_as_tensor(context: FindingContext[StoredInVariable]) -> str | None:
    """Return the advice to use a tensor on each line that stores into the variable; None if the program needs the variable
    itself.
    """
    assign, flow = _assign(context), context.flow
    if any(
        each.value == assign.variable for call in flow.calls.values() for each in call.event.sources
    ):
        return None
    lines = _statements(context, assign.variable)
    here = lines.pop(context.place_line, None)
    if here is None or None in lines.values():
        return None
    name = here.partition(" = ")[0]
    others, scope = _on_lines(lines), _where_the_name_lives(context, name)
    others = [texts.TENSORS_INSTEAD(statements=joined(others))] if others else []
    others += _aliases_again(context, name)
    beside = {} if scope else _stores_beside(context)
    if not beside:
        return texts.TENSOR_INSTEAD(
            statement=code(here),
            line=context.line,
            name=code(name),
            others="".join(others),
            scope=scope,
        )
    first = texts.STATEMENT_OF_LINE(statement=code(here), line=context.line)
    names = dict.fromkeys(text.partition(" = ")[0] for text in (here, *beside.values()))
    return texts.EACH_TENSOR_INSTEAD(
        statements=joined([first, *_on_lines(beside)]),
        names=joined([code(each) for each in names]),
        others="".join(others),
        scope=scope,
    )


def _aliases_again(context: FindingContext[StoredInVariable], name: str) -> list[str]:
    """Return the advice for other names of the variable, such as `self.now = self.state`: give them the tensor too.

    Else the program still reads the variable under these names.
    """
    site = context.flow.innermost(context.event)
    nodes = list(
        walk(tree_or_empty("" if site is None else context.flow.texts.get(site.at.file, "")))
    )
    used = {
        ast.unparse(node)
        for node in nodes
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
    }
    found = []
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as alias], value=value):
                is_alias = ast.unparse(value) == name and ast.unparse(alias) in used
                if is_alias and node.lineno != context.place_line:
                    found.append(ast.unparse(alias))
    return [
        texts.ALIAS_AGAIN(statement=code(f"{alias} = {name}"), line=context.line, alias=code(alias))
        for alias in dict.fromkeys(found)
    ]


def _on_lines(statements: Mapping[int, str | None]) -> list[str]:
    return [
        texts.STATEMENT_OF_LINE(statement=code(text), line=line)
        for line, text in sorted(statements.items())
        if text is not None
    ]


def _statements(context: FindingContext[StoredInVariable], variable: int) -> dict[int, str | None]:
    """Return the statement in place of each store into a variable, by its line; None where the store has no such statement."""
    flow = context.flow
    lines: dict[int, str | None] = {}
    for each in flow.assigns[variable]:
        site = flow.innermost(each)
        if site is not None and store_call(site.expression) is not None:
            lines.setdefault(site.at.line, _statement(context, each, site))
    return lines


def _stores_beside(context: FindingContext[StoredInVariable]) -> dict[int, str]:
    """Return the statements in place of the stores into other variables on the lost paths, as the two states of an LSTM."""
    also = [context.flow.event(each) for each in context.found.also]
    variables = dict.fromkeys(
        each.variable for each in also if isinstance(each, events.AssignEvent)
    )
    found: dict[int, str] = {}
    for variable in variables:
        lines = _statements(context, variable)
        if variable != context.facts.variable and None not in lines.values():
            found |= {line: text for line, text in lines.items() if text is not None}
    return found


def _statement(
    context: FindingContext[StoredInVariable], assign: events.AssignEvent, site: events.SiteEvent
) -> str | None:
    """Return the statement in place of a store, if the store is a statement of its own and its name can be assigned."""
    owner = stored_in(site.expression, assign.is_part) or ""
    is_own = owner.startswith("self.") or owner in _names_of(context, assign.variable, site)
    if not is_own or " ".join(site.code.split()) != " ".join(site.expression.split()):
        return None
    numbers = context.flow.numbers
    given, whole = numbers.get(assign.origin or 0), assign.numbers
    is_one_row = given is not None and len(given.shape) < len(whole.shape)
    return as_tensor(" ".join(site.expression.split()), assign.is_part, is_one_row)


def _names_of(
    context: FindingContext[StoredInVariable], variable: int, site: events.SiteEvent
) -> list[str]:
    """Return the name with which a variable was created, and the parameters of the function around a store."""
    made = context.flow.innermost(context.flow.variables[variable])
    text = context.flow.texts.get(site.at.file, "")
    given = parameters(text, site.function.rpartition(".")[2])
    return given if made is None or made.target is None else [made.target, *given]


def _where_the_name_lives(context: FindingContext[StoredInVariable], name: str) -> str:
    """Return the sentence to add if the store is in a function and the name of the variable is not local to that function."""
    site = context.flow.innermost(context.event)
    made = context.flow.innermost(context.flow.variables[context.facts.variable])
    if site is None or made is None or not name.isidentifier() or site.function == made.function:
        return ""
    function = site.function.rpartition(".")[2]
    if name in parameters(context.flow.texts.get(site.at.file, ""), function):
        return texts.RETURN_IT(function=code(function), name=code(name))
    return texts.DECLARE_GLOBAL(function=code(function), declaration=code(f"global {name}"))
