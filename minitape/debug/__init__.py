"""`tf.debug`: what programs and notebooks say to minitape. In goes a program that runs, out come recordings that can be asked."""

import importlib
from typing import Any

_PAGES = {
    "record": "recording",
    "graph": "recording",
    "why": "recording",
    "why_of": "recording",
    "note": "observing",
    "observe": "observing",
}


def __getattr__(name: str) -> Any:
    # A script that only leaves a note must not wait for the explainer.
    if name in _PAGES:
        return getattr(importlib.import_module(f"minitape.debug.{_PAGES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
