"""Chooses the engine that a script runs on and that is traced: TensorFlow if it is installed and imported, else minitape.

EngineChoice  chooses the engine that serves `import tensorflow` and the engine that is traced, while its block runs
Arrival       waits until TensorFlow has been imported
Refused       raised if the engine is missing, or unsuitable for this job
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

from minitape.run.child.alias import Alias
from minitape.run.jobs import Companion
from minitape.tracer.engine import Engine
from minitape.tracer.tracer import Tracer

_NOT_SEEN = "it was not imported in the usual way"


class Refused(Exception):  # noqa: N818  # the command makes an error of it
    """The script does not run on this engine; the argument is the reason in one word."""


def _refuse(why: str) -> NoReturn:
    raise Refused(why)


class EngineChoice:
    """Lets TensorFlow be imported and traced if it is installed; else minitape takes its place.

    Args:
        on: The engine that the user chose, `tensorflow` or `minitape`; None for TensorFlow if it is installed.
        tracer: The tracer, which already traces minitape, and traces TensorFlow as soon as TensorFlow is imported.
        companion: A companion that traces TensorFlow in place of the tracer.
        seed: The seed for TensorFlow's random numbers, if any.
        news: Called when `known` has changed.
        uncounted: Returns a context for the time that the import of TensorFlow takes.
        refused: Called if TensorFlow is chosen but missing, or if it cannot be used for the companion; it does not return.
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
        self.is_minitape = False  # whether `import tensorflow` uses minitape
        self._on = on
        self._tracer = tracer
        self._companion = companion
        self._seed = seed
        self._refused = refused
        self._news = news
        self._alias = Alias(news)
        self._uncounted = uncounted
        self._arrival = Arrival(self._importing, self._receive)
        self._engine: Engine | None = None
        self._untraceable: str | None = None
        self._opened = ExitStack()

    def __enter__(self) -> None:
        is_there = _is_there()
        if self._on == "tensorflow" and not is_there:
            self._refused("tensorflow")
        self.is_minitape = self._on == "minitape" or not is_there
        if self.is_minitape:
            self._opened.enter_context(self._alias)
        elif (
            "tensorflow" in sys.modules
        ):  # it was imported at the start of Python, or by the previous run
            _forget_layers()
            self._receive()
        else:
            self._opened.enter_context(self._arrival)

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @property
    def known(self) -> dict[str, Any]:
        """The fields of an `Ending` that the choice determines."""
        return {
            "served": self._alias.served,
            "untraceable": self.untraceable,
            "notes": () if self._engine is None else tuple(self._engine.notes),
        }

    @property
    def untraceable(self) -> str | None:
        """Why TensorFlow, which was imported, is not traced."""
        is_elsewhere = "tensorflow" in sys.modules and not self.is_minitape
        if is_elsewhere and self._engine is None and self._untraceable is None:
            return _NOT_SEEN
        return self._untraceable

    @contextmanager
    def _importing(self) -> Iterator[None]:
        """Return a context for the import of TensorFlow, whose time and random numbers do not count for the script."""
        states = random.getstate(), np.random.get_state()
        with self._uncounted():
            yield
        if self._seed is not None:
            random.setstate(states[0])
            np.random.set_state(states[1])

    def _receive(self) -> None:
        """Trace TensorFlow, which was just imported."""
        try:
            self._untraceable = self._tried()
        except Exception as fault:  # an error in the tracer must not reach the script
            self._untraceable = getattr(fault, "reason", f"{type(fault).__name__}: {fault}")
        self._news()
        if self._companion is not None and self._engine is None:
            self._refused("unfit")

    def _tried(self) -> str | None:
        """Trace TensorFlow; return the reason if that is not possible."""
        from minitape.tracer.tensorflow import TensorFlow

        if self._seed is not None:
            sys.modules["tensorflow"].random.set_seed(self._seed)
        engine = TensorFlow()
        if not (self._companion or self._tracer).switch_engine(engine):
            return "the script used minitape before it imported TensorFlow"
        self._engine = engine
        return None


class Arrival(MetaPathFinder):
    """Lets TensorFlow be imported as usual, and calls `arrived` immediately afterwards.

    Args:
        importing: Returns a context that is entered during the import.
        arrived: Called once, when the module has been executed completely.
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
        with suppress(ValueError):  # the import has started
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
        """Call `arrived` when this loader has finished, and restore the loader."""

        def exec_module(module: ModuleType) -> None:
            del loader.exec_module
            with self._importing():
                loader.exec_module(module)
                self.__exit__()
                self._arrived()

        with suppress(
            AttributeError
        ):  # the attributes of this loader cannot be set, so TensorFlow is not traced
            loader.exec_module = exec_module


def _forget_layers() -> None:
    """Reset the layer names and random numbers of Keras, as in a new process."""
    keras = sys.modules.get("keras")
    if keras is not None:
        with suppress(Exception):  # for any version of Keras
            keras.backend.clear_session()


def _is_there() -> bool:
    """Whether this Python has TensorFlow; a folder named `tensorflow` next to the script does not count."""
    if "tensorflow" in sys.modules:
        return True
    spec = importlib.util.find_spec("tensorflow")
    return spec is not None and spec.origin is not None
