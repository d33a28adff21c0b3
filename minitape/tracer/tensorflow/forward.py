"""Traces ops: their inputs, constants made from Python values, and variables that are read and assigned.

The sequence for `y = w * 3.0` in a program:

    program:  w * 3.0
      │
      ├─ 1  variable_accessed(w)                      hook: tapes that watch variables now watch w (`_seen`)
      ├─ 2  op callback: ReadVariableOp ran → r       `_was_read`: stores w for the tensor r (`_read`)
      ├─ 3  TFE_Py_FastPathExecute("Mul", r, 3.0)     hook: keeps the arguments as given (`_ForwardState.raw`)
      │       └─ C++ turns 3.0 into a tensor t, and computes y
      └─ 4  op callback: Mul ran, (r, t) → y          `_ran`: r ↦ w, t ↦ 3.0; records Mul(w, 3.0) on the shadows of
                                                      the tapes, and emits OpRan

The op callback of TensorFlow (2, 4) reports each op after it ran, but with tensors only. What the program wrote (a number, an
array, a variable) is visible one step earlier, in the hooks. Other paths lead to the same result. `tf.square(w)` passes the
variable itself to the fast path. A list or an array is converted in Python, where another hook stores it for its tensor
(`_converted`). A conversion or a read that is a call of its own (`tf.constant(3.0)`, `w.read_value()`) is emitted immediately.

Cost: two Python calls and a walk over the frames of the stack for each op. With its backward step, an op takes about 0.4 ms
longer (measured on multiplications of scalars, which then take six times as long); for large tensors this is negligible.

Invariants:
- Each hook calls the original with the same arguments (functions of the program may be wrapped) and returns its result:
  TensorFlow computes the same values.
- An exception in the tracer never reaches the program; it ends the tracing (`guarded`).
- While TensorFlow computes for itself (`quiet`), nothing is emitted; code of the program that it calls back is `loud` again.
- `raw` belongs to the op that is running: it is restored after each call, and used only if the name of the op is the same.
- The tables map the number of a tensor only as long as the tensor lives.
"""

from __future__ import annotations

import functools
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, FunctionType
from typing import Any

import numpy as np

from minitape.core import events
from minitape.core.primitive import OpRan
from minitape.core.variable import Assigned, VariableMade
from minitape.tracer import source
from minitape.tracer.engine import EventSink
from minitape.tracer.tensorflow.datasets import Datasets
from minitape.tracer.tensorflow.internals import Hooks, Privates
from minitape.tracer.tensorflow.notes import RunNotes
from minitape.tracer.tensorflow.settings import Declared, OpDefinitions
from minitape.tracer.tensorflow.tapes import Shadow, ShadowTapes
from minitape.tracer.tensorflow.values import TensorFlowValues, number

# Modules between a program and the op that it calls; they only pass arguments on.
_PASSING_ON = (
    "constant_op.py", "constant_tensor_conversion.py", "dispatch.py", "nest.py", "nest_util.py", "ops.py",
    "resource_variable_ops.py", "gen_resource_variable_ops.py", "tensor_conversion.py", "tensor_conversion_registry.py",
    "trace.py", "traceback_utils.py", "weak_tensor_ops.py", "op_callbacks.py", "execute.py",
)  # fmt: skip
_SLICE = "ResourceStridedSliceAssign"
_ASSIGNING = {
    "AssignVariableOp": "assign",
    "AssignAddVariableOp": "assign_add",
    "AssignSubVariableOp": "assign_sub",
    "ResourceScatterUpdate": "scatter_update",
    "ResourceScatterAdd": "scatter_add",
    "ResourceScatterSub": "scatter_sub",
    "ResourceScatterMul": "scatter_mul",
    "ResourceScatterDiv": "scatter_div",
    "ResourceScatterMin": "scatter_min",
    "ResourceScatterMax": "scatter_max",
    "ResourceScatterNdUpdate": "scatter_nd_update",
    "ResourceScatterNdAdd": "scatter_nd_add",
    "ResourceScatterNdSub": "scatter_nd_sub",
    "ResourceScatterNdMin": "scatter_nd_min",
    "ResourceScatterNdMax": "scatter_nd_max",
    _SLICE: "assign",
    # The optimizers of tf.compat.v1: each one runs a single op whose last input is the gradient.
    "ResourceApplyAdadelta": "assign_sub",
    "ResourceApplyAdagrad": "assign_sub",
    "ResourceApplyAdagradV2": "assign_sub",
    "ResourceApplyAdam": "assign_sub",
    "ResourceApplyGradientDescent": "assign_sub",
    "ResourceApplyProximalGradientDescent": "assign_sub",
    "ResourceApplyRMSProp": "assign_sub",
}
_MAKING = {"Fill", "IteratorGetNext", "IteratorGetNextSync", "RestoreV2"}
_RANDOM_MODULES = ("random_ops.py", "stateless_random_ops.py", "stateful_random_ops.py")


class _ForwardState(threading.local):
    """The state of one thread."""

    def __init__(self) -> None:
        self.raw: tuple[str, tuple[Any, ...]] | None = (
            None  # the name and arguments of the op on the fast path
        )
        self.quiet = 0  # above 0 while TensorFlow computes for itself: nothing is emitted
        self.has_callback = False
        self.reading: set[int] | None = (
            None  # the values that a gradient rule has read so far, while it runs
        )


class Forward:
    """Traces ops, constants and variables.

    Args:
        tf: The private names of TensorFlow.
        values: Identifies values.
        tapes: The shadows of the program's tapes.
        settings: Reads the attributes of ops.
        notes: Collects the notes about how the program was traced.
        sink: Receives the events.
    """

    def __init__(
        self,
        tf: Privates,
        values: TensorFlowValues,
        tapes: ShadowTapes,
        settings: OpDefinitions,
        notes: RunNotes,
        sink: EventSink,
    ) -> None:
        self._tf = tf
        self._values = values
        self._tapes = tapes
        self._settings = settings
        self._notes = notes
        self._sink = sink
        self._datasets = Datasets(tf, values, sink)
        self._thread = _ForwardState()
        # For each tensor: the Python value from which it was made, and the variable from which it was read.
        self._converted: dict[int, tuple[Any, Any]] = {}
        self._read: dict[int, tuple[Any, Any]] = {}
        # For each variable: an optimizer's last assignment to its own state that is not yet emitted.
        self._untold: dict[int, str] = {}

    def install(self, hooks: Hooks, at_variables: Callable[[], None]) -> None:
        """Install the hooks; `at_variables` is called after each new variable."""
        self._at_variables = at_variables
        hooks.put(self._tf.tfe, "TFE_Py_FastPathExecute", self._traced_fast_path)
        hooks.put(self._tf.constant_op, "convert_to_eager_tensor", self._traced_conversions)
        hooks.put(self._tf.tape, "variable_accessed", self._traced_accesses)
        hooks.put(self._tf.script_ops, "py_func_common", self._traced_callbacks)
        hooks.put(self._tf.resources.ResourceVariable, "__init__", self._traced_variables)
        self._add_callback()
        hooks.at_end(self._remove_callback)

    def _add_callback(self) -> None:
        self._tf.op_callbacks.add_op_callback(self._op_ran)
        self._thread.has_callback = True

    def _remove_callback(self) -> None:
        self._tf.op_callbacks.remove_op_callback(self._op_ran)
        self._thread.has_callback = False

    # --- for the other modules of this package ---

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Return a context in which TensorFlow computes for itself: nothing is emitted."""
        self._thread.quiet += 1
        try:
            yield
        finally:
            self._thread.quiet -= 1

    @contextmanager
    def loud(self) -> Iterator[None]:
        """Return a context in a `quiet` one in which code of the program runs: events are emitted again."""
        before, self._thread.quiet = self._thread.quiet, 0
        try:
            yield
        finally:
            self._thread.quiet = before

    @property
    def is_quiet(self) -> bool:
        return self._thread.quiet > 0

    @contextmanager
    def reading(self) -> Iterator[set[int]]:
        """Collect the values that the ops in this block read."""
        before = self._thread.reading
        taken: set[int] = set()
        self._thread.reading = taken
        try:
            yield taken
        finally:
            self._thread.reading = before

    def known_as(self, tensor: Any) -> Any:
        """Return the variable from which a tensor was read, or else the tensor itself."""
        held = self._read.get(tensor._id) if isinstance(tensor, self._values.tensor) else None
        return tensor if held is None else held[1]

    def guarded(self, emit: Callable[..., None], *given: Any) -> None:
        """Call a function of the tracer; an exception in it ends the tracing and does not reach the program."""
        try:
            emit(*given)
        except Exception as fault:
            self._sink.disable(fault)

    # --- hooks ---

    def _traced_fast_path(self, original: Callable[..., Any]) -> Callable[..., Any]:
        thread = self._thread

        def fast_path(context: Any, op: str, name: Any, *arguments: Any) -> Any:
            if not thread.has_callback:  # this thread started after the hooks were installed
                self._add_callback()
            outer = thread.raw
            thread.raw = op, arguments
            try:
                return original(context, op, name, *arguments)
            finally:
                thread.raw = outer

        return fast_path

    def _traced_conversions(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def convert_to_eager_tensor(value: Any, context: Any, dtype: Any = None) -> Any:
            tensor = original(value, context, dtype)
            if tensor is not value and not self._thread.quiet:
                self.guarded(self._was_converted, value, tensor)
            return tensor

        return convert_to_eager_tensor

    def _traced_variables(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def __init__(variable: Any, initial_value: Any = None, *rest: Any, **named: Any) -> None:  # noqa: N807
            if not self._tf.context.executing_eagerly():
                original(variable, initial_value, *rest, **named)
                return
            made: list[Any] = []
            if _is_of_users(initial_value):
                initial_value = self._noting(initial_value, made)
            with self.quiet():
                original(variable, initial_value, *rest, **named)
            self.guarded(self._was_made, variable, made[0] if made else initial_value)

        __init__.__wrapped__ = original  # type: ignore[attr-defined]
        return __init__

    def _noting(self, function: Callable[..., Any], made: list[Any]) -> Callable[..., Any]:
        """Return the program's function for the initial value of a variable, traced, with its result added to `made`."""

        @functools.wraps(function)
        def give(*given: Any, **named: Any) -> Any:
            with self.loud():
                value = function(*given, **named)
            made.append(value)
            return value

        return give

    def _traced_callbacks(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Trace `numpy_function` and `py_function`: outside a graph they do not run an op."""

        def py_func_common(
            func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: Any = None
        ) -> Any:
            if self._thread.quiet or not self._tf.context.executing_eagerly():
                return original(func, inp, Tout, stateful, name)

            def received(*arrays: Any) -> Any:
                with self.loud():
                    return func(*arrays)

            with self.quiet():
                result = original(received, inp, Tout, stateful, name)
            self.guarded(self._called_back, inp, result)
            return result

        return py_func_common

    def _called_back(self, given: Any, result: Any) -> None:
        with self.quiet():
            inputs = [self._tf.ops.convert_to_tensor(each) for each in given]
        outputs = [each for each in self._tf.nest.flatten(result) if each is not None]
        shown = tuple(self._given(tensor, each) for tensor, each in zip(inputs, given))
        declared = self._settings.declared("PyFunc")
        self._record(declared, None, shown, outputs)
        self._sink.emit(OpRan(declared, shown, tuple(outputs), {}, (), ()))  # type: ignore[arg-type]

    # --- constants and variables ---

    def _was_converted(self, value: Any, tensor: Any) -> None:
        entry, is_direct = _entry()
        if is_direct:
            how = "tf.constant" if entry == "constant" else "convert"
            self._sink.emit(events.Entered(tensor, value, how))
        else:
            self._remember(self._converted, tensor, value)

    @staticmethod
    def _remember(table: dict[int, tuple[Any, Any]], tensor: Any, what: Any) -> None:
        """Add an entry for a tensor, which is removed when the tensor is freed."""
        key = tensor._id
        table[key] = weakref.ref(tensor, lambda _: table.pop(key, None)), what

    def _was_made(self, variable: Any, initial: Any) -> None:
        self._values.remember(variable)
        self._at_variables()
        if callable(
            initial
        ):  # this is the library's own initializer; its value is not a value of the program
            initial = None
        self._sink.emit(VariableMade(variable, initial))

    # --- ops ---

    def _op_ran(
        self,
        op: Any,
        inputs: tuple[Any, ...],
        attributes: Any,
        outputs: Any,
        op_name: Any = None,
        graph: Any = None,
    ) -> None:
        """Record an op, as a callback of TensorFlow."""
        thread = self._thread
        raw, thread.raw = thread.raw, None
        if graph is not None or not self._tf.context.executing_eagerly():
            return
        op = op.decode() if isinstance(op, bytes) else op
        if thread.reading is not None and op not in ("Shape", "ShapeN", "Size", "Rank"):
            self.guarded(self._was_taken, thread.reading, inputs)
        if thread.quiet:
            if op in _ASSIGNING:
                self.guarded(self._was_assigned_quietly, op, inputs)
            return
        if thread.reading is not None and not self._tapes.active:
            return  # a gradient rule is running that no tape records
        arguments = raw[1] if raw is not None and raw[0] == op else ()
        self.guarded(self._emit, op, inputs, attributes, outputs, arguments)

    def _was_taken(self, taken: set[int], inputs: tuple[Any, ...]) -> None:
        taken.update(self._values.watched_id_of(self.known_as(each)) for each in inputs)

    def _emit(
        self,
        op: str,
        inputs: tuple[Any, ...],
        attributes: Any,
        outputs: Any,
        arguments: tuple[Any, ...],
    ) -> None:
        if op in _ASSIGNING:
            self._was_assigned(op, inputs, arguments)
        elif op == "ReadVariableOp":
            self._was_read(inputs[0], attributes, outputs[0])
        elif self._has_numbers(inputs, outputs):
            self._ran(op, inputs, attributes, outputs, arguments)
        else:
            given = self._all_given(op, inputs, arguments)
            is_mixing = "f" in attributes
            method = _function_called()[0]
            self._datasets.op_ran(op, inputs, given, is_mixing, outputs, method)

    def _has_numbers(self, inputs: tuple[Any, ...], outputs: Any) -> bool:
        """Whether the op has numeric inputs or outputs; internal objects of TensorFlow and its file names are not traced."""
        if not outputs or any(map(self._values.is_inside, outputs)):
            return False
        return not all(map(self._values.is_text, (*inputs, *outputs)))

    def _was_assigned(self, op: str, inputs: tuple[Any, ...], arguments: tuple[Any, ...]) -> None:
        variable = self._values.variable_of(inputs[0])
        if variable is None:
            return
        given = self._given(inputs[-1], arguments[len(inputs) - 1] if arguments else inputs[-1])
        self._sink.emit(Assigned(variable, _ASSIGNING[op], given, is_part=op == _SLICE))

    def _was_assigned_quietly(self, op: str, inputs: tuple[Any, ...]) -> None:
        """Note an assignment by an optimizer. Its own state is emitted only when it is read, except for the step count."""
        variable = self._values.variable_of(inputs[0])
        if variable is None:
            return
        if self._values.is_trainable(variable) or self._values.is_whole(variable):
            self._sink.emit(Assigned(variable, _ASSIGNING[op], None))
        else:
            self._untold[self._values.watched_id_of(variable)] = _ASSIGNING[op]

    def _was_read(self, handle: Any, attributes: Any, value: Any) -> None:
        requested = _requested_to_read()
        is_stand_in = requested is not None and self._values.is_stand_in(requested)
        variable = requested if is_stand_in else self._values.variable_of(handle)
        if variable is None:
            return
        untold = self._untold.pop(self._values.watched_id_of(variable), None)
        if untold is not None:
            self._sink.emit(Assigned(variable, untold, None))
        _, is_direct = _entry()
        if not is_direct:  # it is read for an op, which is then traced with the variable as input
            self._remember(self._read, value, variable)
            return
        declared = self._settings.declared("ReadVariableOp")
        tapes = self._record(declared, attributes, (variable,), (value,))
        self._sink.emit(OpRan(declared, (variable,), (value,), {}, tuple(tapes), ()))  # type: ignore[arg-type]

    def _traced_accesses(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def variable_accessed(variable: Any) -> None:
            original(variable)
            if not self._thread.quiet and self._values.is_variable(variable):
                self.guarded(self._values.remember, variable)
                self.guarded(self._seen, variable)

        return variable_accessed

    def _seen(self, variable: Any) -> None:
        """Note that a variable was read; tapes that watch variables automatically watch it from now on."""
        if not self._values.is_trainable(variable) or self._values.is_stand_in(variable):
            return
        identity = self._values.watched_id_of(variable)
        for shadow in self._tapes.active:
            if shadow.watches_variables and identity not in shadow.watched:
                shadow.watched.add(identity)
                self._sink.emit(events.Watched(shadow.number, variable, False))

    def _ran(
        self,
        op: str,
        inputs: tuple[Any, ...],
        attributes: Any,
        outputs: Any,
        arguments: tuple[Any, ...],
    ) -> None:
        given = self._all_given(op, inputs, arguments)
        if self._is_made_of_nothing(op, inputs, given, outputs):
            return
        settings = self._settings.of(op, attributes)
        shown = []
        names = self._settings.names(op, len(inputs))
        for value, name in zip(given, names):
            if self._settings.is_how(name) and not self._values.is_value(value):
                settings[name] = _as_setting(value)
            elif not self._values.is_inside(value):
                shown.append(value)
        for value in shown:
            if self._values.is_variable(value):
                self._seen(value)
        declared = self._settings.declared(op)
        if self._settings.is_function(op):
            self._notes.compiled(name=op)
        tapes = self._record(declared, attributes, given, outputs)
        if self._thread.reading is not None and all(map(self._values.is_whole, outputs)):
            for each in outputs:  # the values from which a rule computes shapes
                self._remember(self._converted, each, self._values.numbers_of(each))
            return
        self._sink.emit(OpRan(declared, tuple(shown), outputs, settings, tuple(tapes), ()))  # type: ignore[arg-type]

    def _record(
        self,
        declared: Declared,
        attributes: Any,
        given: tuple[Any, ...],
        outputs: Any,
    ) -> list[Shadow]:
        ids, differentiable = [], []
        for value in given:
            identity = self._values.watched_id_of(value) if self._values.is_value(value) else 0
            ids.append(identity)
            if identity and not self._values.is_whole(value):
                differentiable.append(identity)
        return self._tapes.record(
            declared.name,
            attributes,
            tuple(ids),
            differentiable,
            tuple(map(number, outputs)),
            is_recorded=declared.gradient != "none",
        )

    # --- the inputs that the program passed ---

    def _all_given(
        self, op: str, inputs: tuple[Any, ...], arguments: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        """Return the values that the program passed for the inputs."""
        flat: list[Any] = []
        for (_, is_list), each in zip(self._settings.arguments(op), arguments):
            flat += each if is_list and isinstance(each, list | tuple) else [each]
        if len(flat) != len(inputs):
            return tuple(self._given(tensor, tensor) for tensor in inputs)
        return tuple(self._given(tensor, each) for tensor, each in zip(inputs, flat))

    def _given(self, tensor: Any, argument: Any) -> Any:
        """Return the value that the program passed for an input: a variable, a tensor, or the number or array that became one."""
        if self._values.is_variable(argument):
            self._values.remember(argument)
            self._remember(self._read, tensor, argument)
            return argument
        if not isinstance(argument, self._values.tensor):
            return argument
        held = self._read.get(tensor._id) or self._converted.get(tensor._id)
        if held is not None:
            return held[1]
        variable = self._values.variable_of(tensor) if self._values.is_resource(tensor) else None
        return tensor if variable is None else variable

    def _is_made_of_nothing(
        self, op: str, inputs: tuple[Any, ...], given: tuple[Any, ...], outputs: Any
    ) -> bool:
        """Whether the op creates its values (random numbers, elements of a dataset), which are emitted as constants."""
        known = [
            each
            for each in given
            if self._values.is_value(each) and not self._values.is_inside(each)
        ]
        entry = ""
        if op not in _MAKING and "Random" not in op and op != "TruncatedNormal":
            if known or not all(each is not tensor for each, tensor in zip(given, inputs)):
                return False
            entry, page = _function_called()
            if page not in _RANDOM_MODULES:
                return False
        elif known:
            return False
        if op.startswith("IteratorGetNext"):
            self._notes.from_data()
        entry = entry or _function_called()[0]
        how = _MADE_BY.get(entry, f"tf.{entry}" if entry else op)
        for each, left in zip(outputs, self._datasets.elements(op, inputs, outputs)):
            if not self._values.is_inside(each):
                self._sink.emit(events.Entered(each, left, how))
        return True


_MADE_BY = {
    "random_normal": "tf.random.normal",
    "random_uniform": "tf.random.uniform",
    "truncated_normal": "tf.random.truncated_normal",
}


def _is_of_users(function: Any) -> bool:
    """Whether the program defines this function."""
    return isinstance(function, FunctionType) and source.is_users(function.__code__.co_filename)


def _as_setting(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [*map(_as_setting, value)] if isinstance(value, list | tuple) else value


_OWN = __file__.rpartition("/")[0]
_WRAPPERS = ("wrapper", "wrapped", "error_handler", "op_dispatch_handler")


def _frames() -> Iterator[tuple[FrameType, str]]:
    """Yield the frames of the stack, innermost first, each with the file name of its module; the tracer's own are left out."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        folder, _, page = frame.f_code.co_filename.rpartition("/")
        if folder != _OWN:
            yield frame, page
        frame = frame.f_back


def _entry() -> tuple[str, bool]:
    """Return the function that the program called, and whether it called only modules that pass on arguments."""
    called = ""
    for frame, page in _frames():
        if source.is_users(frame.f_code.co_filename):
            return called, True
        if page not in _PASSING_ON:
            break
        if frame.f_code.co_name not in _WRAPPERS:
            called = frame.f_code.co_name
    return called, False


def _requested_to_read() -> Any:
    """Return the object whose value the program reads, from the frame of TensorFlow's read function."""
    for frame, page in _frames():
        if frame.f_code.co_name == "_read_variable_op":
            return frame.f_locals.get("self")
        if page not in _PASSING_ON:
            break
    return None


def _function_called() -> tuple[str, str]:
    """Return the function that the program called, and its module's file name; empty if no code of the program is running."""
    called = "", ""
    for frame, page in _frames():
        if source.is_users(frame.f_code.co_filename):
            return called
        if frame.f_code.co_name not in _WRAPPERS:
            called = frame.f_code.co_name, page
    return "", ""
