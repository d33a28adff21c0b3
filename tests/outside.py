"""Programs and packages that some tests need and that Python does not include: a browser and its driver, a terminal.

If one is missing, the test is skipped with a message that names what to install. `.ci/run` installs everything, so there the
test fails instead.
"""

import importlib
import os
import shutil
from types import ModuleType
from typing import NoReturn

import pytest


def _is_missing(what: str) -> NoReturn:
    if os.environ.get("MINITAPE_NEEDS_ALL"):
        pytest.fail(what)
    pytest.skip(what)


def program(*names: str) -> str:
    """Return the path of the first of these programs that is installed."""
    for name in names:
        path = shutil.which(name)
        if path is not None:
            return path
    _is_missing(f"needs {names[0]} (on Debian: apt-get install {names[0]})")


def package(name: str, extra: str) -> ModuleType:
    """Return a module that one of minitape's extras installs."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        _is_missing(f"needs {name} (pip install minitape[{extra}])")
