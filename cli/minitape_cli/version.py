"""The version of minitape, read without importing it."""

import re
from importlib.util import find_spec
from pathlib import Path


def version() -> str:
    """Return the version in `minitape/__init__.py`."""
    spec = find_spec("minitape")
    assert spec is not None and spec.origin is not None
    stated = re.search(r'^__version__ = "(.+)"$', Path(spec.origin).read_text("utf-8"), re.M)
    assert stated is not None
    return stated[1]
