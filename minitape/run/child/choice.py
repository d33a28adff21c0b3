"""On which engine a script runs and is heard: TensorFlow itself where it is there and imported, else minitape.

Choice     who answers `import tensorflow`, and what is heard, while its block runs
Arrival    waits until TensorFlow itself has been imported
Refused    the engine is not there, or not one for this job
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NoReturn

import numpy as np

from minitape.listen.engine import Engine
from minitape.listen.tracer import Tracer
from minitape.run.child.alias import Alias
from minitape.run.jobs import Companion

_NOT_SEEN = "it was not imported in the usual way"


class Refused(Exception):  # noqa: N818  # the command makes an error of it
    """The script is not run on this engine, for a reason in one word."""


def _refuse(why: str) -> NoReturn:
    raise Refused(why)


class Choice:
    """Lets TensorFlow be imported where it is there, and heard then; else minitape answers.

    Args:
        on: Which one the user wants, `tensorflow` or `minitape`; None: what is there.
        tracer: It listens to minitape already, and to TensorFlow as soon as that is imported.
        companion: Hears TensorFlow in its place.
        seed: Of TensorFlow's random numbers, if they get one.
        news: Called when there is something new in `known`.
        uncounted: Entered for the time that TensorFlow takes to be imported.
        refused: Called if TensorFlow is wanted and not there, or is there and nothing for the companion; does not return.
    """

    def __init__(
        self,
        on: str | None,
        tracer: Tracer,
        *,
        companion: Companion | None = None,
        seed: int | None = None,
        news: Callable[[], None] = lambda: None,
        uncounted: Callable[[], AbstractContextManager[None]] = nullcontext,
        refused: Callable[[str], NoReturn] = _refuse,
    ) -> None:
        self.is_minitape = False  # whatever is imported
        self._on = on
        self._tracer = tracer
        self._companion = companion
        self._seed = seed
        self._refused = refused
        self._news = news
        self._alias = Alias(news)
        self._uncounted = uncounted
        self._arrival = Arrival(self._importing, self._hear)
        self._engine: Engine | None = None
        self._unheard: str | None = None
        self._opened = ExitStack()

    def __enter__(self) -> None:
        is_there = _is_there()
        if self._on == "tensorflow" and not is_there:
            self._refused("tensorflow")
        self.is_minitape = self._on == "minitape" or not is_there
        if self.is_minitape:
            self._opened.enter_context(self._alias)
        elif "tensorflow" in sys.modules:  # since Python's start, or by the run before this one
            _forget_layers()
            self._hear()
        else:
            self._opened.enter_context(self._arrival)

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @property
    def known(self) -> dict[str, Any]:
        """What an `Ending` says of it."""
        return {
            "served": self._alias.served,
            "unheard": self.unheard,
            "remarks": () if self._engine is None else tuple(self._engine.remarks),
        }

    @property
    def unheard(self) -> str | None:
        """Why TensorFlow itself, which was imported, is not heard."""
        is_elsewhere = "tensorflow" in sys.modules and not self.is_minitape
        if is_elsewhere and self._engine is None and self._unheard is None:
            return _NOT_SEEN
        return self._unheard

    @contextmanager
    def _importing(self) -> Iterator[None]:
        """Neither the time nor the random numbers that TensorFlow takes to be imported are the script's."""
        states = random.getstate(), np.random.get_state()
        with self._uncounted():
            yield
        if self._seed is not None:
            random.setstate(states[0])
            np.random.set_state(states[1])

    def _hear(self) -> None:
        """TensorFlow is there: hear it."""
        try:
            self._unheard = self._tried()
        except Exception as fault:  # what goes wrong with that is no concern of the script's
            self._unheard = getattr(fault, "reason", f"{type(fault).__name__}: {fault}")
        self._news()
        if self._companion is not None and self._engine is None:
            self._refused("unfit")

    def _tried(self) -> str | None:
        """Hear TensorFlow; returns why not, if it is not to be."""
        from minitape.listen.tensorflow import TensorFlow

        if self._seed is not None:
            sys.modules["tensorflow"].random.set_seed(self._seed)
        engine = TensorFlow()
        if not (self._companion or self._tracer).hear(engine):
            return "the script used minitape before it imported TensorFlow"
        self._engine = engine
        return None


class Arrival(MetaPathFinder):
    """Lets TensorFlow be imported as ever, and calls `arrived` right after.

    Args:
        importing: Entered while this goes on.
        arrived: Called once, when the module has been executed to its end.
    """

    def __init__(
        self,
        importing: Callable[[], AbstractContextManager[None]],
        arrived: Callable[[], None],
    ) -> None:
        self._importing = importing
        self._arrived = arrived

    def __enter__(self) -> None:
        sys.meta_path.insert(0, self)

    def __exit__(self, *_: object) -> None:
        with suppress(ValueError):  # it has arrived
            sys.meta_path.remove(self)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != "tensorflow":
            return None
        others = [each for each in sys.meta_path if each is not self]
        found = (each.find_spec(name, path, target) for each in others)
        spec = next((each for each in found if each is not None), None)
        if spec is not None:
            self._wait_at(spec.loader)
        return spec

    def _wait_at(self, loader: Any) -> None:
        """Be told when this loader has done its work; then it is again as it was."""

        def exec_module(module: ModuleType) -> None:
            del loader.exec_module
            with self._importing():
                loader.exec_module(module)
                self.__exit__()
                self._arrived()

        with suppress(AttributeError):  # a loader that cannot be told: then it is not heard
            loader.exec_module = exec_module


def _forget_layers() -> None:
    """Let Keras number its layers, and draw its random numbers, from the start, as in a process of its own."""
    keras = sys.modules.get("keras")
    if keras is not None:
        with suppress(Exception):  # whatever version of Keras it is
            keras.backend.clear_session()


def _is_there() -> bool:
    """Whether this Python has TensorFlow; a folder of that name beside the script is none."""
    if "tensorflow" in sys.modules:
        return True
    spec = importlib.util.find_spec("tensorflow")
    return spec is not None and spec.origin is not None
