"""Read by Python when it starts, before the script: lets minitape listen, and leaves no trace of that way in.

So the script is run by Python itself, as ever: no frame stands above it, and names, flags and arguments are its own. The folder
of this page stood first in PYTHONPATH for that; a page of this name that the user has is read after it.
"""

import os
import sys

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def _restore():
    """Take back what led here."""
    sys.path[:] = [each for each in sys.path if os.path.abspath(each) != _FOLDER]
    mine, _, users = os.environ.pop("PYTHONPATH", "").partition(os.pathsep)
    if users or mine != _FOLDER:
        os.environ["PYTHONPATH"] = users
    return os.environ.pop("MINITAPE_JOB")


def _boot():
    """The first page of the process, which is no module of the script's."""
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
    sys.modules["sitecustomize"] = _self  # Python looks for it there when this page is over
_boot().main(_job)
