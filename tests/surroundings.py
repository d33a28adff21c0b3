"""The same settings for all tests of a run, regardless of the environment of the user or of CI.

    plain_environment   removes the variables that affect how text is printed or where files are searched
    byte_code           writes bytecode to a temporary folder if PYTHONDONTWRITEBYTECODE is set
    hypothesis_profiles sets the number of examples: 30 by default, 200 with `--whole`, 2,000 with
    `--hypothesis-profile=thorough`

`CI` is kept, because pytest prints failures in full if it is set; a test that runs pytest removes it.
"""

import atexit
import os
import shutil
import sys
import tempfile
from importlib.util import find_spec

# Rich, Typer, pytest, minitape, Keras and IPython read these variables.
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
    """Compile each module once for the run, and leave no files next to the sources.

    Without stored bytecode, each process that a test starts would compile all of minitape again.
    """
    if not sys.dont_write_bytecode or sys.pycache_prefix is not None:
        return
    folder = tempfile.mkdtemp(prefix="minitape-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # workers and scripts inherit both
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = folder
    sys.dont_write_bytecode = False


def hypothesis_profiles(*, is_whole: bool) -> None:
    """Load a profile of this module instead of Hypothesis's own for CI. The Python with TensorFlow may not have Hypothesis.

    The first two profiles draw the same examples in each run, so that a passing run keeps passing; the third draws new ones.
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
