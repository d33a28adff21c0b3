"""Watching and answering: what a program did on its tapes, drawn and explained."""

import importlib
from typing import Any

_LIVE = ("record", "why", "why_of")


def __getattr__(name: str) -> Any:
    # A command that only looks up a page must not wait for the engine, which `live` needs.
    if name in _LIVE:
        return getattr(importlib.import_module("minitape.debug.live"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
