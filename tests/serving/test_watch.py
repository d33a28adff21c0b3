"""What the loop of `--watch` holds between two runs."""

import gc
import weakref
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from minitape_cli.serving.watch import _Rounds


class Cyclic:
    """An object that only the collector can free."""

    def __init__(self) -> None:
        self.itself = self


def test_nothing_of_a_run_is_held_while_the_next_save_is_awaited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command lets Python collect seldom, so each run would leave its cycles: 0.3 MB a save."""
    rounds: Any = object.__new__(_Rounds)
    silent = SimpleNamespace(say=lambda *_: None)
    rounds._is_over = rounds._shows_run = False
    rounds._board, rounds._asked = silent, SimpleNamespace(terminal=silent)
    made: list[weakref.ref[Cyclic]] = []
    held: list[bool] = []

    def recorded() -> NoReturn:
        made.append(weakref.ref(Cyclic()))
        raise OSError(2, "No such file", "a.py")

    def take(*, unless: object) -> None:
        held.append(made[-1]() is not None)
        rounds._is_over = True

    rounds._recorded, rounds._saved = recorded, SimpleNamespace(take=take)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    gc.disable()
    try:
        rounds.go()
    finally:
        gc.enable()
    assert held == [False]
