"""What some tests need and Python does not bring: a browser and its driver, a terminal.

Where it is missing a test is skipped and says what to install; under `.ci/run`, which installs it, the test fails.
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
    """Where the first of these programs is that is there."""
    for name in names:
        path = shutil.which(name)
        if path is not None:
            return path
    _is_missing(f"needs {names[0]} (on Debian: apt-get install {names[0]})")


def package(name: str, extra: str) -> ModuleType:
    """A module that comes with one of minitape's extras."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        _is_missing(f"needs {name} (pip install minitape[{extra}])")
