"""custom_gradient: a function that brings its own rule.

What happens inside the function counts as one op on the tape: a cotangent that arrives at its outputs goes to the user's own
gradient function, which returns what each input is owed. The ops inside are recorded too, because the gradient function may
use what they computed: that is how a second derivative finds its way.

Source: https://www.tensorflow.org/api_docs/python/tf/custom_gradient
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minitape.autodiff.gradient_tape import GradientTape
from minitape.autodiff.unconnected import UnconnectedGradients
from minitape.core import nest, recorders
from minitape.core.batched import Batched, raw_dtype
from minitape.core.convert import convert_to_tensor
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.primitive import ANY, AS_MANY_AS_COMPUTED, EveryInput, Primitive
from minitape.core.recorders import Record
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import Tensor
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.errors import TapeTypeError, TapeValueError


class _Readings:
    """Notes which trainable variables are read; records nothing, for it watches nothing."""

    watches_variables = True

    def __init__(self) -> None:
        self.watched: set[int] = set()
        self.records: list[Record] = []
        self.variables: dict[int, Variable] = {}

    def see(self, variable: Variable) -> None:
        self.variables[variable._id] = variable


class _OwnRule:
    """The user's gradient function as the rule of one op.

    The engine asks for one input at a time and the user answers for all of them, so the last answer is kept.
    """

    def __init__(
        self, gradient: Callable[..., Any], count: int, variables: Sequence[Variable], name: str
    ) -> None:
        self._gradient = gradient
        self._count = count
        self._variables = list(variables)
        self._name = name
        self._asked: Any = None
        self._answers: list[Any] = []

    def __call__(self, position: int, ybar: Any, y: Any, *inputs: Value) -> Any:
        if self._asked is not ybar:
            cotangents = _complete(ybar, y)
            many = any(type(each) is Batched for each in cotangents)
            self._answers = self._one_by_one(cotangents) if many else self._ask(cotangents)
            self._asked = ybar
        return self._answers[position]

    def _ask(self, cotangents: Sequence[Value]) -> list[Any]:
        """The user computes with tensors, whatever the walk runs on."""
        tensors = [each if type(each) is Tensor else Tensor(each) for each in cotangents]
        on_arrays = not any(type(each) is Tensor for each in cotangents)
        return [_as_cotangent(each, on_arrays) for each in self._call(tensors)]

    def _call(self, tensors: list[Tensor]) -> list[Any]:
        if not self._variables:
            for_inputs, for_variables = self._gradient(*tensors), []
        else:
            for_inputs, for_variables = self._gradient(*tensors, variables=self._variables)
        answers = nest.flatten(for_inputs)
        if len(answers) != self._count:
            raise TapeValueError(
                f"custom_gradient function expected to return {self._count} gradients, "
                f"but returned {len(answers)} instead.",
                fix=f"one gradient for each of the {self._count} inputs of {self._name}",
                code="MT503",
            )
        return answers + list(for_variables)

    def _one_by_one(self, stacks: Sequence[Value]) -> list[Any]:
        """The user's function knows nothing of stacks."""
        size = next(each.stack.shape[0] for each in stacks if type(each) is Batched)
        rows = [
            self._ask([each.stack[i] if type(each) is Batched else each for each in stacks])
            for i in range(size)
        ]
        return [
            None if column[0] is None else Batched(PRIMITIVES["Pack"](*map(_dense, column), axis=0))
            for column in zip(*rows, strict=True)
        ]


def _complete(ybar: Any, y: Any) -> list[Value]:
    """One cotangent for each output: zeros for one that nobody used."""
    if not isinstance(ybar, tuple):
        return [ybar]
    return [
        np.zeros(tuple(out.shape), raw_dtype(out)) if each is None else each
        for each, out in zip(ybar, y, strict=True)
    ]


def _as_cotangent(answer: Any, on_arrays: bool) -> Any:
    if answer is None:
        return None
    if isinstance(answer, IndexedSlices):
        parts = (answer.values, answer.indices, answer.dense_shape)
        return IndexedSlices(*(_as_cotangent(part, on_arrays) for part in parts))
    tensor = convert_to_tensor(answer)
    return tensor._array if on_arrays else tensor


def _dense(value: Any) -> Any:
    return value.to_dense_tensor() if isinstance(value, IndexedSlices) else value


class _WithOwnGradient:
    """A function decorated by `custom_gradient`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        functools.update_wrapper(self, function)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """As a method: `self` is no input of the op."""
        if instance is None:
            return self
        return _WithOwnGradient(self._function.__get__(instance, owner))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        readings = _Readings()
        recorders.start(readings)
        try:
            result, gradient = self._function(*args, **kwargs)
        finally:
            recorders.stop(readings)
        inputs = nest.flatten(args)
        given = {leaf._id for leaf in (*inputs, *kwargs.values()) if isinstance(leaf, Variable)}
        variables = [each for each in readings.variables.values() if each._id not in given]
        name = getattr(self._function, "__name__", "custom_gradient")
        if variables:
            _check_takes_variables(gradient, variables)
        rule = _OwnRule(gradient, len(inputs), variables, name)
        outputs = tuple(convert_to_tensor(leaf) for leaf in nest.flatten(result))
        values = [
            each if isinstance(each, Variable) else convert_to_tensor(each) for each in inputs
        ]
        packed = _one_op(name, rule, outputs)(*values, *variables)
        return nest.pack_sequence_as(result, [packed] if len(outputs) == 1 else list(packed))


def _one_op(name: str, rule: _OwnRule, outputs: tuple[Tensor, ...]) -> Primitive:
    """An op that has computed its outputs already, and is there to be recorded."""
    arrays = tuple(out._array for out in outputs)
    single = len(arrays) == 1
    return Primitive(
        name,
        lambda *inputs: arrays[0] if single else arrays,
        vjp=EveryInput(rule),
        rule="as its own gradient function says",
        accepts=ANY,
        alike=(),
        outputs=1 if single else AS_MANY_AS_COMPUTED,
        listed=False,
    )


def _check_takes_variables(gradient: Callable[..., Any], variables: Sequence[Variable]) -> None:
    spec = inspect.getfullargspec(gradient)
    if "variables" in spec.args or "variables" in spec.kwonlyargs or spec.varkw:
        return
    raise TapeTypeError(
        "@tf.custom_gradient grad_fn must accept keyword argument 'variables', "
        f"since function uses variables: {variables}",
        fix="def grad(upstream, variables=None): ... return input_gradients, variable_gradients",
        code="MT503",
    )


def custom_gradient(f: Callable[..., Any]) -> Any:
    """Give a function a gradient of its own.

    Args:
        f: Takes tensors, returns `(result, grad)`. `grad` takes one cotangent for each output and returns one for each
            input, or None to end the path. If `f` reads trainable variables that are no arguments, `grad` also takes
            `variables=` and returns `(input_gradients, variable_gradients)`.

    Returns:
        A function with the arguments of `f` that returns `result`.

    Raises:
        TypeError: `f` reads variables and `grad` does not take them (when called).
        ValueError: `grad` returned more or fewer gradients than there are inputs (when differentiated).

    Gradient: what `grad` returns; to any order if `grad` is written with ops.

    Source: https://www.tensorflow.org/api_docs/python/tf/custom_gradient
    """
    return _WithOwnGradient(f)


def grad_pass_through(f: Callable[..., Any]) -> Any:
    """A function whose gradient is taken to be that of the identity.

    Source: https://www.tensorflow.org/api_docs/python/tf/grad_pass_through
    """

    @custom_gradient
    def passing(*args: Any, **kwargs: Any) -> Any:
        def gradient(*upstream: Any, variables: Any = None) -> Any:
            return (upstream, [None] * len(variables)) if variables else upstream

        return f(*args, **kwargs), gradient

    functools.update_wrapper(passing, f)
    return passing


def py_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """Call a Python function as one op, whose gradient is that of the ops inside.

    Args:
        func: Takes tensors, computes with ops, returns a tensor or a list of them.
        inp: The list of its arguments.
        Tout: The dtype that it returns, or a list of dtypes.
        name: Ignored.

    Gradient: of the ops inside, and zeros (not None) where they lose the path; first order only.

    Source: https://www.tensorflow.org/api_docs/python/tf/py_function
    """
    inputs = [convert_to_tensor(value) for value in inp]
    # The function sees tensors of its own: what it computes is on its own tape and on no other.
    own = [Tensor(value._array) for value in inputs]
    with GradientTape(persistent=True) as tape:
        tape.watch([each for each in own if each.dtype.is_differentiable])
        answer = func(*own)
        several = isinstance(Tout, list | tuple)
        answers = zip(answer, Tout, strict=True) if several else [(answer, Tout)]
        outputs = tuple(convert_to_tensor(each, dtype=dtype) for each, dtype in answers)

    def gradient(*cotangents: Tensor) -> Any:
        return tape.gradient(outputs, own, cotangents, UnconnectedGradients.ZERO)

    rule = _OwnRule(gradient, len(inputs), [], "EagerPyFunc")
    packed = _one_op("EagerPyFunc", rule, outputs)(*inputs)
    return list(packed) if several and len(outputs) > 1 else [packed] if several else packed
