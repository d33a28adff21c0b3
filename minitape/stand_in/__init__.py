"""Replacements for packages that are missing, for places where only NumPy is installed, such as a notebook in a browser.

plain_msgspec   the part of msgspec that minitape uses
install         registers it, if msgspec is missing

`minitape.debug` and `minitape.course` call `install`. The code in a script's process does not, because it works without msgspec.
"""

import importlib
import importlib.util
import sys


def install() -> None:
    """Make `import msgspec` work if the package is missing; an installed msgspec is never replaced."""
    if importlib.util.find_spec("msgspec") is not None:
        return
    plain = importlib.import_module("minitape.stand_in.plain_msgspec")
    sys.modules["msgspec"] = plain
    for name in ("structs", "json", "toml", "inspect"):
        sys.modules[f"msgspec.{name}"] = getattr(plain, name)
