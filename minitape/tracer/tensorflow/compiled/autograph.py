"""Takes the maps that AutoGraph keeps from the code that it generates to the user's source (`tracer/code/converted.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minitape.tracer.code import converted
from minitape.tracer.tensorflow.internals import Hooks, module_called

_AUTOGRAPH = "tensorflow.python.autograph"


def take_maps(hooks: Hooks) -> None:
    """Take the map of each module that AutoGraph has generated so far, and of each that it generates from now on."""
    transpiler = getattr(module_called(f"{_AUTOGRAPH}.impl.api"), "_TRANSPILER", None)
    converted_so_far = getattr(getattr(transpiler, "_cache", None), "_cache", {})
    for factories in list(converted_so_far.values()):
        for factory in factories.values():
            converted.add(getattr(factory, "source_map", None) or {})
    hooks.put(module_called(f"{_AUTOGRAPH}.pyct.loader"), "load_ast", _mapped)


def _mapped(load: Callable[..., Any]) -> Callable[..., Any]:
    def loading(*given: Any, **named: Any) -> Any:
        loaded = load(*given, **named)
        converted.add(loaded[2] or {})
        return loaded

    return loading
