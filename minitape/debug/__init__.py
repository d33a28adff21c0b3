"""What programs and notebooks say to minitape. In goes a program that runs, out come recordings that can be asked.

asking          record, why, explain, graph, why_of
  recording     what was heard, to be asked
    engines     which engine is listened to
observing       each event as it comes: observe, note
keras_callback  KerasCallback, for `fit`
magics          for notebooks

A program on minitape calls it `tf.debug`, one on TensorFlow `minitape.debug`.
"""

import importlib
from typing import Any

_PAGES = {
    "record": "asking",
    "graph": "asking",
    "explain": "asking",
    "why": "asking",
    "why_of": "asking",
    "note": "observing",
    "observe": "observing",
    "KerasCallback": "keras_callback",
}


def __getattr__(name: str) -> Any:
    # A script that only leaves a note must not wait for the explainer.
    if name in _PAGES:
        return getattr(importlib.import_module(f"minitape.debug.{_PAGES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
