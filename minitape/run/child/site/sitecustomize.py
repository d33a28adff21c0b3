"""Imported by Python at startup, before the script: starts the tracer, and removes all traces of this entry point.

In this way, Python itself runs the script, without a frame above it, and with its own names, flags and arguments. The folder of
this file is first in PYTHONPATH; a `sitecustomize` module of the user is imported after it.
"""

import os
import sys

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def _restore():
    """Restore the environment variables that made Python import this module."""
    sys.path[:] = [each for each in sys.path if os.path.abspath(each) != _FOLDER]
    mine, _, users = os.environ.pop("PYTHONPATH", "").partition(os.pathsep)
    if users or mine != _FOLDER:
        os.environ["PYTHONPATH"] = users
    return os.environ.pop("MINITAPE_JOB")


def _boot():
    """Run the first module of the process, invisibly to the script."""
    import importlib.util

    path = os.path.join(os.path.dirname(_FOLDER), "boot.py")
    spec = importlib.util.spec_from_file_location("minitape_boot", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_job = _restore()
_self = sys.modules.pop("sitecustomize")
try:
    import sitecustomize  # noqa: F401  # the user's own
except ImportError:
    sys.modules["sitecustomize"] = _self  # Python looks for it there after this module
_boot().main(_job)
