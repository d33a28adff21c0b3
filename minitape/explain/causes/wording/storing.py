"""Stores into variables: the words for one, and the tensor that takes the place of the variable.

board[i, j].assign(x)              board = tf.tensor_scatter_nd_update(board, [[i, j]], [x])
line[a:b].assign(x)                line = tf.concat([line[:a], x, line[b:]], 0)
v.scatter_nd_add(places, x)        v = tf.tensor_scatter_nd_add(v, places, x)
v.scatter_update(IndexedSlices)    v = tf.tensor_scatter_nd_update(v, places, rows)
v.assign_add(x)                    v = v + x
"""

import ast
import re
from dataclasses import dataclass

from minitape.explain.causes.cause import Facts, FindingContext
from minitape.explain.causes.rewriting import parsed
from minitape.explain.causes.texts import Words, code, joined
from minitape.explain.causes.texts import cuts as texts
from minitape.explain.flow.program.text import parameters
from minitape.trace import events

SIGNS = {"assign": "", "assign_add": " +", "assign_sub": " -"}
_ROWS = {
    "scatter_update": "update", "scatter_add": "add", "scatter_sub": "sub", "scatter_min": "min", "scatter_max": "max",
}  # fmt: skip
_ELEMENTS = {f"scatter_nd_{each}": each for each in ("update", "add", "sub", "min", "max")}
STORES = {*SIGNS, *_ROWS, *_ELEMENTS}


def as_tensor(text: str, is_part: bool = False, is_one_row: bool = False) -> str | None:
    """Return the statement that assigns the value that `text` stores, as a tensor, to the name of the variable.

    `is_part` is true if it stores into a slice, `is_one_row` if the IndexedSlices have the index of a single row.
    """
    call = _store(text)
    owner = stored_in(text, is_part)
    if call is None or owner is None:
        return None
    how, given = call.func.attr, _given(call)
    value = None
    if is_part:
        value = _of_part(owner, call.func.value, given.get("value"))
    elif how in SIGNS:
        value = _of_whole(owner, how, given.get("value", given.get("delta")))
    elif how in _ROWS:
        value = _of_rows(owner, how, given.get("sparse_delta"), is_one_row)
    elif given.keys() == {"indices", "updates"}:
        places, updates = (ast.unparse(given[each]) for each in ("indices", "updates"))
        value = f"tf.tensor_scatter_nd_{_ELEMENTS[how]}({owner}, {places}, {updates})"
    return None if value is None else f"{owner} = {value}"


def stored_in(text: str, is_part: bool = False) -> str | None:
    """Return the variable of a store, as the program writes it."""
    call = _store(text)
    if call is None:
        return None
    owner = call.func.value
    if is_part:
        return ast.unparse(owner.value) if isinstance(owner, ast.Subscript) else None
    return ast.unparse(owner)


class _Store(ast.Call):
    func: ast.Attribute


def _store(text: str) -> _Store | None:
    node = parsed(text)
    match node:
        case ast.Call(func=ast.Attribute(attr=how)) if how in STORES:
            return node  # type: ignore[return-value]  # a call of a method, as the pattern says
    return None


_PARAMETERS = {
    **dict.fromkeys(("assign",), ("value",)),
    **dict.fromkeys(("assign_add", "assign_sub"), ("delta",)),
    **dict.fromkeys(_ROWS, ("sparse_delta",)),
    **dict.fromkeys(_ELEMENTS, ("indices", "updates")),
}


def _given(call: _Store) -> dict[str, ast.expr]:
    """Return the arguments of the call, by the names of their parameters."""
    names = _PARAMETERS[call.func.attr]
    by_name = {each.arg: each.value for each in call.keywords if each.arg in names}
    return {**dict(zip(names, call.args, strict=False)), **by_name}


def _of_whole(owner: str, how: str, given: ast.expr | None) -> str | None:
    if given is None:
        return None
    text = ast.unparse(given)
    if not SIGNS[how]:
        return text
    is_sum = isinstance(given, ast.BinOp) and isinstance(given.op, ast.Add | ast.Sub)
    return f"{owner}{SIGNS[how]} {f'({text})' if is_sum else text}"


def _of_part(owner: str, part: ast.expr, given: ast.expr | None) -> str | None:
    """Return a store into elements or rows by their indices, or into one range of rows."""
    if not isinstance(part, ast.Subscript) or given is None:
        return None
    keys = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
    while keys and ast.unparse(keys[-1]) == ":":
        keys = keys[:-1]
    value = ast.unparse(given)
    match keys:
        case [ast.Slice(lower=start, upper=stop, step=None)]:
            before = [] if start is None else [f"{owner}[:{ast.unparse(start)}]"]
            after = [] if stop is None else [f"{owner}[{ast.unparse(stop)}:]"]
            return f"tf.concat([{', '.join([*before, value, *after])}], 0)"
        case [_, *_] if all(map(_is_place, keys)):
            places = ", ".join(map(ast.unparse, keys))
            return f"tf.tensor_scatter_nd_update({owner}, [[{places}]], [{value}])"
    return None


def _is_place(key: ast.expr) -> bool:
    """Whether an index counts from the start."""
    if isinstance(key, ast.Constant):
        return isinstance(key.value, int)
    return not isinstance(key, ast.Slice | ast.UnaryOp)


def _of_rows(owner: str, how: str, given: ast.expr | None, is_one_row: bool) -> str | None:
    match given:
        case ast.Call(func=func, args=[values, places], keywords=[]) if ast.unparse(func).endswith(
            "IndexedSlices"
        ):
            pass
        case _:
            return None
    rows, value = ast.unparse(places), ast.unparse(values)
    if is_one_row:
        rows, value = f"[[{rows}]]", f"[{value}]"
    elif isinstance(places, ast.List):
        rows = f"[{', '.join(f'[{ast.unparse(each)}]' for each in places.elts)}]"
    else:
        rows = f"tf.expand_dims({rows}, -1)"
    return f"tf.tensor_scatter_nd_{_ROWS[how]}({owner}, {rows}, {value})"


# --- the words ---


@dataclass(frozen=True, kw_only=True)
class StoredInVariable(Facts):
    """A value was stored in a variable.

    Attributes:
        variable: The variable in which the value was stored.
    """

    variable: int


def reported(context: FindingContext[StoredInVariable]) -> Words:
    """Return the words for a store that the target reads."""
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
        incomplete=context.share,
        fix=_kept_as_tensor(context) or _kept_beside(context, call),
    )


def _of_all_weights(context: FindingContext[StoredInVariable], model: str) -> Words:
    """Return the words for `model.set_weights(...)`, which stores into each weight in turn."""
    return texts.STORED_WEIGHTS(
        call=code(f"{model}.set_weights"),
        line=context.line,
        model=code(model),
        others=_and_others(context),
        source=context.the_source,
        incomplete=context.share,
        target=context.the_target,
    )


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
    lines: dict[int, str | None] = {}
    for each in flow.assigns[assign.variable]:
        site = flow.innermost(each)
        if site is not None and _store(site.expression) is not None:
            lines.setdefault(site.at.line, _statement(context, each, site))
    here = lines.pop(context.place_line, None)
    if here is None or None in lines.values():
        return None
    name = here.partition(" = ")[0]
    rest = [
        texts.STATEMENT_OF_LINE(statement=code(text), line=line)
        for line, text in sorted(lines.items())
    ]
    return texts.TENSOR_INSTEAD(
        statement=code(here),
        line=context.line,
        name=code(name),
        others=texts.TENSORS_INSTEAD(statements=joined(rest)) if rest else "",
        scope=_where_the_name_lives(context, name),
    )


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
