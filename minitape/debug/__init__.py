"""The debugging API for programs and notebooks: recordings of a running program that can be queried.

queries         record, why, explain, graph, why_of
  recording     a recording
    engines     the engine to record
observing       each event as it happens: observe, note
keras_callback  KerasCallback, for `fit`
magics          for notebooks

A program on minitape calls it `tf.debug`, a program on TensorFlow `minitape.debug`.
"""

import importlib
from typing import Any

from minitape import stand_in

stand_in.install()

_PAGES = {
    "record": "queries",
    "graph": "queries",
    "explain": "queries",
    "why": "queries",
    "why_of": "queries",
    "note": "observing",
    "observe": "observing",
    "KerasCallback": "keras_callback",
}


def __getattr__(name: str) -> Any:
    # A script that only calls `note` must not wait for the import of the explainer.
    if name in _PAGES:
        return getattr(importlib.import_module(f"minitape.debug.{_PAGES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
