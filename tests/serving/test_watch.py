"""What the loop of `--watch` holds in memory between two runs."""

import gc
import weakref
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from minitape_cli.serving.watch import _Iterations


class Cyclic:
    """An object that only the garbage collector can free."""

    def __init__(self) -> None:
        self.itself = self


def test_memory_of_a_run_is_freed_before_the_next_save(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command makes garbage collection rare, so each run would leave its cycles: 0.3 MB per save."""
    iterations: Any = object.__new__(_Iterations)
    silent = SimpleNamespace(say=lambda *_: None)
    iterations._is_over = iterations._shows_run = False
    iterations._board, iterations._command = silent, SimpleNamespace(terminal=silent)
    made: list[weakref.ref[Cyclic]] = []
    held: list[bool] = []

    def recorded() -> NoReturn:
        made.append(weakref.ref(Cyclic()))
        raise OSError(2, "No such file", "a.py")

    def take(*, unless: object) -> None:
        held.append(made[-1]() is not None)
        iterations._is_over = True

    iterations._recorded, iterations._saved = recorded, SimpleNamespace(take=take)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    gc.disable()
    try:
        iterations.go()
    finally:
        gc.enable()
    assert held == [False]
