"""Values that leave TensorFlow: as a NumPy array, a Python number or a string.

An exit counts only if the program itself converts the value, not if a library does so internally.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from minitape.tracer import source
from minitape.tracer.engine import EventSink
from minitape.tracer.tensorflow.forward import Forward
from minitape.tracer.tensorflow.internals import Hooks, Privates
from minitape.tracer.tensorflow.values import TensorFlowValues

_NUMBERS = ("__float__", "__int__", "__bool__", "__index__")
_AS_BUFFER = 20  # the index of `tp_as_buffer` among the words of a CPython type object


class _ExitState(threading.local):
    """The values that left in the current library call of a thread; None outside such a call."""

    leaving: list[Any] | None = None


class Exits:
    """Traces values that leave.

    Args:
        tf: The private names of TensorFlow.
        values: Identifies values.
        forward: Traces ops; identifies the variable that a tensor was read from.
        sink: Receives the events, and returns the marked copy of an array for the program.
    """

    def __init__(
        self, tf: Privates, values: TensorFlowValues, forward: Forward, sink: EventSink
    ) -> None:
        self._tf = tf
        self._values = values
        self._forward = forward
        self._sink = sink
        self._thread = _ExitState()

    def install(self, hooks: Hooks) -> None:
        """Install the hooks."""
        tensor = self._tf.ops._EagerTensorBase
        variable = self._tf.resources.BaseResourceVariable
        for owner in (tensor, variable):
            self.put_into(hooks, owner)
        hooks.put(tensor, "__format__", partial(self._leaving, "format"))
        for owner in (tensor, variable):
            hooks.put(owner, "__array__", self._leaving_as_array)
            self._add(hooks, owner, "__array_function__", self._array_function)
            self._add(hooks, owner, "__array_wrap__", self._array_wrap)
        self._close_other_exit(hooks)

    def put_into(self, hooks: Hooks, kind: Any) -> None:
        """Trace the values of this class that leave as NumPy arrays and as Python numbers."""
        for name in ("numpy", *_NUMBERS):
            if hasattr(kind, name):
                hooks.put(kind, name, partial(self._leaving, name.strip("_")))

    @staticmethod
    def _add(hooks: Hooks, owner: Any, name: str, function: Callable[..., Any]) -> None:
        if name in vars(owner):
            return

        def bound(self: Any, *given: Any, **named: Any) -> Any:
            return function(self, *given, **named)

        setattr(owner, name, bound)
        hooks.at_end(delattr, owner, name)

    def of_call(
        self, via: str, function: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]
    ) -> Any:
        """Trace the result of a library function as computed from its arguments and the values that left during the call."""
        if self._forward.is_quiet or not _is_requested_by_user():
            return function(*given, **named)
        before, self._thread.leaving = self._thread.leaving, []
        try:
            product = function(*given, **named)
            tensors = [*self._thread.leaving, *(given[1:] or named.values())]
        finally:
            self._thread.leaving = before
        values = [each for each in tensors if self._values.is_value(each)]
        # A Keras variable stores its dtype as a string.
        left = {id(each): each for each in values if getattr(each.dtype, "is_floating", True)}
        return self._hand_out(tuple(left.values()), via, product) if left else product

    def _note(self, value: Any) -> None:
        """Note a value that leaves inside a library call whose result is returned to the program as numbers."""
        if self._thread.leaving is not None and not self._forward.is_quiet:
            self._thread.leaving.append(value)

    def _hand_out(self, tensors: tuple[Any, ...], via: str, product: Any) -> Any:
        return self._sink.hand_out(tensors, via, product)

    def _leaving(self, via: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def leave(value: Any, *given: Any) -> Any:
            if self._forward.is_quiet or not _is_requested_by_user():
                self._note(value)
                return original(value, *given)
            with self._forward.quiet():
                product = original(value, *given)
            handed = self._hand_out((value,), via, product)
            return bool(handed) if via == "bool" else handed

        leave.__name__ = leave.__qualname__ = getattr(original, "__name__", via)
        return leave

    def _leaving_as_array(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def __array__(value: Any, dtype: Any = None, copy: Any = None) -> Any:  # noqa: N807
            is_requested = not self._forward.is_quiet and _is_requested_by_user()
            with self._forward.quiet():
                array = np.asarray(self._values.numbers_of(value))
            if is_requested:
                array = self._hand_out((value,), "__array__", array)
            else:
                self._note(value)
            if dtype is not None and array.dtype != dtype:
                return array.astype(dtype)
            return array.copy() if copy else array

        return __array__

    def _array_function(
        self, _: Any, function: Any, types: Any, args: tuple[Any, ...], named: dict[str, Any]
    ) -> Any:
        """Trace `np.mean(tensor)` and `np.stack([tensor, tensor])`; the result is the same as without tracing."""
        found: list[Any] = []
        product = function(*self._plain(args, found), **self._plain(named, found))
        if self._forward.is_quiet or not _is_requested_by_user():
            return product
        module = (
            "np" if function.__module__ == "numpy" else function.__module__.replace("numpy", "np")
        )
        return self._hand_out(tuple(found), f"{module}.{function.__name__}", product)

    def _array_wrap(
        self, value: Any, array: Any, context: Any = None, return_scalar: bool = False
    ) -> Any:
        """Trace the result of a ufunc on a tensor."""
        product = array[()] if return_scalar else array
        if context is None or self._forward.is_quiet or not _is_requested_by_user():
            return product
        tensors = tuple(each for each in context[1] if self._values.is_value(each))
        return self._hand_out(tensors, f"np.{context[0].__name__}", product)

    def _plain(self, structure: Any, found: list[Any]) -> Any:
        """Return the same arguments with arrays in place of tensors; the exits of the tensors are noted."""
        if self._values.is_value(structure):
            found.append(structure)
            with self._forward.quiet():
                return np.asarray(self._values.numbers_of(structure))
        if type(structure) in (list, tuple):
            return type(structure)(self._plain(each, found) for each in structure)
        if type(structure) is dict:
            return {key: self._plain(each, found) for key, each in structure.items()}
        return structure

    def _close_other_exit(self, hooks: Hooks) -> None:
        """Disable the buffer protocol of tensors, through which NumPy would read their memory unnoticed; NumPy then calls
        `__array__`.

        This works only in CPython. While the protocol is disabled, `memoryview(tensor)` raises an error.
        """
        if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8:
            return
        word = ctypes.sizeof(ctypes.c_void_p)
        buffer = ctypes.c_void_p.from_address(id(self._values.tensor) + _AS_BUFFER * word).value
        if buffer is None:
            return
        exit_path = ctypes.c_void_p.from_address(buffer)
        was = exit_path.value
        if was is None:
            return
        exit_path.value = None
        hooks.at_end(setattr, exit_path, "value", was)


def _is_requested_by_user() -> bool:
    """Whether the program itself called the current function, or NumPy did on its behalf."""
    for code_file in _callers():
        return source.is_users(code_file)
    return False


def _callers() -> Iterator[str]:
    frame: Any = sys._getframe(2)
    own = __file__.rpartition("/")[0]
    while frame is not None:
        file = frame.f_code.co_filename
        if (
            not file.startswith(own)
            and "/numpy/" not in file
            and file != "<__array_function__ internals>"
        ):
            yield file
        frame = frame.f_back
