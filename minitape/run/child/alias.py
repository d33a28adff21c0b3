"""Answering `import tensorflow`, and imports from inside it, with minitape's own modules.

Alias       while its block runs, or for good after `serve`
serve       for a process that a script started
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class Alias(MetaPathFinder, Loader):
    """Stands in for TensorFlow.

    `served` tells whether anything was asked of it; `asked` is called when that begins.
    """

    def __init__(self, asked: Callable[[], None] = lambda: None) -> None:
        self.served = False
        self._asked = asked
        self._specs: dict[str, ModuleSpec | None] = {}
        self._held: dict[str, ModuleType] = {}

    def __enter__(self) -> None:
        self._held = self._take_away()
        sys.meta_path.insert(0, self)

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)
        self._take_away()
        sys.modules.update(self._held)

    @staticmethod
    def _take_away() -> dict[str, ModuleType]:
        names = [name for name in sys.modules if name.split(".")[0] == "tensorflow"]
        return {name: sys.modules.pop(name) for name in names}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.split(".")[0] != "tensorflow":
            return None
        return ModuleSpec(name, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        ours = "minitape" + spec.name.removeprefix("tensorflow")
        try:
            module = importlib.import_module(ours)
        except ModuleNotFoundError as error:
            if error.name is None or not ours.startswith(error.name):
                raise
            raise ModuleNotFoundError(
                f"minitape has no {spec.name}; `minitape explain MT902` tells what it has.",
                name=spec.name,
            ) from None
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has just written the alias's spec onto our module.
        alias = module.__spec__
        if alias is not None and alias.name in self._specs:
            module.__spec__ = self._specs[alias.name]
        if not self.served:
            self.served = True
            self._asked()


def serve() -> None:
    """Answer from now on; what stood in for TensorFlow until then gives way."""
    Alias().__enter__()
    importlib.import_module("tensorflow")
