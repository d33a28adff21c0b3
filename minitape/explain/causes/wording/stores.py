"""The tensor that replaces a variable, for each call that stores into a variable.

board[i, j].assign(x)              board = tf.tensor_scatter_nd_update(board, [[i, j]], [x])
line[a:b].assign(x)                line = tf.concat([line[:a], x, line[b:]], 0)
v.scatter_nd_add(places, x)        v = tf.tensor_scatter_nd_add(v, places, x)
v.scatter_update(IndexedSlices)    v = tf.tensor_scatter_nd_update(v, places, rows)
v.assign_add(x)                    v = v + x
"""

import ast

from minitape.explain.causes.rewriting import parsed

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
    call = store_call(text)
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
    call = store_call(text)
    if call is None:
        return None
    owner = call.func.value
    if is_part:
        return ast.unparse(owner.value) if isinstance(owner, ast.Subscript) else None
    return ast.unparse(owner)


class Store(ast.Call):
    func: ast.Attribute


def store_call(text: str) -> Store | None:
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


def _given(call: Store) -> dict[str, ast.expr]:
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
