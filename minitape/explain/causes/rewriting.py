"""Rewrites the user's code as the code to write instead: takes and returns the text of expressions.

A function returns None if it knows no replacement; the advice is then given in words.
"""

import ast
import copy
import re
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple, cast

from minitape.explain.flow.program.numpy_names import USUAL_NAMES, Names, standard_name
from minitape.source_text import walk

_TWINS = {
    "absolute": "tf.abs",
    "add.reduce": "tf.reduce_sum",
    "amax": "tf.reduce_max",
    "amin": "tf.reduce_min",
    "clip": "tf.clip_by_value",
    "cumsum": "tf.cumsum",
    "fsum": "tf.reduce_sum",
    "linalg.norm": "tf.norm",
    "log": "tf.math.log",
    "log1p": "tf.math.log1p",
    "matmul": "tf.matmul",
    "max": "tf.reduce_max",
    "mean": "tf.reduce_mean",
    "min": "tf.reduce_min",
    "pow": "tf.pow",
    "power": "tf.pow",
    "prod": "tf.reduce_prod",
    "reshape": "tf.reshape",
    "std": "tf.math.reduce_std",
    "sum": "tf.reduce_sum",
    "var": "tf.math.reduce_variance",
}
_SAME_NAME = {
    "abs", "add", "cos", "divide", "einsum", "exp", "maximum", "minimum", "multiply", "sign", "sin", "sqrt", "square",
    "squeeze", "stack", "subtract", "tan", "tanh", "transpose", "where",
}  # fmt: skip
# Functions that need one more argument than the NumPy function.
_WITH_MORE = {"concatenate": ("tf.concat", "axis", "0"), "dot": ("tf.tensordot", "axes", "1")}
# Functions that join rows: the function and the axis for rows of rank 1, and for rows of higher rank.
_JOINING = {
    "column_stack": (("tf.stack", 1), ("tf.concat", 1)),
    "hstack": (("tf.concat", 0), ("tf.concat", 1)),
    "row_stack": (("tf.stack", 0), ("tf.concat", 0)),
    "vstack": (("tf.stack", 0), ("tf.concat", 0)),
}
_COPYING = ("np.array", "np.asarray", "np.float32", "np.float64")


# Follows the advice to use a smooth step, because the program has no name `width`.
WIDTH = "with `width = 0.1` to start with"


def parsed(text: str) -> ast.expr | None:
    """Return the parsed expression; None if the string is not an expression."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None


def is_place(text: str) -> bool:
    """Whether the string is a valid assignment target, such as `w`, `self.w` or `params[0]`."""
    return isinstance(parsed(text), ast.Name | ast.Attribute | ast.Subscript)


def is_number(text: str) -> bool:
    """Whether the string is a literal number, such as `100.0`."""
    return isinstance(parsed(text), ast.Constant)


def operands(text: str) -> list[str]:
    """Return the operands of an expression, or the arguments of a call."""
    node = parsed(text)
    match node:
        case ast.BinOp():
            return [ast.unparse(node.left), ast.unparse(node.right)]
        case ast.Compare():
            return [ast.unparse(node.left), ast.unparse(node.comparators[0])]
        case ast.Call():
            return [ast.unparse(each) for each in node.args]
    return []


def above_zero(text: str) -> str | None:
    """Return a root whose derivative is finite at 0: `tf.norm(x, axis=1)` → `tf.sqrt(tf.reduce_sum(x ** 2, axis=1) + 1e-12)`."""
    match parsed(text):
        case ast.Call(func=ast.Attribute(attr="norm"), args=[x], keywords=settings) if all(
            each.arg in ("axis", "keepdims") for each in settings
        ):
            squares = ast.BinOp(x, ast.Pow(), ast.Constant(2))
            total = ast.Call(ast.Name("tf.reduce_sum"), [squares], settings)
            return f"tf.sqrt({ast.unparse(total)} + 1e-12)"
        case ast.Call(func=ast.Attribute(attr="reduce_std") as func) as spread:
            func.attr = "reduce_variance"
            return f"tf.sqrt({ast.unparse(spread)} + 1e-12)"
        case ast.Call(func=ast.Attribute(attr="sqrt" | "rsqrt") as root, args=[x]):
            return f"{ast.unparse(root)}({ast.unparse(x)} + 1e-12)"
        case ast.Call(func=ast.Attribute(attr="pow"), args=[x, power]):
            return f"tf.pow({ast.unparse(x)} + 1e-12, {ast.unparse(power)})"
        case ast.BinOp(left=x, op=ast.Pow(), right=power):
            moved = ast.BinOp(x, ast.Add(), ast.Constant(1e-12))
            return ast.unparse(ast.BinOp(moved, ast.Pow(), power))
    return None


_LONG = 30  # the maximum number of characters of an argument that is repeated three times


class Guarded(NamedTuple):
    """A root or power whose derivative is finite at 0.

    Attributes:
        text: The expression, whose value is the same everywhere except where it was infinite.
        before: The statement that must come before it, if its argument is long; else empty.
    """

    text: str
    before: str = ""


def guarded_power(text: str, at_zero: str = "0.0") -> Guarded | None:
    """Return a power whose derivative is 0 at 0, and whose value is the same everywhere; `at_zero` is its value at 0.

    With a small number inside, as in `(x + 1e-12) ** 0.5`, the derivative at 0 would be a number as large as 5e5.
    """
    match parsed(text):
        case ast.Call(func=ast.Attribute(attr="pow"), args=[base, exponent]):
            pattern = "tf.pow({}, {})"
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            pattern = "{} ** {}"
        case _:
            return None
    x, p = ast.unparse(base), ast.unparse(exponent)
    if pattern.startswith("{}"):
        p = in_brackets(p)
    return _guarded(x, lambda safe: pattern.format(safe, p), at_zero)


def guarded_root(text: str) -> Guarded | None:
    """Return a root whose derivative is 0 at 0: `tf.sqrt(x)` → `tf.where(x > 0.0, tf.sqrt(tf.where(x > 0.0, x, 1.0)), 0.0)`."""
    inside = under_root(text)
    if inside is not None:
        return _guarded(inside, lambda safe: f"tf.sqrt({safe})", "0.0")
    match parsed(text):
        case ast.Call(func=ast.Attribute(attr="rsqrt") as root, args=[x]):
            return _guarded(ast.unparse(x), lambda safe: f"{ast.unparse(root)}({safe})", "0.0")
    return None


def _guarded(x: str, function: Callable[[str], str], at_zero: str) -> Guarded:
    name = x if len(x) <= _LONG else "inside"
    before = "" if name == x else f"inside = {x}"
    safe = f"tf.where({name} > 0.0, {name}, 1.0)"
    return Guarded(f"tf.where({name} > 0.0, {function(safe)}, {at_zero})", before)


def under_root(text: str) -> str | None:
    """Return the argument of a root: `tf.norm(x, axis=1)` → `tf.reduce_sum(x ** 2, axis=1)`."""
    better = above_zero(text) or ""
    found = re.fullmatch(r"tf\.(?:math\.)?sqrt\((.*) \+ 1e-12\)", better)
    return found[1] if found else None


def with_xlogy(statement: str, log: str) -> str | None:
    """Return a product of a value and its own logarithm: `p * tf.math.log(p)` → `tf.math.xlogy(p, p)`, which is 0 at 0."""
    x, *others = operands(log) or [""]
    if others:
        return None
    try:
        nodes = list(walk(ast.parse(statement)))
    except SyntaxError:
        return None
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            sides = {ast.unparse(node.left), ast.unparse(node.right)}
            if sides == {x, ast.unparse(ast.parse(log, mode="eval"))}:
                return f"tf.math.xlogy({x}, {x})"
    return None


class Stable(NamedTuple):
    """A formula that overflows, and the TensorFlow function that does not.

    Attributes:
        better: The call of the TensorFlow function.
        written: The formula, as it is written in the program.
    """

    better: str
    written: str


def without_overflow(statement: str, exp: str) -> Stable | None:
    """Return what to write instead of a softplus, sigmoid or softmax as a formula: `tf.math.log(1.0 + tf.exp(x))` →
    `tf.math.softplus(x)`.

    Args:
        statement: A statement.
        exp: The exponential in it that overflows, such as `tf.exp(x)`.
    """
    (x, *others), power = operands(exp) or [""], parsed(exp)
    try:
        nodes = list(walk(ast.parse(statement)))
    except SyntaxError:
        return None
    if others or power is None:
        return None
    e = ast.unparse(power)
    sums = [f"{one} + {e}" for one in ("1.0", "1")] + [f"{e} + {one}" for one in ("1.0", "1")]
    for node in nodes:
        match node:
            case ast.BinOp(
                left=above,
                op=ast.Div(),
                right=ast.Call(
                    func=ast.Attribute(attr="reduce_sum"), args=[below], keywords=settings
                ),
            ) if ast.unparse(above) == ast.unparse(below) == e:
                axis = next((each.value for each in settings if each.arg == "axis"), None)
                if axis is not None:
                    softmax = f"tf.nn.softmax({x}, axis={ast.unparse(axis)})"
                    return Stable(softmax, ast.unparse(node))
            case ast.Call(
                func=ast.Attribute(attr="log"),
                args=[ast.Call(func=ast.Attribute(attr="reduce_sum"), args=[inside]) as total],
            ) if ast.unparse(inside) == e:
                written = ast.unparse(node)
                total.func, total.args = ast.Name("tf.reduce_logsumexp"), [ast.Name(x)]
                return Stable(ast.unparse(total), written)
            case ast.Call(func=func, args=[inside], keywords=[]):
                called, given = ast.unparse(func), ast.unparse(inside)
                if (called.endswith(".log") and given in sums) or (
                    called.endswith(".log1p") and given == e
                ):
                    return Stable(f"tf.math.softplus({x})", ast.unparse(node))
            case ast.BinOp(left=above, op=ast.Div(), right=below) if ast.unparse(below) in sums:
                if ast.unparse(above) == e:
                    return Stable(f"tf.sigmoid({x})", ast.unparse(node))
                if ast.unparse(above) in ("1", "1.0") and x.startswith("-"):
                    return Stable(f"tf.sigmoid({x[1:]})", ast.unparse(node))
    return None


def swapped(text: str) -> str | None:
    """Return a call with its two arguments swapped: `pull(a, b)` → `pull(b, a)`."""
    match parsed(text):
        case ast.Call(func=func, args=[one, other], keywords=[]):
            return f"{ast.unparse(func)}({ast.unparse(other)}, {ast.unparse(one)})"
    return None


def with_other_side_stopped(statement: str, stopped: str) -> str | None:
    """Rewrite `(goal - tf.stop_gradient(q)) ** 2` as `tf.stop_gradient(goal) - q`; the two arguments of a call are handled in
    the same way.
    """
    stop = parsed(stopped)
    try:
        nodes = list(walk(ast.parse(statement)))
    except SyntaxError:
        return None
    if not isinstance(stop, ast.Call) or len(stop.args) != 1:
        return None
    inner, called, stop_text = ast.unparse(stop.args[0]), ast.unparse(stop.func), ast.unparse(stop)
    for node in nodes:
        match node:
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                if ast.unparse(right) == stop_text:
                    return f"{called}({ast.unparse(left)}) - {in_brackets(inner)}"
                if ast.unparse(left) == stop_text:
                    return f"{inner} - {called}({ast.unparse(right)})"
            case ast.Call(func=func, args=[one, other], keywords=[]):
                if ast.unparse(other) == stop_text:
                    return f"{ast.unparse(func)}({called}({ast.unparse(one)}), {inner})"
                if ast.unparse(one) == stop_text:
                    return f"{ast.unparse(func)}({inner}, {called}({ast.unparse(other)}))"
    return None


def with_floats(text: str, whole: str, original: str, dtype: str) -> str | None:
    """Rewrite integer arithmetic to use the float behind the integer: `at - left` → `x - tf.cast(left, dtype)`."""
    node, better = parsed(text), parsed(original)
    if not isinstance(node, ast.BinOp) or better is None:
        return None
    parts = list(walk(node))
    if whole not in {each.id for each in parts if isinstance(each, ast.Name)}:
        return None
    if any(isinstance(each, ast.Call) for each in parts):
        return None  # the result of a function is not known here
    holder = ast.Expression(node)
    changed: ast.Expression = _InFloats(whole, better, dtype).visit(holder)
    return ast.unparse(ast.fix_missing_locations(changed))


class _InFloats(ast.NodeTransformer):
    def __init__(self, whole: str, better: ast.expr, dtype: str) -> None:
        self._whole, self._better, self._dtype = whole, better, dtype

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == self._whole:
            return copy.deepcopy(self._better)
        return ast.parse(f"tf.cast({node.id}, {self._dtype})", mode="eval").body


def twin(called: str) -> str | None:
    """Return the TensorFlow function for a NumPy or Python function: `np.mean`, `math.sin`."""
    _, _, name = standard_name(called).partition(".")
    if name in _WITH_MORE:
        return _WITH_MORE[name][0]
    return f"tf.{name}" if name in _SAME_NAME else _TWINS.get(name)


@lru_cache(maxsize=256)  # called with the same line in each iteration
def in_tensorflow(text: str, rank: int = 1, names: Names = USUAL_NAMES) -> str | None:
    """Return a NumPy or `math` call rewritten with TensorFlow functions, including its arguments; `rank` is the rank of the
    joined values, and `names` are the names of NumPy in the program.
    """
    node = parsed(text)
    changed = translated(node, rank, names) if isinstance(node, ast.Call) else None
    return None if changed is None else ast.unparse(changed)


def translated(node: ast.Call, rank: int = 1, names: Names = USUAL_NAMES) -> ast.expr | None:
    """Return the same as a new tree; unchanged parts keep their locations."""
    try:
        changed: ast.expr = _Translator(rank, names).visit(copy.deepcopy(node))
    except LookupError:
        return None
    return ast.fix_missing_locations(changed)


class _Translator(ast.NodeTransformer):
    """Rewrites a tree; raises LookupError for a function without a TensorFlow counterpart."""

    def __init__(self, rank: int, names: Names) -> None:
        self._rank = rank
        self._names = names

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        called = standard_name(ast.unparse(node.func), self._names)
        module, _, name = called.partition(".")
        if module not in ("np", "math"):
            return node
        if f"np.{name}" in _COPYING and node.args:
            return node.args[0]
        instead = self._joined(name, node) or self._taken(name, node) or _sampled(name, node)
        if instead is not None:
            return instead
        known = twin(called)
        node.keywords = [each for each in node.keywords if not _asks_for_float32(each)]
        if known is None or any(each.arg == "out" for each in node.keywords):
            raise LookupError(called)
        node.func = ast.parse(known, mode="eval").body
        if name in _WITH_MORE:
            _, word, value = _WITH_MORE[name]
            if len(node.args) == (1 if word == "axis" else 2) and not node.keywords:
                given = ast.keyword(word, ast.Constant(int(value)))
                node.keywords.append(given)
        return node

    def _joined(self, name: str, node: ast.Call) -> ast.expr | None:
        """Return a call that joins rows or numbers, with the axis that TensorFlow needs."""
        given = [ast.unparse(each) for each in node.args]
        if node.keywords or len(given) != (2 if name == "append" else 1):
            return None
        if name == "append":
            text = f"tf.concat([{given[0]}, tf.reshape({given[1]}, [-1])], axis=0)"
        elif name in _JOINING:
            function, axis = _JOINING[name][self._rank > 1]
            text = f"{function}({given[0]}, axis={axis})"
        else:
            return None
        return ast.copy_location(ast.parse(text, mode="eval").body, node)

    def _taken(self, name: str, node: ast.Call) -> ast.expr | None:
        """Return the call that picks elements: `np.take(x, i, axis=1)` → `tf.gather(x, i, axis=1)`. Without an axis, NumPy
        counts through all elements of a matrix.
        """
        if name != "take" or not 2 <= len(node.args) <= 3:
            return None
        x, indices, *axes = map(ast.unparse, node.args)
        axes += [ast.unparse(each.value) for each in node.keywords if each.arg == "axis"]
        if len(node.args) + len(node.keywords) != 2 + len(axes):
            return None  # `mode` and `out` have no counterpart
        if axes:
            return parsed(f"tf.gather({x}, {indices}, axis={axes[0]})")
        return parsed(f"tf.gather({x if self._rank == 1 else f'tf.reshape({x}, [-1])'}, {indices})")


# Functions that draw samples: the TensorFlow function, and their two parameters.
_SAMPLING = {
    "normal": ("tf.random.normal", ("loc", "scale")),
    "uniform": ("tf.random.uniform", ("low", "high")),
}


def _asks_for_float32(setting: ast.keyword) -> bool:
    """Whether a setting is `dtype=np.float32`, which a tensor has anyway."""
    return setting.arg == "dtype" and ast.unparse(setting.value).endswith("float32")


def _sampled(name: str, node: ast.Call) -> ast.expr | None:
    """Return random samples with a gradient for their parameters: `mu + sigma * tf.random.normal(tf.shape(mu))`."""
    module, _, kind = name.rpartition(".")
    if module != "random" or kind not in _SAMPLING:
        return None
    function, (first, second) = _SAMPLING[kind]
    given = dict(zip((first, second, "size"), node.args, strict=False))
    given |= {each.arg: each.value for each in node.keywords if each.arg is not None}
    if not {first, second} <= set(given):
        return None
    mean, scale = given[first], given[second]
    like = scale if isinstance(mean, ast.Constant) else mean
    shape = f"tf.shape({ast.unparse(like)})"
    if "size" in given:
        size = ast.unparse(given["size"])
        shape = f"[{size}]" if isinstance(given["size"], ast.Constant) else size
    noise = parsed(f"{function}({shape})")
    assert noise is not None
    if kind == "uniform":
        scale = ast.BinOp(scale, ast.Sub(), copy.deepcopy(mean))
    return ast.copy_location(ast.BinOp(mean, ast.Add(), ast.BinOp(scale, ast.Mult(), noise)), node)


def sampled_in_tensorflow(text: str) -> str | None:
    """Return the same for a method of a random generator: `rng.normal(mu, sigma)`; None for other calls."""
    match parsed(text):
        case ast.Call(func=ast.Attribute(value=owner, attr=kind)) as node if (
            ast.unparse(owner).partition(".")[0] != "tf"
        ):
            better = _sampled(f"random.{kind}", node)
            return None if better is None else ast.unparse(ast.fix_missing_locations(better))
    return None


def without_conversion(statement: str, expression: str, names: Names = USUAL_NAMES) -> str | None:
    """Return a statement with the tensor in place of its conversion: `n += float(t)` → `n += t`."""
    is_item = f"{expression}.item()" in statement
    written = f"{expression}.item()" if is_item else expression
    match parsed(written):
        case ast.Call(func=ast.Name("float"), args=[_], keywords=[]):
            kept = written[written.index("(") + 1 : -1]
        case ast.Call(func=ast.Attribute(value=inside, attr="numpy" | "item"), args=[]):
            plain = re.sub(r"(\.numpy\(\)|\.item\(\))+$", "", written)
            kept = plain if plain != written else ast.unparse(inside)
        case _:
            return None
    before, found, after = statement.partition(written)
    after = after.removeprefix(".tolist()")
    if not found or statement.endswith(":"):
        return None
    digits = re.match(r"(, *\w+)?\)", after)
    if before.endswith("round(") and digits:  # rounding would cut the path as well
        before, after = before.removesuffix("round("), after[digits.end() :]
    if f"{kept} = " == before and not after:
        return None
    kept = kept[1:-1] if kept.startswith("(") and parsed(kept[1:-1]) is not None else kept
    starts, ends = (
        re.search(r"(= |[(\[,] ?|return |yield )$", before),
        after[:1] in ("", ")", ",", "]"),
    )
    better = f"{before}{kept if starts and ends else in_brackets(kept)}{after}"
    return statement_in_tensorflow(better, names)


def _calls_numpy(statement: str, names: Names) -> bool:
    heads = "|".join(re.escape(local) for local, _ in names)
    return bool(names) and re.search(rf"(?<![\w.])({heads})\b *[.(]", statement) is not None


def with_plain_tensor(statement: str, kept: str, dtype: str = "float32") -> str:
    """Return a statement without `round`, `float` and `tf.constant` around an expression that is a tensor now, also in an
    f-string; `dtype` is the dtype of the tensor.
    """
    try:
        tree = ast.parse(statement)
    except SyntaxError:
        return statement
    changed = _AroundTensor(kept, dtype).visit(tree)
    better = ast.unparse(ast.fix_missing_locations(changed))
    return statement if better == ast.unparse(ast.parse(statement)) else better


class _AroundTensor(ast.NodeTransformer):
    """Removes calls of `round`, `float` and `tf.constant`, and f-strings in them, around an expression that contains `kept`."""

    def __init__(self, kept: str, dtype: str) -> None:
        node = parsed(kept)
        self._kept = kept if node is None else ast.unparse(node)
        self._dtype = dtype

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name("float" | "round"), args=[given, *_]):
                inside = [ast.unparse(each) for each in walk(given) if isinstance(each, ast.expr)]
                if self._kept not in inside:
                    return node
                match given:
                    case ast.JoinedStr(values=[ast.FormattedValue(value=value)]):
                        return value
                    case ast.JoinedStr():
                        return node
                return given
            case (
                ast.Call(args=[given], keywords=[])
                | ast.Call(args=[given, _], keywords=[])
                | ast.Call(args=[given], keywords=[ast.keyword("dtype")])
            ) if makes_tensor(node):
                return self._without_constant(node, given)
        return node

    def _without_constant(self, node: ast.Call, given: ast.expr) -> ast.expr:
        """Return the tensor, or a cast of it if the constant has another dtype; the call itself if it has another argument."""
        inside = given
        while isinstance(inside, ast.Subscript):
            inside = inside.value
        is_kept = self._kept in (ast.unparse(given), ast.unparse(inside))
        if not is_kept and not self._is_computed(node, given):
            return node
        dtypes = [*node.args[1:], *(each.value for each in node.keywords)]
        if not dtypes or ast.unparse(dtypes[0]).strip("'").rpartition(".")[2] == self._dtype:
            return given
        return ast.Call(ast.parse("tf.cast", mode="eval").body, [given, dtypes[0]], [])

    def _is_computed(self, node: ast.Call, given: ast.expr) -> bool:
        """Whether a constant with a dtype is made of what TensorFlow computes from the tensor."""
        parts = [ast.unparse(each) for each in walk(given) if isinstance(each, ast.expr)]
        is_result = isinstance(given, ast.BinOp) or ast.unparse(given).startswith("tf.")
        return len(node.args) + len(node.keywords) == 2 and is_result and self._kept in parts


def makes_tensor(call: ast.Call) -> bool:
    """Whether a call creates a tensor from Python numbers, as `tf.constant` does; such a call is not needed for a tensor."""
    return ast.unparse(call.func) in ("tf.constant", "tf.convert_to_tensor")


def around_constant(statement: str, written: str, better: str, dtype: str) -> tuple[str, str]:
    """Return an expression and what to write instead, both with the `tf.constant(..., dtype)` around them, if there is one.

    A constant with a dtype would be a new tensor, without a path. `dtype` is the dtype of the tensor.
    """
    try:
        tree = ast.parse(f"{statement} pass" if statement.endswith(":") else statement)
    except SyntaxError:
        return written, better
    wanted, tensor = parsed(written), parsed(better)
    if wanted is None or tensor is None:
        return written, better
    for node in walk(tree):
        match node:
            case (
                ast.Call(args=[given, asked], keywords=[])
                | ast.Call(args=[given], keywords=[ast.keyword("dtype", asked)])
            ) if makes_tensor(node) and _is_operand(wanted, given):
                kept = renamed(ast.unparse(given), ast.unparse(wanted), better)
                is_same = ast.unparse(asked).strip("'").rpartition(".")[2] == dtype
                return ast.unparse(
                    node
                ), kept if is_same else f"tf.cast({kept}, {ast.unparse(asked)})"
    return written, better


def _is_operand(wanted: ast.expr, around: ast.expr) -> bool:
    """Whether an expression is another one, or an operand in its arithmetic."""
    text, waiting = ast.unparse(wanted), [around]
    for node in waiting:
        if ast.unparse(node) == text:
            return True
        if isinstance(node, ast.BinOp):
            waiting += [node.left, node.right]
        elif isinstance(node, ast.UnaryOp):
            waiting.append(node.operand)
    return False


def with_gather(statement: str, tensor: str, masks: AbstractSet[str]) -> tuple[str, str]:
    """Return a statement with `tf.gather` where it selects rows of a tensor by an array, which a tensor does not support, and
    the call; the statement and the tensor themselves if it selects none.

    `masks` are the names of boolean arrays, which select rows with `tf.boolean_mask`.
    """
    try:
        tree = ast.parse(statement)
    except SyntaxError:
        return statement, tensor
    for node in walk(tree):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == tensor:
            better = _gathered(node, masks)
            if better is not None:
                written = ast.unparse(node)
                return ast.unparse(tree).replace(written, better, 1), better
    return statement, tensor


def _gathered(chosen: ast.Subscript, masks: AbstractSet[str]) -> str | None:
    tensor, indices, axis = ast.unparse(chosen.value), chosen.slice, 0
    if isinstance(indices, ast.Tuple):
        parts = [(at, each) for at, each in enumerate(indices.elts) if not _is_all(each)]
        if len(parts) != 1:
            return None
        axis, indices = parts[0]
    if isinstance(indices, ast.Slice | ast.Constant):
        return None
    written = ast.unparse(indices)
    is_mask = isinstance(indices, ast.Compare | ast.UnaryOp) or written in masks
    setting = f", axis={axis}" if axis else ""
    return f"{'tf.boolean_mask' if is_mask else 'tf.gather'}({tensor}, {written}{setting})"


def _is_all(index: ast.expr) -> bool:
    """Whether an index is `:` or `...`."""
    return ast.unparse(index) in (":", "...")


def converted_name(statement: str, names: Names = USUAL_NAMES) -> str | None:
    """Return the name that a statement only converts, such as `kl` in `kl = float(kl)`; None for other statements.

    Without the conversion, the statement would assign the name to itself.
    """
    try:
        (node,) = ast.parse(statement).body
    except (SyntaxError, ValueError):
        return None
    match node:
        case ast.Assign(targets=[target], value=value):
            name = ast.unparse(target)
        case _:
            return None
    while True:
        match value:
            case ast.Call(func=ast.Attribute(value=inside, attr="numpy" | "item"), args=[]):
                value = inside
            case ast.Call(func=func, args=[inside], keywords=[]) if standard_name(
                ast.unparse(func), names
            ) in (*_COPYING, "float"):
                value = inside
            case _:
                is_converted = value is not node.value and ast.unparse(value) == name
                return name if is_converted else None


def statement_in_tensorflow(statement: str, names: Names) -> str | None:
    """Return the statement without NumPy, which would convert a tensor again; None if a function has no counterpart."""
    if not _calls_numpy(statement, names):
        return statement
    try:
        changed = _Translator(1, names).visit(ast.parse(statement).body[0])
    except (SyntaxError, LookupError):
        return None
    return ast.unparse(ast.fix_missing_locations(changed))


def values_in_tensorflow(
    statement: str, values: Iterable[str], rank: int, names: Names
) -> str | None:
    """Return the statement with each outermost NumPy call that contains one of the expressions `values` as TensorFlow calls;
    `rank` is the rank of the joined values.

    `np.exp(s) / np.sum(np.exp(s))` with `np.exp(s)` → `tf.exp(s) / tf.reduce_sum(tf.exp(s))`; calls on other numbers are
    unchanged.
    """
    try:
        tree = ast.parse(statement)
        given = {ast.unparse(ast.parse(each, mode="eval")) for each in values}
        changed = _OutermostTranslator(given, rank, names).visit(tree)
    except (SyntaxError, LookupError):
        return None
    return ast.unparse(ast.fix_missing_locations(changed))


class _OutermostTranslator(ast.NodeTransformer):
    """Translates the outermost NumPy calls that contain one of some expressions."""

    def __init__(self, values: AbstractSet[str], rank: int, names: Names) -> None:
        self._values = values
        self._rank = rank
        self._names = names

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = standard_name(ast.unparse(node.func), self._names)
        inside = (ast.unparse(each) for each in walk(node) if isinstance(each, ast.Call))
        if called.startswith("np.") and any(each in self._values for each in inside):
            return cast(ast.AST, _Translator(self._rank, self._names).visit(node))
        return self.generic_visit(node)


def with_points(text: str) -> str | None:
    """Return the same values as floats: `tf.Variable([3, 1])` → `tf.Variable([3.0, 1.0])`."""
    if "tf.int" in text:
        return re.sub(r"tf\.u?int\d+", "tf.float32", text)
    if re.search(r"shape|zeros|ones|fill|random|eye", text):
        return None
    changed = re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"\1.0", text)
    return changed if changed != text else None


def smooth_step(text: str) -> str | None:
    """Return a smooth step in place of a jump: `a > b` → `tf.sigmoid((a - b) / width)`; WIDTH introduces `width`."""
    node = parsed(text)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return None
    high, low = ast.unparse(node.left), ast.unparse(node.comparators[0])
    if isinstance(node.ops[0], ast.Lt | ast.LtE):
        high, low = low, high
    elif not isinstance(node.ops[0], ast.Gt | ast.GtE):
        return None
    return f"tf.sigmoid(({high} - {in_brackets(low)}) / width)"


def in_brackets(text: str) -> str:
    """Return an operand in parentheses if it is a sum, a product or has a sign."""
    return f"({text})" if isinstance(parsed(text), ast.BinOp | ast.UnaryOp) else text


def assigned(name: str, statement: str) -> str | None:
    """Return the statement that keeps a variable where `statement` replaced it with a tensor."""
    try:
        node = ast.parse(statement).body[0]
    except (SyntaxError, IndexError):
        return None
    match node:
        case ast.Assign(value=ast.ListComp() as made):
            return _loop_of_assigns(made.elt, made.generators)
        case ast.Assign(value=ast.DictComp() as made):
            return _loop_of_assigns(made.value, made.generators)
        case ast.Assign(value=ast.Dict() | ast.List() | ast.Tuple()):
            return None
        case ast.Assign(targets=[target], value=value):
            written = ast.unparse(target)
            return _assign(name if written.endswith(".replace") else written, value)
        case ast.Expr(value=ast.Call(func=ast.Name("setattr"), args=[owner, key, value])):
            return _assign(f"getattr({ast.unparse(owner)}, {ast.unparse(key)})", value)
    return None


def _assign(variable: str, value: ast.expr) -> str:
    match value:
        case ast.BinOp(op=ast.Sub() | ast.Add()) if ast.unparse(value.left) == variable:
            if isinstance(
                value.right, ast.Constant
            ):  # only `assign` repeats a number for each element
                return f"{variable}.assign({ast.unparse(value)})"
            how = "assign_sub" if isinstance(value.op, ast.Sub) else "assign_add"
            return f"{variable}.{how}({ast.unparse(value.right)})"
    return f"{variable}.assign({ast.unparse(value)})"


def _loop_of_assigns(made: ast.expr, iterations: list[ast.comprehension]) -> str | None:
    """Rewrite `[p - g for p, g in zip(ps, gs)]` as `for p, g in zip(ps, gs): p.assign_sub(g)`."""
    iteration = iterations[0]
    names = {each.id for each in walk(iteration.target) if isinstance(each, ast.Name)}
    first = next((each for each in walk(made) if isinstance(each, ast.Name)), None)
    variable = first.id if first is not None else ""
    if isinstance(made, ast.BinOp) and isinstance(made.left, ast.Name):
        variable = made.left.id
    if variable not in names or len(iterations) != 1:
        return None
    target = ast.unparse(iteration.target).strip("()")
    return f"for {target} in {ast.unparse(iteration.iter)}: {_assign(variable, made)}"


def with_opposite_condition(statement: str) -> str | None:
    """Return a statement with the opposite of its only test for equality: `m = tf.cast(x == 0, t)` → `m = tf.cast(x != 0, t)`."""
    try:
        tree = ast.parse(statement)
    except SyntaxError:
        return None
    tests = 0
    for node in walk(tree):
        match node:
            case ast.Compare(ops=[ast.Eq()]):
                node.ops, tests = [ast.NotEq()], tests + 1
            case ast.Call(func=ast.Attribute(attr="equal") as function):
                function.attr, tests = "not_equal", tests + 1
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Invert() | ast.Not()):
                return None
    return ast.unparse(tree) if tests == 1 else None


def persistent(statement: str) -> str:
    """Return the `with` statement of a tape, with `persistent=True`."""
    opened = re.search(r"(\w+\.)*GradientTape\(", statement)
    if opened is None or not statement.startswith("with "):
        return "tf.GradientTape(persistent=True)"
    for node in walk(_block(statement)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("GradientTape"):
            given = next((each.value for each in node.keywords if each.arg == "persistent"), None)
            if given is not None:
                return statement.replace(f"persistent={ast.unparse(given)}", "persistent=True")
    rest = statement[opened.end() :]
    return f"{statement[: opened.end()]}persistent=True{'' if rest.startswith(')') else ', '}{rest}"


def _block(head: str) -> ast.AST:
    """Return the tree of the first line of a block; an empty one for other text."""
    try:
        return ast.parse(f"{head.rstrip(':')}: pass")
    except SyntaxError:
        return ast.Module([], [])


def watching_by_itself(statement: str) -> str:
    """Return the `with` statement of a tape, without the option that turns off automatic watching."""
    return re.sub(
        r"watch_accessed_variables=False,? *|, *watch_accessed_variables=False", "", statement
    )


def with_target(text: str, target: str) -> str:
    """Return a gradient call with a different target: `tape.gradient(a + b, w)` → `tape.gradient(value, w)`."""
    node = parsed(text)
    for each in [] if node is None else walk(node):
        match each:
            case ast.Call(func=ast.Attribute(attr="gradient" | "jacobian" | "batch_jacobian")):
                for given in [given for given in each.keywords if given.arg == "target"]:
                    given.value = ast.Name(target)
                each.args[:1] = [ast.Name(target)] * len(each.args[:1])
                return ast.unparse(each)
    return text


def with_source(text: str, source: str) -> str:
    """Return a gradient call with a different source: `tape.gradient(y, a)` → `tape.gradient(y, b)`."""
    node = parsed(text)
    match node:
        case ast.Call(func=ast.Attribute(), args=[target, _, *others]):
            node.args = [target, ast.Name(source), *others]
            return ast.unparse(node)
    return text


def with_zeros(text: str) -> str | None:
    """Return a gradient call that returns zeros instead of None; None if the text is not such a call."""
    node = parsed(text)
    match node:
        case ast.Call(func=ast.Attribute(attr="gradient" | "jacobian"), keywords=settings):
            kept = [each for each in settings if each.arg != "unconnected_gradients"]
            node.keywords = [*kept, ast.keyword("unconnected_gradients", ast.Name('"zero"'))]
            return ast.unparse(node)
    return None


def renamed(text: str, old: str, new: str) -> str:
    """Return an expression with one object replaced by another: `[line.w, line.b]` → `[trial.w, trial.b]`."""
    node, better = parsed(text), parsed(new)
    if node is None or better is None:
        return text
    return ast.unparse(_Renamed(old, better).visit(ast.Expression(node)))


class _Renamed(ast.NodeTransformer):
    def __init__(self, old: str, better: ast.expr) -> None:
        self._old, self._better = old, better

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and ast.unparse(node) == self._old:
            return copy.deepcopy(self._better)
        return self.generic_visit(node)


def rounded_up(text: str) -> str | None:
    """Return the number of iterations, rounded up to include the last, incomplete one: `range(n // size)` → `range(-(-n //
    size))`.
    """
    match parsed(text):
        case ast.Call(func=ast.Name("range"), args=[ast.BinOp(op=ast.FloorDiv()) as division]):
            return f"range(-(-{in_brackets(ast.unparse(division.left))} // {ast.unparse(division.right)}))"
        case ast.Call(
            func=ast.Name("range"),
            args=[ast.Call(func=ast.Name("int"), args=[ast.BinOp(op=ast.Div()) as division])],
        ):
            left = in_brackets(ast.unparse(division.left))
            return f"range(int(-(-{left} // {ast.unparse(division.right)})))"
    return None


def renamed_owner(call: str, old: str, new: str) -> str | None:
    """Return a call with the attributes of another object: `of(a.weights)` → `of(b.weights)`.

    None if the call has no attribute of the first object, or also has one of the other.
    """

    def owner(name: str) -> str:
        return rf"(?<![\w.]){re.escape(name)}\.(?=\w)"

    if re.search(owner(new), call) is not None:
        return None
    changed = re.sub(owner(old), lambda _: f"{new}.", call)
    return None if changed == call else changed
