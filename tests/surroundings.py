"""What is around all tests of a run: the same settings everywhere, whatever the user's or CI's environment says.

    plain_environment   without the variables that decide how something is printed, or where something is looked for
    byte_code           where PYTHONDONTWRITEBYTECODE is set, in a temporary folder
    hypothesis_profiles how many examples are drawn: 30 as a rule, 200 with `--whole`, 2,000 with `--hypothesis-profile=thorough`

`CI` stays, for pytest prints the whole of a failure where it is set; a test that runs pytest removes it.
"""

import atexit
import os
import shutil
import sys
import tempfile
from importlib.util import find_spec

# Rich, Typer, pytest, minitape, Keras and IPython look at them.
_DECISIVE = (
    *("NO_COLOR", "FORCE_COLOR", "PY_COLORS", "COLORTERM", "GITHUB_ACTIONS", "COLUMNS", "LINES"),
    *("TTY_COMPATIBLE", "TTY_INTERACTIVE", "JUPYTER_COLUMNS", "JUPYTER_LINES", "TERMINAL_WIDTH"),
    *("LANGUAGE", "LC_ALL", "LC_CTYPE", "PYTHONIOENCODING", "PYTHONUTF8"),
    *("VISUAL", "EDITOR", "PYTEST_ADDOPTS", "MINITAPE_DOT", "KERAS_HOME", "KERAS_BACKEND"),
    "VIRTUAL_ENV",
)


def plain_environment() -> None:
    for name in _DECISIVE:
        os.environ.pop(name, None)


def byte_code() -> None:
    """Compile each module once for the run, and leave nothing beside the sources.

    Without any byte code, each process that a test starts compiles all of minitape again.
    """
    if not sys.dont_write_bytecode or sys.pycache_prefix is not None:
        return
    folder = tempfile.mkdtemp(prefix="minitape-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # workers and scripts inherit both
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = folder
    sys.dont_write_bytecode = False


def hypothesis_profiles(*, is_whole: bool) -> None:
    """Load ours, not the one that Hypothesis has for CI; the Python that has TensorFlow may not have Hypothesis.

    The first two draw the same examples each time, so that a green run stays green; the third draws new ones.
    """
    if find_spec("hypothesis") is None:
        return
    from hypothesis import HealthCheck, settings

    settings.register_profile(
        "whole",
        max_examples=200,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    whole = settings.get_profile("whole")
    settings.register_profile("quick", whole, max_examples=30)
    settings.register_profile("thorough", whole, max_examples=2000, derandomize=False)
    settings.load_profile("whole" if is_whole else "quick")
