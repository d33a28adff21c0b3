"""Watching and answering: what a program did on its tapes, drawn and explained."""

import importlib
from typing import Any

_PAGES = {
    "record": "live",
    "graph": "live",
    "why": "live",
    "why_of": "live",
    "note": "observing",
    "observe": "observing",
}


def __getattr__(name: str) -> Any:
    # A command that only looks up a page must not wait for the engine, which these pages need.
    if name in _PAGES:
        return getattr(importlib.import_module(f"minitape.debug.{_PAGES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
