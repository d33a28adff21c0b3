"""Functions with their own gradient rule.

    custom_gradient    the user defines the rule
    recompute_grad     the rule runs the function again, so that the tape keeps no intermediate values
    grad_pass_through  the rule is that of the identity function
    py_function        the rule uses a tape of its own

The tape records such a function as one op: the cotangents of its outputs go to the rule, which returns the cotangent of each
input. The ops inside are recorded too, because the rule may use their results, and a second derivative requires the gradients
of these results.

Source: https://www.tensorflow.org/api_docs/python/tf/custom_gradient
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from minitape.autodiff.forward import Tangents
from minitape.autodiff.gradient_request import conjugated
from minitape.autodiff.gradient_tape import GradientTape
from minitape.autodiff.unconnected import UnconnectedGradients
from minitape.core import nest, recorders
from minitape.core.arguments import function_given, listed
from minitape.core.batched import Batched, raw_dtype
from minitape.core.convert import convert_to_tensor
from minitape.core.declaration import ANY, VARIADIC, EveryInput
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.primitive import Primitive
from minitape.core.recorders import NO_TAPE, Record
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import Tensor
from minitape.core.values import Value, shape_dtype
from minitape.core.variable import Variable
from minitape.errors import (
    InvalidArgumentError,
    OutOfRangeError,
    TapeTypeError,
    TapeValueError,
    Teaching,
    UnimplementedError,
    UnknownError,
)
from minitape.ops.identity import identity, identity_for_users


class _Readings:
    """A recorder that notes which trainable variables are read. It watches nothing, so it records no ops."""

    number = NO_TAPE
    watches_variables = True

    def __init__(self) -> None:
        self.watched: set[int] = set()
        self.records: list[Record] = []
        self.variables: dict[int, Variable] = {}

    def see(self, variable: Variable) -> None:
        self.variables[variable._id] = variable


class _OwnRule:
    """The user's gradient function as the rule of one op.

    The engine requests the cotangent of one input at a time, but the user's function computes all cotangents, so the last result
    is kept.
    """

    def __init__(
        self, gradient: Callable[..., Any], count: int, variables: Sequence[Variable], name: str
    ) -> None:
        self._gradient = gradient
        self._count = count
        self._variables = list(variables)
        self._name = name
        self._last: tuple[Any, Any, list[Any]] = (None, None, [])

    def __call__(self, position: int, ybar: Any, y: Any, *inputs: Value) -> Any:
        # The same cotangent with other active tapes is a different request, because these tapes record the result.
        active = recorders.thread.active
        last = self._last  # read only once, because another thread may change it in the meantime
        if last[0] is not ybar or last[1] is not active:
            cotangents = _complete(ybar, y)
            many = any(type(each) is Batched for each in cotangents)
            answers = self._one_by_one(cotangents) if many else self._call_rule(cotangents)
            self._last = last = (ybar, active, answers)
        return last[2][position]

    def _call_rule(self, cotangents: Sequence[Value]) -> list[Any]:
        """Call the user's function with tensors, even if the backward pass runs on arrays, and with TensorFlow's complex
        conjugates.
        """
        given = [conjugated(each) for each in cotangents]
        tensors = [each if type(each) is Tensor else Tensor(each) for each in given]
        on_arrays = not any(type(each) is Tensor for each in given)
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
                fix=f"return one gradient for each of the {self._count} inputs of `{self._name}`",
                code="MT503",
            )
        if len(for_variables) != len(self._variables):
            raise TapeValueError(
                "Must return gradient for each variable from @custom_gradient grad_fn: "
                f"`{self._name}` reads {len(self._variables)} variables, but grad_fn returned {len(for_variables)}.",
                fix="return `input_gradients, variable_gradients`, where `variable_gradients` has one gradient for each of "
                "`variables` in that order",
                code="MT503",
            )
        return answers + list(for_variables)

    def _one_by_one(self, stacks: Sequence[Value]) -> list[Any]:
        """Call the user's function for each element of a batch, because it cannot compute with Batched values."""
        size = next(each.stack.shape[0] for each in stacks if type(each) is Batched)
        # For an empty batch, a row of zeros shows the shapes of the results.
        rows = [self._call_rule([_row(each, i, size) for each in stacks]) for i in range(size or 1)]
        return [
            None
            if column[0] is None
            else Batched(PRIMITIVES["Pack"](*map(_dense, column), axis=0)[:size])
            for column in zip(*rows, strict=True)
        ]


def _row(value: Value, i: int, size: int) -> Value:
    if type(value) is not Batched:
        return value
    return value.stack[i] if size else np.zeros(value.shape, raw_dtype(value))


def _complete(ybar: Any, y: Any) -> list[Value]:
    """Return one cotangent for each output: zeros for an output that was not used."""
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
    tensor = conjugated(convert_to_tensor(answer))
    return tensor._array if on_arrays else tensor


def _dense(value: Any) -> Any:
    return value.to_dense_tensor() if isinstance(value, IndexedSlices) else value


class _WithOwnGradient:
    """A function decorated by `custom_gradient`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        functools.update_wrapper(self, function)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Support methods: `self` is not an input of the op."""
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
        packed = _run(_one_op(name, rule, outputs), [*values, *variables], outputs)
        return nest.pack_sequence_as(result, packed)


def _run(op: Primitive, inputs: Sequence[Any], inner: tuple[Tensor, ...]) -> list[Tensor]:
    """Return the outputs of the op; `inner` are the same values as computed by the ops inside."""
    # there is nothing to connect, and an op without a tensor input would return arrays
    if not inputs:
        return list(inner)
    active = recorders.thread.active
    ids = {each._id for each in inputs}
    inside = [each for each in active if _uses_inner_ops(each, ids, inner)]
    recorders.thread.active = tuple(each for each in active if each not in inside)
    try:
        answer = op(*inputs)
    finally:
        recorders.thread.active = active
    outputs = [answer] if len(inner) == 1 else list(answer)
    for recorder in inside:
        for hidden, shown in zip(inner, outputs, strict=True):
            _connect(recorder, hidden, shown)
    return outputs


def _uses_inner_ops(recorder: Any, inputs: set[int], inner: tuple[Tensor, ...]) -> bool:
    """Whether a recorder uses the ops inside instead of the rule.

    As in TensorFlow, a tape uses the ops inside if it watches none of the inputs, but another value that the function uses.
    Forward mode uses the rule only if it cannot compute tangents through the ops.
    """
    if isinstance(recorder, Tangents):
        return any(each._id in recorder.by_id for each in inner)
    return recorder.watched.isdisjoint(inputs) and any(
        each._id in recorder.watched for each in inner
    )


def _connect(recorder: Any, hidden: Tensor, shown: Tensor) -> None:
    if hidden._id in recorder.watched:
        recorder.watched.add(shown._id)
        same = shape_dtype(hidden._array.shape, hidden._array.dtype)
        recorder.records.append(Record(identity, (hidden._id,), (shown._id,), (same,), same, {}))


def _one_op(name: str, rule: _OwnRule, outputs: tuple[Tensor, ...]) -> Primitive:
    """Return an op whose outputs are already computed, so that it can be recorded."""
    arrays = tuple(out._array for out in outputs)
    single = len(arrays) == 1
    return Primitive(
        name,
        lambda *inputs: arrays[0] if single else arrays,
        vjp=EveryInput(rule),
        rule="as defined by its own gradient function",
        dtype_kinds=ANY,
        same_dtype_args=(),
        outputs=1 if single else VARIADIC,
        listed=False,
    )


def _check_takes_variables(gradient: Callable[..., Any], variables: Sequence[Variable]) -> None:
    spec = inspect.getfullargspec(gradient)
    if "variables" in spec.args or "variables" in spec.kwonlyargs or spec.varkw:
        return
    raise TapeTypeError(
        "@tf.custom_gradient grad_fn must accept keyword argument 'variables', "
        f"since function uses variables: {variables}",
        fix="define `def grad(upstream, variables=None): ...`, and return `input_gradients, variable_gradients`",
        code="MT503",
    )


def custom_gradient(f: Callable[..., Any] | None = None) -> Any:
    """Define the gradient of a function.

    Args:
        f: A function that takes tensors and returns `(result, grad)`. If it is omitted, a decorator is returned. `grad` takes
            one cotangent for each output and returns one for each input, or None to end the path. If `f` reads trainable
            variables that are not arguments, `grad` also takes `variables=` and returns `(input_gradients,
            variable_gradients)`.

    Returns:
        A function with the arguments of `f` that returns `result`.

    Raises:
        TypeError: `f` reads variables and `grad` has no parameter `variables` (when called).
        ValueError: `grad` returned more or fewer gradients than there are inputs (when differentiated).

    Gradient: It is the result of `grad`. Derivatives of any order are supported if `grad` uses only ops.

    Source: https://www.tensorflow.org/api_docs/python/tf/custom_gradient
    """
    return custom_gradient if f is None else _WithOwnGradient(f)


def recompute_grad(f: Callable[..., Any]) -> Any:
    """Return a function that recomputes its intermediate values in the backward pass, so that a tape keeps only its inputs.

    This trades time for memory, which helps with deep stacks of layers that have large intermediate values.

    Args:
        f: A function that takes tensors and returns a tensor or a nested structure of tensors. It must return the same result
            when it is called twice, so it must not draw random numbers or change variables.

    Returns:
        A function with the arguments and results of `f`.

    Gradient: It is the gradient of `f` with respect to its arguments and the variables it reads. Derivatives of any order are
    supported.

    Unlike in TensorFlow, it also works in forward mode (TensorFlow raises NotImplementedError).

    Source: https://www.tensorflow.org/api_docs/python/tf/recompute_grad
    """

    @custom_gradient
    def recomputed(*args: Any, **kwargs: Any) -> Any:
        with _only_readings():
            result = f(*args, **kwargs)

        def gradient(*upstream: Any, variables: Sequence[Variable] = ()) -> Any:
            with GradientTape() as tape:
                own = nest.map_structure(identity_for_users, args)
                tape.watch([own, variables])
                again = f(*own, **kwargs)
            leaves = nest.flatten(own)
            found = tape.gradient(again, leaves + list(variables), list(upstream))
            by_input = nest.pack_sequence_as(args, found[: len(leaves)])
            return (by_input, found[len(leaves) :]) if variables else by_input

        return result, gradient

    functools.update_wrapper(recomputed, f)
    return recomputed


@contextmanager
def _only_readings() -> Iterator[None]:
    """Record only which variables are read."""
    active = recorders.thread.active
    recorders.thread.active = tuple(each for each in active if isinstance(each, _Readings))
    try:
        yield
    finally:
        recorders.thread.active = active


def grad_pass_through(f: Callable[..., Any]) -> Any:
    """Return a function whose backward pass is that of the identity function (a straight-through estimator).

    Args:
        f: A function that takes tensors and returns a tensor or a nested structure of tensors with the shapes of the arguments.

    Returns:
        A function with the arguments and results of `f`.

    Source: https://www.tensorflow.org/api_docs/python/tf/grad_pass_through
    """

    @custom_gradient
    def passing(*args: Any, **kwargs: Any) -> Any:
        def gradient(*upstream: Any, variables: Any = None) -> Any:
            return (upstream, [None] * len(variables)) if variables else upstream

        return f(*args, **kwargs), gradient

    functools.update_wrapper(passing, f)
    return passing


def _checked_result(func: Callable[..., Any], inputs: list[Tensor]) -> Any:
    """Return the function's result; an exception of the function becomes an UnknownError, as in TensorFlow's runtime."""
    try:
        return func(*inputs)
    except Teaching:
        raise
    except Exception as error:
        kind = next((k for raised, k in _AS_ERRORS if isinstance(error, raised)), UnknownError)
        raise kind(
            f"{type(error).__name__}: {error}, in {getattr(func, '__name__', func)}."
        ) from error


_AS_ERRORS: tuple[tuple[Any, Any], ...] = (
    ((TypeError, ValueError), InvalidArgumentError),
    (StopIteration, OutOfRangeError),
    (NotImplementedError, UnimplementedError),
)


def py_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    name: str | None = None,
) -> Any:
    """Call a Python function as one op. Its gradient is computed from the ops that the function calls.

    Args:
        func: A function that takes tensors, computes with ops, and returns a tensor or a list of tensors.
        inp: The list of its arguments.
        Tout: The dtype of the result of `func`, or a list of dtypes.
        name: Ignored.

    Returns:
        A Tensor or a list of Tensors of the dtypes `Tout`.

    Raises:
        UnknownError: the function raised an exception, which is the cause of this error.
        TypeError: `func` is not callable.

    Gradient: It is the gradient of the ops inside. An input that these ops do not connect to the result receives zeros instead
    of None. Only the first derivative is supported.

    Source: https://www.tensorflow.org/api_docs/python/tf/py_function
    """
    call = function_given(func, "func")
    inputs = [convert_to_tensor(value) for value in listed(() if inp is None else inp, "inp")]
    # The function gets new tensors, so that only its own tape records its ops.
    own = [Tensor(value._array) for value in inputs]
    with GradientTape(persistent=True) as tape:
        tape.watch([each for each in own if each.dtype.is_differentiable])
        answer = _checked_result(call, own)
        several = isinstance(Tout, list | tuple)
        answers = zip(answer, Tout, strict=True) if several else [(answer, Tout)]
        outputs = tuple(convert_to_tensor(each, dtype=dtype) for each, dtype in answers)

    def gradient(*cotangents: Tensor) -> Any:
        return tape.gradient(outputs, own, cotangents, UnconnectedGradients.ZERO)

    rule = _OwnRule(gradient, len(inputs), [], "EagerPyFunc")
    packed = _run(_one_op("EagerPyFunc", rule, outputs), inputs, outputs)
    return packed if several else packed[0]
