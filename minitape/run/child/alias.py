"""Serves `import tensorflow` and `import keras`, and imports of their submodules, with minitape's own modules.

Alias       serves these imports while its block runs, or permanently after `serve`
Served      minitape under TensorFlow's name
serve       serves these imports in a process that a script started
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from minitape.unsupported.errors import of_module
from minitape.version import VERSION

_STAND_FOR = {"tensorflow": "minitape", "keras": "minitape.keras"}


class Alias(MetaPathFinder, Loader):
    """Takes the place of TensorFlow.

    `served` is True once something was imported from it; `on_first_import` is called at the first such import.
    """

    def __init__(self, on_first_import: Callable[[], None] = lambda: None) -> None:
        self.served = False
        self._on_first_import = on_first_import
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
        names = [name for name in sys.modules if name.split(".")[0] in _STAND_FOR]
        return {name: sys.modules.pop(name) for name in names}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.split(".")[0] not in _STAND_FOR:
            return None
        return ModuleSpec(name, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        if spec.name == "tensorflow":
            served = Served()
            self._specs[spec.name] = served.__spec__
            return served
        root, _, inside = spec.name.partition(".")
        ours = ".".join(filter(None, (_STAND_FOR[root], inside)))
        try:
            module = importlib.import_module(ours)
        except ModuleNotFoundError as error:
            if error.name is None or not ours.startswith(error.name):
                raise
            raise of_module(spec.name, ours.replace("minitape", "tf", 1)) from None
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has just replaced the spec of our module with the spec of the alias.
        alias = module.__spec__
        if alias is not None and alias.name in self._specs:
            module.__spec__ = self._specs[alias.name]
        if not self.served:
            self.served = True
            self._on_first_import()


class Served(ModuleType):
    """minitape under TensorFlow's name: all of its names, and the version of the TensorFlow whose behavior it matches."""

    def __init__(self) -> None:
        super().__init__("minitape")
        self._package = importlib.import_module("minitape")
        for name in ("__doc__", "__file__", "__package__", "__path__", "__spec__"):
            setattr(self, name, getattr(self._package, name))
        self.__version__ = VERSION

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._package, name)
        setattr(self, name, found)  # from then on, Python finds the module without this finder
        return found

    def __dir__(self) -> list[str]:
        return dir(self._package)


def serve() -> None:
    """Serve imports from now on; an earlier alias is removed."""
    Alias().__enter__()
    importlib.import_module("tensorflow")
