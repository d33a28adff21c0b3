"""What the loop of `--watch` holds between two runs."""

import gc
import weakref
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from minitape_cli.serving.watch import _Iterations


class Cyclic:
    """An object that only the collector can free."""

    def __init__(self) -> None:
        self.itself = self


def test_nothing_of_a_run_is_held_while_the_next_save_is_awaited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command lets Python collect seldom, so each run would leave its cycles: 0.3 MB a save."""
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
