# ruff: noqa: E501  # program text is written as it comes out
"""Generates random Python programs of all kinds that use tapes, from a seed.

    written   the program of a seed
    Kind      the kind of value of an expression: a 2 × 2 matrix, a scalar tensor, a number, a string ...

All kinds of statements and expressions occur, in unusual layouts. All programs compile; most run to their end, and some raise.
The output of a program is the same in each run: it contains no addresses, times or unseeded random numbers.

With `known`, the programs also contain the hardest cases for a parser of source text: other encodings, CR line ends,
expressions of 400 terms.
"""

import io
import itertools
import random
import re
import sys
import tokenize
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

Lines = list["Simple | Block"]

_IS_3_12 = sys.version_info >= (3, 12)


class Kind(Enum):
    """The kind of value of an expression."""

    MATRIX = "m"  # a tensor of shape [2, 2]
    SCALAR = "s"
    NUMBER = "n"
    WHOLE = "i"
    TEXT = "t"
    TRUTH = "b"
    TENSORS = "l"  # a list of tensors


TENSOR = (Kind.MATRIX, Kind.SCALAR)


@dataclass
class Simple:
    """A statement without a body, whose text may have several lines."""

    text: str


@dataclass
class Block:
    """A statement with bodies: heads such as `if x:` and `else:`, each with its statements."""

    parts: list[tuple[list[str], Lines]]


_NAMES = (
    "x", "y", "w", "b", "h", "loss", "a_1", "_t", "__hidden", "naïve", "θ", "Δx", "ж", "変数", "ﬁt", "𝐱", "l",
    "O", "self", "tape_", "gradient", "out", "numpy", "model", "X", "type", "match", "case", "_", "sum_", "i",
)  # fmt: skip
_MAPS = (
    "tf.sin", "tf.tanh", "tf.square", "tf.nn.relu", "tf.abs", "tf.identity", "tf.stop_gradient",
    "tf.exp", "tf.math.log", "tf.sqrt", "tf.sign", "tf.round", "tf.floor", "tf.nn.sigmoid", "tf.negative",
    "tf.nn.softplus", "tf.math.reciprocal", "tf.zeros_like", "tf.keras.activations.elu", "half", "twice",
)  # fmt: skip
_OUT_AND_IN = (
    "tf.constant({}.numpy())", "tf.convert_to_tensor(np.sin({}))", "tf.cast(tf.cast({}, tf.int32), tf.float32)",
    "tf.constant(np.asarray({}) * 2)", "tf.Variable({})", "tf.constant({}.numpy().tolist())",
    "tf.cast(tf.cast({}, tf.float64), tf.float32)", "np.float32(1) * {}", "tf.py_function(lambda a: a * 2, [{}], tf.float32)",
)  # fmt: skip
_REDUCE = (
    "tf.reduce_sum", "tf.reduce_mean", "tf.reduce_max", "tf.norm", "tf.linalg.trace", "tf.reduce_logsumexp",
    "tf.nn.l2_loss", "tf.linalg.det", "tf.math.reduce_std", "tf.reduce_prod",
)  # fmt: skip
_WHOLE_MATRIX = (
    "tf.transpose({})", "{}[::-1]", "{}[:, ::-1]", "{}[..., (0):2]", "tf.nn.softmax({}, axis=-1)", "tf.sort({})",
    "tf.linalg.inv({} + 3 * tf.eye(2))", "tf.reshape({}, [2, -1])", "tf.cumsum({}, 0)", "tf.roll({}, 1, axis=0)",
    "tf.gather({}, [1, 0])", "tf.reverse({}, [0])", "tf.linalg.matmul({}, tf.eye(2), transpose_b=True)",
    "tf.concat(tf.split({}, 2), axis=0)", "tf.stack(tf.unstack({}))", "tf.einsum('ij->ji', {})",
    "tf.clip_by_value({}, -1, 1)", "tf.keras.layers.Dense(2)({})", "tf.keras.layers.Dropout(.5)({}, training=True)",
    "tf.keras.layers.LayerNormalization()({})", "tf.map_fn(lambda r: r * 2, {})", "tf.one_hot(tf.argmax({}, 1), 2)",
    "tf.tensor_scatter_nd_update({}, [[0]], tf.ones([1, 2]))", "tf.recompute_grad(tf.sin)({})",
)  # fmt: skip
_COMMENTS = (
    "# why?",
    "#",
    "#:type: ignore",
    "# TODO(me): μ → σ²",
    "#!odd",
    "# 'quoted\" (",
    "# with tf.GradientTape() as t:",
)
# Names that the grammar writes without asking for a fresh one, and built-in ones that it calls.
_FIXED = ("x", "y", "t", "g", "a", "b", "loss", "model", "type", "_", "numpy", "self", "out")
_HEAD = """\
@tf.custom_gradient
def half(x):
    def grad(upstream): return upstream * .5
    return tf.identity(x), grad
twice = lambda x, /, *rest, by=2, **more: x * by
"""


class Writer:
    """Generates one program.

    Args:
        seed: The seed; the same seed generates the same program.
        known: Whether to include the hardest cases.
    """

    def __init__(self, seed: int, *, known: bool = False) -> None:
        self.r = random.Random(seed)
        self.known = known
        self.scopes: list[dict[Kind, list[str]]] = [{kind: [] for kind in Kind}]
        self.functions: list[str] = []  # take a tensor, give one of its shape
        self.variables: list[str] = []
        self.count = 0
        self.taken = set(_FIXED)  # names without a number that are in use
        self.result: Kind | None = None  # what the function around returns
        self.in_function = self.in_loop = self.in_async = self.in_generator = False
        self.may_bind = True  # by a walrus
        self.layout = self.r.choice(("plain", "plain", "odd", "wild"))
        self.unit = self.r.choice(("    ", "    ", "  ", " ", "\t", "        "))

    # --- drawing ---

    def chance(self, share: float) -> bool:
        return self.r.random() < share

    def pick(self, *options: Callable[[int], str]) -> Callable[[int], str]:
        return self.r.choice(options)

    def fresh(self) -> str:
        """Return a name that the program does not use yet."""
        self.count += 1
        name = self.r.choice(_NAMES)
        if self.chance(0.1) and name not in self.taken:
            self.taken.add(name)
            return name
        return f"{name}{self.count}"

    def bind(self, kind: Kind, name: str | None = None) -> str:
        """Return a name that is now bound to a value of this kind, and to no other kind."""
        name = name or self.fresh()
        for held in self.scopes[-1].values():
            while name in held:
                held.remove(name)
        self.scopes[-1][kind].append(name)
        return name

    def assigned(self, kind: Kind, value: str) -> str:
        """Return an assignment to a new name, which the value itself cannot use yet."""
        return f"{self.bind(kind)} = {value}"

    def known_names(self, *kinds: Kind) -> list[str]:
        inner: set[str] = set()
        found: list[str] = []
        for scope in reversed(self.scopes):
            found += [name for kind in kinds for name in scope[kind] if name not in inner]
            inner |= {name for held in scope.values() for name in held}
        return found

    @contextmanager
    def scope(self, **flags: bool | Kind | None) -> Iterator[None]:
        """Names that are bound inside the block are discarded after it."""
        before = {name: getattr(self, name) for name in flags}
        self.scopes.append({kind: [] for kind in Kind})
        for name, value in flags.items():
            setattr(self, name, value)
        yield
        self.scopes.pop()
        for name, value in before.items():
            setattr(self, name, value)

    # --- expressions ---

    def tensor(self, d: int, kind: Kind | None = None) -> str:
        kind = kind or self.r.choice(TENSOR)
        return self.matrix(d) if kind is Kind.MATRIX else self.scalar(d)

    def of(self, kind: Kind, d: int) -> str:
        return {
            Kind.MATRIX: self.matrix,
            Kind.SCALAR: self.scalar,
            Kind.NUMBER: self.number,
            Kind.WHOLE: self.whole,
            Kind.TEXT: self.text,
            Kind.TRUTH: self.truth,
            Kind.TENSORS: self.tensors,
        }[kind](d)

    def leaf(self, kind: Kind) -> str:
        names = self.known_names(kind)
        if names and self.chance(0.9):
            return self.r.choice(names[-8:])
        if kind is Kind.MATRIX:
            return self.r.choice(
                (
                    "tf.ones([2, 2])",
                    "tf.eye(2)",
                    "tf.constant([[1., 2], [3, -4]])",
                    "tf.fill((2, 2), .5)",
                )
            )
        return self.r.choice(
            ("tf.constant(2.)", "tf.constant(-1.5)", "tf.zeros(())", "tf.constant(1e-3)")
        )

    def matrix(self, d: int) -> str:
        if d <= 0:
            return self.leaf(Kind.MATRIX)
        options = (
            lambda d: f"{self.r.choice(_MAPS)}({self.matrix(d)})",
            lambda d: self.r.choice(_WHOLE_MATRIX).format(self.atom(Kind.MATRIX, d)),
            lambda d: f"{self.matrix(d)} {self.r.choice('+-*@')} {self.atom(Kind.MATRIX, d)}",
            lambda d: (
                f"{self.matrix(d)} {self.r.choice(('+', '-', '*', '/'))} {self.atom(self.r.choice((Kind.SCALAR, Kind.NUMBER)), d)}"
            ),
            lambda d: (
                f"tf.where({self.atom(Kind.MATRIX, d)} > 0, {self.matrix(d)}, {self.matrix(d)})"
            ),
            lambda d: self.shared(Kind.MATRIX, d),
        )
        return self.pick(*options)(d - 1)

    def scalar(self, d: int) -> str:
        if d <= 0:
            return self.leaf(Kind.SCALAR)
        options = (
            lambda d: f"{self.r.choice(_REDUCE)}({self.matrix(d)})",
            lambda d: f"{self.r.choice(_MAPS)}({self.scalar(d)})",
            lambda d: (
                f"{self.scalar(d)} {self.r.choice(('+', '-', '*', '/', '**', '//', '%'))} {self.atom(self.r.choice((Kind.SCALAR, Kind.NUMBER)), d)}"
            ),
            lambda d: (
                f"{self.atom(Kind.MATRIX, d)}[{self.r.randrange(2)}, {self.r.choice((0, 1, -1))}]"
            ),
            lambda d: f"tf.add_n({self.tensors(d)})",
            lambda d: f"sum({self.tensors(d)})",
            lambda d: f"tf.constant({self.number(d)}, tf.float32)",
            lambda d: (
                f"tf.cond({self.scalar(d)} > 0, lambda: {self.unbound(Kind.SCALAR, d)}, lambda: {self.unbound(Kind.SCALAR, d)})"
            ),
            lambda d: self.shared(Kind.SCALAR, d),
        )
        return self.pick(*options)(d - 1)

    def shared(self, kind: Kind, d: int) -> str:
        """Return an expression for a value of any kind, in one of the forms that Python has."""
        of = lambda: self.of(kind, d)  # noqa: E731
        atom = lambda: self.atom(kind, d)  # noqa: E731
        maybe = lambda: self.maybe(kind, d)  # noqa: E731
        truth = lambda: self.maybe(Kind.TRUTH, min(d, 1))  # noqa: E731
        options: list[Callable[[int], str]] = [
            lambda d: f"({maybe()} if {truth()} else {maybe()})",
            lambda d: f"(lambda {self._parameters()}: {self.unbound(kind, d)})()",
            lambda d: f"[{of()}, {of()}][{self.r.choice(('0', '-1', ':1', '1:', '::2'))}]",
            lambda d: f"{{'a': {of()}, **{{}}, 'b': {of()}}}[{self.r.choice(('a', 'b'))!r}]",
            lambda d: f"({of()}, {of()})[{self.r.choice((0, 1, -1))}]",
            lambda d: f"next(iter([{of()}]))",
            lambda d: f"next(q for q in [{of()}] if True)",
            lambda d: f"[q for p in range(1) if p == 0 for q in [{self.unbound(kind, d)}]][-1]",
            lambda d: f"{{p: {self.unbound(kind, d)} for p in 'ab'}}['a']",
            lambda d: f"[*[{of()}], *({of()},)][0]",
            lambda d: f"({of()})",
            lambda d: f"(None or [{of()}])[0]",
        ]
        if kind in TENSOR:
            options += [
                lambda d: self.r.choice(_OUT_AND_IN).format(atom()),
                lambda d: f"tf.add(*[{of()}, {of()}])",
                lambda d: f"tf.multiply(**{{'x': {of()}, 'y': {of()}}})",
                lambda d: f"-{atom()}",
                lambda d: f"getattr(tf, 'sin')({of()})",
                lambda d: f"functools.reduce(lambda a, b: a + b, [{of()}, {of()}])",
                lambda d: f"functools.partial(tf.maximum, {of()})({of()})",
                lambda d: f"operator.mul({of()}, {of()})",
                lambda d: f"list(map(tf.sin, [{of()}]))[0]",
                lambda d: f"tf.function(lambda q: q * 2)({of()})",
            ]
            if self.functions:
                options += [lambda d: f"{self.r.choice(self.functions)}({of()})"] * 4
            if self.in_async:
                options += [lambda d: f"await later({of()})"] * 3
        if self.in_generator:
            options += [lambda d: f"((yield {self.scalar(0)}) or {maybe()})"]
        if self.may_bind:
            options += [self._walrus(kind)] * 2
        text = self.r.choice(options)(d)
        return text if not re.search(r"\[(:1|1:|::2)\]$", text) else f"{text}[0]"

    def _walrus(self, kind: Kind) -> Callable[[int], str]:
        def bound(d: int) -> str:
            value = self.of(kind, d)
            return f"({self.bind(kind)} := {value})"

        return bound

    def _parameters(self) -> str:
        return self.r.choice(("", "*_", "p=1, *, q=None", "p=2, /, **k", "*a, **k"))

    def maybe(self, kind: Kind, d: int) -> str:
        """Return an expression that may not be evaluated, so the names that it binds are discarded."""
        with self.scope():
            return self.of(kind, d)

    def unbound(self, kind: Kind, d: int) -> str:
        """Return an expression without walruses, `await` and `yield`, which can be used inside another function."""
        with self.scope(may_bind=False, in_async=False, in_generator=False):
            return self.of(kind, d)

    def atom(self, kind: Kind, d: int) -> str:
        """Return an expression that needs no parentheses before `.`, `[` or an operator."""
        text = self.of(kind, d)
        return text if re.fullmatch(r"\w+|\w[\w.]*\([^()]*\)", text) else f"({text})"

    def number(self, d: int) -> str:
        if d <= 0:
            names = self.known_names(Kind.NUMBER)
            if names and self.chance(0.5):
                return self.r.choice(names)
            return self.r.choice(
                ("2", "0.5", "1e-2", "3.", ".25", "1_000e-3", "0x1F", "0b11", "-1", "True", "1e0")
            )
        options = (
            lambda d: f"float({self.scalar(d)})",
            lambda d: f"{self.atom(Kind.SCALAR, d)}.numpy()",
            lambda d: f"{self.number(d)} {self.r.choice('+-*')} {self.atom(Kind.NUMBER, d)}",
            lambda d: f"abs({self.number(d)})",
            lambda d: f"np.square({self.number(d)})",
            lambda d: f"math.tanh({self.number(d)})",
            lambda d: f"len({self.text(d)})",
            lambda d: f"{self.atom(Kind.SCALAR, d)}.numpy().item()",
            lambda d: f"max({self.number(d)}, {self.number(d)}, key=lambda v: -v)",
            lambda d: (
                f"sum(v * {self.unbound(Kind.NUMBER, 0)} for v in range(3) if v % 2 if v >= 0)"
            ),
            lambda d: f"(2 + 1j * {self.number(d)}).real",
            lambda d: f"round({self.number(d)}, 3)",
            lambda d: self.shared(Kind.NUMBER, d),
        )
        return self.pick(*options)(d - 1)

    def whole(self, d: int) -> str:
        if d <= 0:
            return self.r.choice(["1", "2", "3", *self.known_names(Kind.WHOLE)])
        options = (
            lambda d: (
                f"{self.whole(d)} {self.r.choice(('+', '%', '&', '|', '^'))} {self.r.choice(('2', '3', '0o7'))}"
            ),
            lambda d: f"~{self.atom(Kind.WHOLE, d)} & 1",
            lambda d: f"1 << {self.atom(Kind.WHOLE, d)} % 3",
            lambda d: f"len({self.tensors(d)})",
            lambda d: f"int(tf.argmax({self.matrix(d)}, 1)[0])",
            lambda d: self.shared(Kind.WHOLE, d),
        )
        return self.pick(*options)(d - 1)

    def truth(self, d: int) -> str:
        if d <= 0:
            return self.r.choice(
                [
                    "True",
                    "not False",
                    "1",
                    "None is None",
                    "'a' in 'abc'",
                    *self.known_names(Kind.TRUTH),
                ]
            )
        options = (
            lambda d: f"{self.number(d)} {self.r.choice(('<', '>=', '!=', '=='))} {self.number(d)}",
            lambda d: f"-9 < {self.number(d)} <= {self.maybe(Kind.NUMBER, d)} != 77",
            lambda d: (
                f"({self.truth(d)} {self.r.choice(('and', 'or'))} not ({self.maybe(Kind.TRUTH, d)}))"
            ),
            lambda d: f"{self.scalar(d)} > 0",
            lambda d: f"bool({self.scalar(d)} < {self.scalar(d)})",
            lambda d: f"isinstance({self.tensor(d)}, tf.Tensor)",
            lambda d: f"{self.whole(d)} not in {{1, 2, *range(3, 5)}}",
            lambda d: f"any(e is not ... for e in {self.tensors(d)})",
            lambda d: self.shared(Kind.TRUTH, d),
        )
        return self.pick(*options)(d - 1)

    def text(self, d: int) -> str:
        if d <= 0:
            plain = (
                "'a'",
                '"ü ∂"',
                "r'\\d'",
                "b'x'.decode()",
                "'''b'''",
                "'a' \"b\"",
                "'\\N{BULLET}\\x41'",
                "str(...)",
            )
            return self.r.choice([*plain, *self.known_names(Kind.TEXT)])
        options = (
            lambda d: self.f_string(d),
            lambda d: self.f_string(d),
            lambda d: f"'%s' % ({self.number(d)},)",
            lambda d: f"'{{:>5}}'.format({self.text(d)})",
            lambda d: f"{self.text(d)} + {self.atom(Kind.TEXT, d)}",
            lambda d: (
                f"','.join([{self.text(d)} for _ in range(2)])"
                if not self.may_bind
                else f"'-'.join(({self.text(d)},))"
            ),
            lambda d: self.shared(Kind.TEXT, d),
        )
        return self.pick(*options)(d - 1)

    def f_string(self, d: int) -> str:
        """Return an f-string, in which inner quotes must differ from the outer ones."""
        with self.scope(may_bind=False):
            inner = self.number(d) if self.chance(0.5) else self.scalar(d)
        if any(sign in inner for sign in ("'", '"', "\\", "\n", "{", "#", "lambda", ":")):
            inner = self.leaf(Kind.SCALAR)
        form = self.r.choice(("", ":.3f", "!r", "!s:>12", "=", ":{3 + 4}.{2}f", " :.1e"))
        if form in (":.3f", ":{3 + 4}.{2}f", " :.1e"):
            inner = f"float({inner})"
        text = f"{{{{{{{inner}{form}}}}}}} "
        return self.r.choice(
            (
                f"f'{text}'",
                f'rf"{text}"',
                f"f'''{text}\n  {{1}}\n'''",
                f"'a' f'{text}' \"b\"",
                f'F"""\n{text}"""',
            )
        )

    def tensors(self, d: int) -> str:
        names = self.known_names(Kind.TENSORS)
        if names and self.chance(0.3):
            return self.r.choice(names)
        one = lambda: self.scalar(max(0, d - 1))  # noqa: E731
        form = self.r.choice(("[{}, {}]", "[*({},), {}]", "list(({},))", "[{}] * 2"))
        return self.filled(form, one)

    def filled(self, form: str, *draws: Callable[[], str]) -> str:
        """Fill a template with a random value for each `{}`; only the chosen parts bind names."""
        following = itertools.cycle(draws)
        return re.sub(r"\{\}", lambda _: next(following)(), form)

    def any(self, d: int) -> tuple[Kind, str]:
        kind = self.r.choice(
            (
                Kind.MATRIX,
                Kind.SCALAR,
                Kind.MATRIX,
                Kind.SCALAR,
                Kind.NUMBER,
                Kind.TEXT,
                Kind.WHOLE,
                Kind.TRUTH,
                Kind.TENSORS,
            )
        )
        return kind, self.of(kind, d)

    # --- statements ---

    def body(self, d: int, most: int = 4) -> Lines:
        return [each for _ in range(self.r.randint(1, most)) for each in self.statement(d)]

    def inner(self, d: int, most: int = 3, **flags: bool | Kind | None) -> Lines:
        """Return the body of a statement that may not run, so its names are discarded after it."""
        with self.scope(**flags):
            return self.body(d - 1, most)

    def statement(self, d: int) -> Lines:
        simple = (
            self.assignment, self.assignment, self.assignment, self.unpacking, self.augmented, self.annotated,
            self.chained, self.printed, self.expression, self.deleted, self.asserted, self.stored, self.state,
            self.passed, self.imported,
        )  # fmt: skip
        compound = (
            self.branch, self.loop, self.loop, self.counted, self.tried, self.tried_star, self.matched, self.function,
            self.function, self.klass, self.taped, self.taped, self.taped, self.taped, self.generator, self.asynchronous, self.data_class,
            self.model, self.nested_tapes, self.with_items, self.closure, self.decorated,
            *((self.generic, self.generic) if _IS_3_12 else ()),
        )  # fmt: skip
        if d > 0 and self.chance(0.4):
            return self.r.choice(compound)(d)
        return self.r.choice(simple)(d)

    def assignment(self, d: int) -> Lines:
        kind, value = self.any(self.r.randint(1, 3))
        again = [each for each in self.scopes[-1][kind] if each not in self.variables]
        if again and self.chance(0.2):  # of the same kind, because functions may use the name
            return [Simple(f"{self.r.choice(again)} = {value}")]
        return [Simple(self.assigned(kind, value))]

    def unpacking(self, d: int) -> Lines:
        values = [self.tensor(1, Kind.SCALAR) for _ in range(3)]
        a, b, c = (self.bind(Kind.SCALAR) for _ in range(3))
        form = self.r.choice(("{0}, {1}, {2} = {3}, {4}, {5}", "({0}, [{1}, {2}]) = {3}, ({4}, {5})", "{0}, *{2} = [{3}, {4}, {5}]",
                              "[{0}, {1}, *_] = {3}, {4}, {5}"))  # fmt: skip
        text = form.format(a, b, c, *values)
        for name in (a, b, c):
            if name not in text.partition("=")[0] or f"*{name}" in text:
                self.forget(name)
        return [Simple(text)]

    def forget(self, name: str) -> None:
        for held in self.scopes[-1].values():
            while name in held:
                held.remove(name)

    def augmented(self, d: int) -> Lines:
        names = self.scopes[-1][Kind.SCALAR] + self.scopes[-1][Kind.MATRIX]
        names = [each for each in names if each not in self.variables]
        if not names:
            return self.assignment(d)
        return [
            Simple(
                f"{self.r.choice(names)} {self.r.choice(('+=', '-=', '*=', '/='))} {self.tensor(1, Kind.SCALAR)}"
            )
        ]

    def annotated(self, d: int) -> Lines:
        kind, value = self.any(1)
        form = self.r.choice(
            (
                "tf.Tensor",
                "'later'",
                "dict[str, int] | None",
                "list[...]",
                "(yes := 3)" if self.may_bind and not self.in_function else "int",
            )
        )
        return [Simple(f"{self.bind(kind)}: {form} = {value}")]

    def chained(self, d: int) -> Lines:
        kind, value = self.any(1)
        return [Simple(f"{self.fresh()} = {self.bind(kind)} = {value}")]

    def printed(self, d: int) -> Lines:
        text = self.r.choice(
            (self.number, self.text, self.whole, self.scalar, self.matrix, self.truth)
        )(2)
        end = self.r.choice(("", ", end=''", ", sep='', flush=True"))
        return [Simple(f"print({text}{end})")]

    def expression(self, d: int) -> Lines:
        return [Simple(self.any(2)[1])]

    def deleted(self, d: int) -> Lines:
        names = [
            each for held in self.scopes[-1].values() for each in held if each not in self.variables
        ]
        is_used_later = len(self.scopes) == 1 and self.functions
        if not names or is_used_later or not self.chance(0.5):
            return (
                [Simple("none: object = [1, 2, 3]"), Simple("del none[::2], none")]
                if self.may_bind
                else self.passed(d)
            )
        name = self.r.choice(names)
        self.forget(name)
        return [Simple(self.r.choice((f"del {name}", f"del ({name})", f"del [{name}]")))]

    def asserted(self, d: int) -> Lines:
        return [Simple(f"assert {self.truth(1)} or True, {self.maybe(Kind.TEXT, 1)}")]

    def stored(self, d: int) -> Lines:
        name = self.fresh()
        value = self.tensor(2)
        return [Simple(f"{name} = types.SimpleNamespace(a={{}}, b=[0])"), Simple(f"{name}.a['k'], {name}.b[0:1] = {value}, [1]"),
                Simple(self.assigned(Kind.SCALAR, f"tf.reduce_sum({name}.a['k'])"))]  # fmt: skip

    def state(self, d: int) -> Lines:
        if not self.variables:
            return self.assignment(d)
        name = self.r.choice(self.variables)
        how = self.r.choice(("assign", "assign_add", "assign_sub"))
        return [
            Simple(
                f"{name}.{how}({self.r.choice(('tf.ones_like', 'tf.sin', '0.1 * tf.tanh'))}({name}))"
            )
        ]

    def passed(self, d: int) -> Lines:
        if self.in_loop and self.chance(0.3):
            return [Simple(self.r.choice(("continue", "break")))]
        if self.in_function and not self.in_generator and not self.in_async and self.chance(0.1):
            return [Simple(f"return {self.tensor(1, self.result)}")]
        return [
            Simple(
                self.r.choice(
                    ("pass", "...", "0", "'''a string\n  alone'''", "None", "(1, 2)", "b'x'")
                )
            )
        ]

    def imported(self, d: int) -> Lines:
        return [
            Simple(
                self.r.choice(
                    (
                        "import numpy as np",
                        "import math",
                        "from math import pi as π, e",
                        "import os.path",
                        "from collections import (deque,\n  OrderedDict,)",
                        "import tensorflow.keras as keras",
                        "from tensorflow import math as tfm",
                    )
                )
            )
        ]

    # --- statements with bodies ---

    def branch(self, d: int) -> Lines:
        parts = [([f"if {self.truth(2)}:"], self.inner(d))]
        if self.chance(0.4):
            parts.append(([f"elif {self.maybe(Kind.TRUTH, 1)}:"], self.inner(d)))
        if self.chance(0.4):
            parts.append((["else:"], self.inner(d)))
        return [Block(parts)]

    def loop(self, d: int) -> Lines:
        with self.scope(in_loop=True):
            head = self.r.choice((
                lambda: self.head("for {1} in {0}:", f"range({self.r.randint(1, 3)})", Kind.WHOLE),
                lambda: self.head("for _, ({1}) in enumerate({0}):", self.tensors(1), Kind.SCALAR),
                lambda: self.head("for {1} in {0}:", self.tensors(1), Kind.SCALAR),
                lambda: f"for {self.fresh()}, *_ in zip('ab', {self.tensors(0)}):",
                lambda: self.head("for {1} in {0}:", "1, 2", Kind.WHOLE),
                lambda: self.head("for {1} in {0}:", f"{self.leaf(Kind.MATRIX)}[0]", Kind.SCALAR),
            ))()  # fmt: skip
            parts = [([head], self.body(d - 1, 3))]
        if self.chance(0.3):
            parts.append((["else:"], self.inner(d)))
        return [Block(parts)]

    def head(self, form: str, value: str, kind: Kind) -> str:
        """Return the head of a loop over a value, which cannot use the loop variable yet."""
        return form.format(value, self.bind(kind))

    def counted(self, d: int) -> Lines:
        name = self.fresh()
        with self.scope(in_loop=True):
            body = [Simple(f"{name} += 1"), *self.body(d - 1, 2)]
        parts = [([f"while {name} < {self.r.randint(1, 3)}:"], body)]
        if self.chance(0.3):
            parts.append((["else:"], self.inner(d)))
        return [Simple(f"{name} = 0"), Block(parts)]

    def tried(self, d: int) -> Lines:
        body = self.inner(d)
        if self.chance(0.5):
            body += self.r.choice(
                (
                    [Simple("raise ValueError('x') from None")],
                    [Simple("tf.ones([2]) + tf.ones([3])")],
                    [Simple("1 / 0")],
                    [Simple("undefined")],
                )
            )
        parts = [(["try:"], body)]
        if self.chance(0.8):
            parts.append(
                (
                    [
                        self.r.choice(
                            (
                                "except (ValueError, tf.errors.InvalidArgumentError) as e:",
                                "except Exception:",
                                "except:",
                            )
                        )
                    ],
                    self.inner(d),
                )
            )
            if parts[-1][0] != ["except:"] and self.chance(0.3):
                parts.append(
                    (
                        ["except BaseException as error:"],
                        [*self.inner(d), Simple("print(type(error).__name__)")],
                    )
                )
            if self.chance(0.3):
                parts.append((["else:"], self.inner(d)))
        if len(parts) == 1 or self.chance(0.3):
            parts.append((["finally:"], self.inner(d, in_loop=False, in_function=False)))
        return [Block(parts)]

    def tried_star(self, d: int) -> Lines:
        flags = {"in_loop": False, "in_function": False}
        group = "raise ExceptionGroup('g', [ValueError(1), TypeError('t')])"
        return [Block([(["try:"], [*self.inner(d), Simple(group)]), (["except* ValueError as group:"], self.inner(d, **flags)),
                       (["except* (TypeError, OSError):"], self.inner(d, **flags))])]  # fmt: skip

    def matched(self, d: int) -> Lines:
        subject = self.r.choice(
            (
                lambda: f"[{self.number(1)}, {self.text(1)}]",
                lambda: f"{{'a': {self.tensor(1)}, 'b': 2}}",
                lambda: self.number(1),
                lambda: f"{self.whole(1)}, {self.whole(0)}",
                lambda: "types.SimpleNamespace(x=1, y=[2])",
                lambda: self.text(1),
            )
        )()
        patterns = ("case [int() | float() as n, str(t)]:", "case {'a': a, **rest}:", "case 1 | 2 | -3:", "case (x, y) if x is y:",
                    "case types.SimpleNamespace(x=1, y=[*_, 2]):", "case None | True | 'a' | b'b':", "case [[_, *more], *_] | [{'k': _, **more}]:",
                    "case math.pi:", "case str() as s:", "case {1: [], 'q': 2 + 3j}:", "case []:", "case {}:")  # fmt: skip
        parts: list[tuple[list[str], Lines]] = [
            ([each], self.inner(d, 2)) for each in self.r.sample(patterns, self.r.randint(1, 3))
        ]
        parts.append((["case _:"], self.inner(d, 2)))
        return [Block([([f"match {subject}:"], [Block([part]) for part in parts])])]

    def function(self, d: int) -> Lines:
        name, kind = self.fresh(), self.r.choice(TENSOR)
        with self.scope(
            in_function=True,
            in_loop=False,
            in_async=False,
            in_generator=False,
            may_bind=True,
            result=kind,
        ):
            parameter = self.bind(kind)
            rest = self.r.choice(
                (
                    "",
                    ", *args",
                    ", /, q=2, *, r: 'int' = 3",
                    ", **kw",
                    f", q: {self.r.choice(('str', 'int | None'))} = None, *a, z=..., **kw",
                    ", q=lambda v: v",
                )
            )
            result = self.r.choice(("", " -> tf.Tensor", " -> 'x'"))
            heads = [*self.decorators(), f"def {name}({parameter}: tf.Tensor{rest}){result}:"]
            body: Lines = (
                [Simple("'''Says what it is for.\n\n  >>> 1\n'''")] if self.chance(0.3) else []
            )
            if self.chance(0.2):
                body += [Simple("global counter"), Simple("counter = 1")]
            body += self.body(d - 1, 3)
            body.append(Simple(f"return tf.reshape({self.of(kind, 2)}, tf.shape({parameter}))"))
        wrapped = f"lambda q: {name}(q)" if self.chance(0.2) else name
        lines: Lines = [Block([(heads, body)])]
        if len(self.scopes) == 1:
            self.functions.append(name if wrapped == name else f"({wrapped})")
        else:
            arg = self.matrix(1) if kind is Kind.MATRIX else self.scalar(1)
            lines.append(Simple(self.assigned(kind, f"{name}({arg})")))
        return lines

    def decorators(self) -> list[str]:
        return self.r.choice(([], [], [], ["@tf.function"], ["@tf.function(", "    reduce_retracing=True,", ")"],
                              ["@functools.wraps(", "  tf.sin)"], ["@(lambda f: f)"], ["@tf.recompute_grad"], ["@same", "# and so", "@same"]))  # fmt: skip

    def decorated(self, d: int) -> Lines:
        name = self.fresh()
        return [Simple(f"{name} = same(lambda v, *_: v * {self.number(1)})") if self.chance(0.3) else Block([(["@same", "", f"def {name}(v, *_):"], [Simple("return v * 2")])]),
                Simple(self.assigned(Kind.SCALAR, f"tf.reduce_sum({name}({self.matrix(1)}, 1))"))]  # fmt: skip

    def generic(self, d: int) -> Lines:
        """Return syntax that Python supports since 3.12: type parameters, `type`, the same quotes inside an f-string."""
        alias, name, box = self.fresh(), self.fresh(), self.fresh().title()
        default = self.r.choice(("", " = int")) if sys.version_info >= (3, 13) else ""
        value = self.tensor(1)
        return [
            Simple(f"type {alias}[T: (int, str), *Ts, **P{default and ' = [int]'}] = dict[T, tuple[*Ts]]"),
            Block([([f"def {name}[T{default}](v: T, *rest: {alias}) -> T:"], [Simple("return v")])]),
            Block([([f"class {box}[T{default}]:"], [Simple("held: T | None = None")])]),
            Simple(f"print(f'{{[{{'a': 1}}['a'], f'{{{box}.held}}']}}')"),
            Simple(self.assigned(Kind.SCALAR, f"tf.reduce_sum({name}({value}))")),
        ]  # fmt: skip

    def closure(self, d: int) -> Lines:
        outer, inner, free = self.fresh(), self.fresh(), f"free{self.count}"
        with self.scope(
            in_function=True,
            in_loop=False,
            in_async=False,
            in_generator=False,
            may_bind=True,
            result=None,
        ):
            within = Block(
                [
                    (
                        [f"def {inner}(by={self.number(0)}):"],
                        [
                            Simple(f"nonlocal {free}"),
                            Simple(f"{free} = {free} * by"),
                            Simple(f"return {free}"),
                        ],
                    )
                ]
            )
            body: Lines = [
                Simple(f"{free} = {self.scalar(1)}"),
                within,
                Simple(f"return {inner}() + {inner}(by=3)"),
            ]
        return [
            Block([([f"def {outer}():"], body)]),
            Simple(self.assigned(Kind.SCALAR, f"{outer}()")),
        ]

    def generator(self, d: int) -> Lines:
        name = self.fresh()
        with self.scope(
            in_function=True, in_loop=False, in_async=False, in_generator=True, may_bind=True
        ):
            body = [
                *self.body(d - 1, 2),
                Simple(f"yield {self.tensor(2)}"),
                Simple(f"got = yield {self.scalar(1)}"),
                Simple(f"yield from [{self.scalar(1)}]"),
            ]
        return [
            Block([([f"def {name}():"], body)]),
            Simple(
                self.assigned(Kind.SCALAR, f"tf.add_n([tf.reduce_sum(each) for each in {name}()])")
            ),
        ]

    def asynchronous(self, d: int) -> Lines:
        if self.in_async or self.in_generator or self.in_function:
            return self.assignment(d)
        name = self.fresh()
        with self.scope(
            in_function=True, in_loop=False, in_async=True, in_generator=False, may_bind=True
        ):
            body = self.body(d - 1, 2)
            body.append(
                Block(
                    [
                        (
                            [f"async for {self.bind(Kind.SCALAR)} in several():"],
                            self.inner(d, 2, in_loop=True),
                        )
                    ]
                )
            )
            body.append(Block([(["async with opened() as thing, opened():"], self.inner(d, 2))]))
            body.append(
                Simple(
                    f"return [q async for q in several() if await later(True)][0] * {self.scalar(1)}"
                )
            )
        return [
            Block([([f"async def {name}():"], body)]),
            Simple(self.assigned(Kind.SCALAR, f"tf.reduce_sum(asyncio.run({name}()))")),
        ]

    def klass(self, d: int) -> Lines:
        name = self.fresh().title()
        base = self.r.choice(
            ("", "()", "(Base)", "(Base, metaclass=Meta)", "(tf.keras.layers.Layer)", "(tf.Module)")
        )
        flags: dict[str, bool | Kind | None] = {
            "in_function": True,
            "in_loop": False,
            "in_async": False,
            "in_generator": False,
            "may_bind": True,
            "result": Kind.MATRIX,
        }
        with self.scope(**flags):
            init = [
                Simple("super().__init__()"),
                Simple(f"self.w = tf.Variable({self.number(1)} * tf.ones([2, 2]))"),
            ]
        with self.scope(**flags):
            v = self.bind(Kind.MATRIX)
            call = [*self.body(d - 1, 2), Simple(f"return {self.matrix(2)} * self.w + {v}")]
        method = "call" if "Layer" in base else "__call__"
        body: Lines = [
            Simple("kind: str = 'c'"),
            Block([(["def __init__(self, *a, **k):"], init)]),
            Block([([f"def {method}(self, {v}):"], call)]),
        ]
        if self.chance(0.3):
            body.append(Block([(["@property", "def half(self):"], [Simple("return self.w / 2")])]))
        if self.chance(0.3):
            body.append(Simple("of = staticmethod(lambda v: v)"))
        return [
            Block([([f"class {name}{base}:"], body)]),
            Simple(self.assigned(Kind.MATRIX, f"{name}()({self.matrix(1)})")),
        ]

    def data_class(self, d: int) -> Lines:
        name = self.fresh().title()
        body: Lines = [
            Simple("a: object"),
            Simple("b: list = dataclasses.field(default_factory=list)"),
            Simple("c: float = .5"),
        ]
        head = self.r.choice(
            (["@dataclasses.dataclass"], ["@dataclasses.dataclass(", "  frozen=True, slots=True)"])
        )
        return [
            Block([([*head, f"class {name}:"], body)]),
            Simple(self.assigned(Kind.SCALAR, f"tf.reduce_sum({name}({self.matrix(1)}, c=3).a)")),
        ]

    def model(self, d: int) -> Lines:
        name, opt = self.fresh(), self.fresh()
        layers = ", ".join(
            self.r.choices(
                (
                    "tf.keras.layers.Dense(2, 'relu')",
                    "tf.keras.layers.Dense(2)",
                    "tf.keras.layers.Flatten()",
                    "tf.keras.layers.Lambda(lambda v: v * 2)",
                    "tf.keras.layers.BatchNormalization()",
                ),
                k=self.r.randint(1, 3),
            )
        )
        loss = self.r.choice(
            (
                "tf.keras.losses.MeanSquaredError()(tf.ones([2, 2]), {})",
                "tf.reduce_mean(tf.square({}))",
                "tf.keras.losses.mse(tf.zeros([2, 2]), {})",
                "tf.reduce_sum(tf.cast(tf.argmax({}, 1), tf.float32))",
            )
        )
        body: Lines = [
            Simple(f"guess = {name}({self.matrix(1)}, training=True)"),
            Simple(f"loss = {loss.format('guess')}"),
        ]
        lines: Lines = [Simple(f"{name} = tf.keras.Sequential([{layers}])"), Simple(f"{opt} = tf.keras.optimizers.{self.r.choice(('SGD(.1)', 'Adam()', 'RMSprop(learning_rate=1e-2)'))}"),
                        Block([(["with tf.GradientTape() as tape:"], body)]), Simple(f"grads = tape.gradient(loss, {name}.trainable_variables)"),
                        Simple(f"{opt}.apply_gradients(zip(grads, {name}.trainable_variables))")]  # fmt: skip
        if self.chance(0.15):
            lines += [
                Simple(f"{name}.compile({opt}, 'mse')"),
                Simple(
                    f"{name}.fit(np.ones((4, 2), 'float32'), np.ones((4, 2), 'float32'), epochs=2, batch_size=2, verbose=0)"
                ),
            ]
        return lines

    def taped(self, d: int) -> Lines:
        tape = self.r.choice(("tape", "t", "g", self.fresh()))
        persistent = self.chance(0.4)
        options = self.r.choice(("", "", "watch_accessed_variables=False"))
        given = ", ".join(filter(None, ("persistent=True" if persistent else "", options)))
        sources = self.r.sample(
            self.variables, self.r.randint(1, min(3, len(self.variables)))
        ) + self.r.sample(self.known_names(*TENSOR), min(1, len(self.known_names(*TENSOR))))
        body: Lines = (
            [Simple(f"{tape}.watch({self.r.choice(sources)})")] if self.chance(0.4) else []
        )
        with self.scope(in_loop=False):
            body += [each for _ in range(self.r.randint(0, 2)) for each in self.statement(d - 1)]
            kind = self.r.choice((Kind.SCALAR, Kind.SCALAR, Kind.MATRIX))
            value = f"{self.matrix(2)} * {self.r.choice(self.variables)}"
            middle = self.bind(Kind.MATRIX)
            body.append(Simple(f"{middle} = {value}"))
            if self.chance(0.2):
                body.append(
                    Block(
                        [
                            (
                                [f"with {tape}.stop_recording():"],
                                [Simple(f"{middle} = {middle} + {self.matrix(1)}")],
                            )
                        ]
                    )
                )
            value = self.of(kind, 3)
        target = self.fresh()
        for held in self.scopes[-1].values():
            while target in held:
                held.remove(target)
        body.append(Simple(f"{target} = {self.r.choice(('', middle + ' + '))}{value}"))
        self.scopes[-1][Kind.MATRIX].append(target) if f"{middle} + " in body[
            -1
        ].text or kind is Kind.MATRIX else self.bind(Kind.SCALAR, target)  # type: ignore[union-attr]
        name = self.fresh()
        listed = ", ".join(sources)
        form = self.r.choice(
            (
                f"[{listed}]",
                f"({listed},)",
                sources[0],
                f"{{'a': {sources[0]}, 'b': [{listed}]}}",
                f"[*[{listed}]]",
            )
        )
        api = self.r.choice(("gradient",) * 6 + ("jacobian",))
        extra = self.r.choice(
            (
                "",
                "",
                "",
                ", unconnected_gradients='zero'",
                ", unconnected_gradients=tf.UnconnectedGradients.ZERO",
            )
        )
        if api == "gradient" and self.chance(0.1):
            extra = f", output_gradients=tf.ones_like({target})"
        asks: Lines = [Simple(f"{name} = {tape}.{api}({target}, {form}{extra})")]
        if persistent and self.chance(0.5):
            asks.append(Simple(f"{self.fresh()} = {tape}.gradient({middle}, {sources[0]})"))
        if not persistent and self.chance(0.05):
            asks.append(Simple(f"{tape}.gradient({target}, {sources[0]})"))
        if form == sources[0] and sources[0] in self.variables and self.chance(0.5):
            asks.append(
                Block(
                    [
                        (
                            [f"if {name} is not None:"],
                            [
                                Simple(
                                    f"{sources[0]}.assign_sub(tf.reshape(tf.reduce_sum({name}) * .01, []) * tf.ones_like({sources[0]}))"
                                )
                            ],
                        )
                    ]
                )
            )
        if self.chance(0.5):
            asks.append(Simple(f"print({name})"))
        head = self.r.choice(
            ([f"with tf.GradientTape({given}) as {tape}:"],) * 4
            + (
                [f"with (tf.GradientTape({given}) as {tape}):"],
                [f"with contextlib.nullcontext(), tf.GradientTape({given}) as {tape}:"],
            )
        )
        if self.chance(0.1):
            return [
                Simple(f"{tape} = tf.GradientTape({given})"),
                Block([([f"with {tape}:"], body)]),
                *asks,
            ]
        if self.chance(0.1):
            return [Block([(head, [*body, *asks])])]
        return [Block([(head, body)]), *asks]

    def nested_tapes(self, d: int) -> Lines:
        x = self.r.choice([*self.variables])
        value = f"tf.reduce_sum(tf.sin({x}) * {self.scalar(1)})"
        if self.chance(0.3):
            return [
                Block(
                    [
                        (
                            ["with tf.GradientTape() as outer, tf.GradientTape() as inner:"],
                            [Simple(f"y = {value}")],
                        )
                    ]
                ),
                Simple(f"dy = inner.gradient(y, {x})"),
                Simple(f"d2 = outer.gradient(dy, {x})"),
            ]
        inner = Block([(["with tf.GradientTape() as inner:"], [Simple(f"y = {value}")])])
        return [
            Block(
                [
                    (
                        ["with tf.GradientTape() as outer:"],
                        [inner, Simple(f"dy = inner.gradient(y, {x})")],
                    )
                ]
            ),
            Simple(f"d2 = outer.{self.r.choice(('gradient', 'jacobian'))}(dy, {x})"),
        ]

    def with_items(self, d: int) -> Lines:
        form = self.r.choice(
            (
                "with contextlib.nullcontext({}) as {}, contextlib.suppress(ValueError):",
                "with (contextlib.nullcontext({}) as {},\n      contextlib.ExitStack() as stack,\n):",
                "with contextlib.nullcontext(({}, 2)) as ({}, _):",
            )
        )
        # A context manager may end the block early, so that later names may be undefined after it.
        with self.scope():
            head = self.filled(form, lambda: self.scalar(1), lambda: self.bind(Kind.SCALAR))
            return [Block([([head], self.body(d - 1, 3))])]

    # --- the whole ---

    def program(self) -> str:
        lines: Lines = []
        for _ in range(self.r.randint(1, 3)):
            name = self.fresh()
            kind = self.r.choice(TENSOR)
            value = (
                self.r.choice(
                    (
                        "[[1., 2.], [3., 4.]]",
                        "tf.ones([2, 2])",
                        "[[-1., 0.], [.5, 2.]]",
                        "np.eye(2, dtype='float32')",
                    )
                )
                if kind is Kind.MATRIX
                else self.r.choice(("3.", "-0.5", "0.", "2."))
            )
            lines.append(
                Simple(
                    f"{name} = tf.Variable({value}{self.r.choice(('', ', name=' + repr(name), ', trainable=False'))})"
                )
            )
            self.bind(kind, name)
            self.variables.append(name)
        lines.append(Simple(self.assigned(Kind.MATRIX, "tf.constant([[.1, .2], [-.3, .4]])")))
        lines += self.body(3, 4) + self.taped(3) + self.body(2, 3)
        if self.known and self.chance(0.1):
            lines.append(
                Simple("deep = " + " + ".join(["tf.constant(1.)"] * self.r.choice((60, 400))))
            )
        text = self.rendered(lines, 0)
        return self.finished(_TOP + _HEAD + _HELP + text)

    def finished(self, text: str) -> str:
        if self.chance(0.3):
            text = (
                self.r.choice(
                    (
                        "#!/usr/bin/env python\n",
                        "# -*- coding: utf-8 -*-\n",
                        "'''What it is.'''\n\n",
                        "\n\n\n",
                        "from __future__ import annotations\n",
                    )
                )
                + text
            )
        if self.layout != "plain" and self.chance(0.3):
            text = text.rstrip("\n")
        return text

    def rendered(self, lines: Lines, depth: int, unit: str = "") -> str:
        """Return the statements as text, with random indentations."""
        text, waiting = "", ""
        for each in lines:
            if isinstance(each, Simple):
                said = self.laid_out(each.text)
                if self.layout != "plain" and self.chance(0.15) and not waiting:
                    waiting = said + self.r.choice(("; ", ";", " ; "))
                    continue
                text += f"{unit}{waiting}{said}{self.note()}\n"
                waiting = ""
                continue
            if waiting:
                text += f"{unit}{waiting.rstrip('; ')}\n"
                waiting = ""
            for heads, body in each.parts:
                text += "".join(f"{unit}{head}\n" for head in heads[:-1])
                simple = all(isinstance(one, Simple) for one in body)
                if (
                    simple
                    and len(body) <= 2
                    and self.chance(0.2)
                    and not heads[-1].startswith("match")
                ):
                    said = "; ".join(one.text for one in body if isinstance(one, Simple))
                    text += f"{unit}{heads[-1]} {said}\n"
                    continue
                deeper = unit + (
                    self.unit
                    if "\t" in self.unit or self.layout != "wild"
                    else " " * self.r.choice((1, 2, 4, 7))
                )
                text += f"{unit}{heads[-1]}{self.note()}\n" + self.rendered(body, depth + 1, deeper)
            if self.chance(0.2):
                text += self.r.choice(
                    (
                        "\n",
                        "\n\n\n",
                        f"{unit}{self.r.choice(_COMMENTS)}\n",
                        f"{self.r.choice(_COMMENTS)}\n",
                        "   \n",
                    )
                )
        return text + (f"{unit}{waiting.rstrip('; ')}\n" if waiting else "")

    def note(self) -> str:
        return (
            f"  {self.r.choice(_COMMENTS)}"
            if self.chance(0.08)
            else " " * self.r.choice((0, 0, 0, 2))
            if self.layout != "plain"
            else ""
        )

    def laid_out(self, text: str) -> str:
        """Break a statement into lines, in parentheses and with backslashes."""
        if self.layout == "plain" or "\n" in text or not self.chance(0.3):
            return text
        try:
            tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        except (tokenize.TokenError, SyntaxError):
            return text
        out, at, depth, f_strings = "", 0, 0, 0
        for token in tokens:
            if token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
                break
            gap = text[at : token.start[1]]
            may = out and not f_strings and self.chance(0.15)
            if may and depth:
                gap += self.r.choice(("\n", "\n        ", "  # in brackets\n", "\n\n", "\n\t"))
            elif may and gap:
                gap += "\\\n" + " " * self.r.randint(0, 8)
            out += gap + text[token.start[1] : token.end[1]]
            at = token.end[1]
            name = tokenize.tok_name[token.type]
            f_strings += (name == "FSTRING_START") - (name == "FSTRING_END")
            if not f_strings:
                depth += (
                    (token.string in "([{") - (token.string in ")]}")
                    if token.type == tokenize.OP
                    else 0
                )
        return out


_TOP = """\
import asyncio, contextlib, dataclasses, functools, math, operator, types
import numpy as np
import tensorflow as tf
"""
_HELP = """\
def same(f): return f
class Meta(type): pass
class Base:
    def __init__(self, *a, **k): super().__init__()
async def later(v): return v
async def several():
    for v in (1., 2.): yield tf.constant(v)
@contextlib.asynccontextmanager
async def opened(): yield 1
"""


def written(seed: int, *, known: bool = False) -> str:
    """Return the program for a seed."""
    for again in range(50):
        text = Writer(seed * 64 + again, known=known).program()
        try:
            compile(text, "<written>", "exec", dont_inherit=True)
        except SyntaxError:
            # For example, a name is both global and local, or a `yield` is invalid: the grammar does not know all rules.
            continue
        return text
    raise AssertionError(f"no program for seed {seed}")


def main(args: Sequence[str]) -> None:
    for each in args:
        print(written(int(each)))


if __name__ == "__main__":
    main(sys.argv[1:])
