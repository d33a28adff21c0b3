"""`--python PATH`: the script runs in another interpreter, in which minitape is not installed."""

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from minitape.errors import PythonError
from minitape.examples import find
from minitape.run import process
from minitape.run.options import RunOptions
from minitape.run.program import of_file

pytestmark = pytest.mark.one_in(2)

WITHIN = 60.0  # seconds for one command; the first import in a new environment compiles all of NumPy's modules
WANTED = ("3.10", "3.12", "3.13")
FINDING, USAGE, MISSING = 1, 2, 5

EXAMPLE = find("numpy_detour")


def requested(python: str, question: str) -> str | None:
    """What an interpreter prints; None if it is none that works (a pyenv shim, say)."""
    command = [python, "-I", "-c", f"import sys; print({question})"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ran.stdout.strip() if ran.returncode == 0 else None


def interpreter(version: str) -> str | None:
    """A Python of this version, from pyenv or from the PATH, where one may be a shim that runs none."""
    installed = Path.home() / ".pyenv" / "versions"
    for each in installed.glob(f"{version}.*/bin/python{version}"):
        return str(each)
    found = shutil.which(f"python{version}")
    is_one = found and requested(found, "'%d.%d' % sys.version_info[:2]") == version
    return found if is_one else None


def others() -> list[str]:
    """The interpreters to try: what there is of the wanted ones, else our own."""
    return [each for each in map(interpreter, WANTED) if each is not None] or [sys.executable]


def inside(environment: Path) -> Path:
    """The interpreter of a virtual environment."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


@pytest.fixture(scope="session", params=others(), ids=lambda path: Path(path).name)
def other(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """An interpreter with NumPy and nothing else."""
    environment = tmp_path_factory.mktemp("other") / "environment"
    subprocess.run([request.param, "-m", "venv", str(environment)], check=True)
    python = inside(environment)
    command = [str(python), "-m", "pip", "install", "--quiet", "numpy"]
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(command, capture_output=True, text=True, env=surroundings, check=False)
    assert ran.returncode == 0, f"these tests need a package index: {ran.stderr[-500:]}"
    assert (
        requested(str(python), "__import__('importlib.util').util.find_spec('minitape')") == "None"
    )
    yield python


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our own version of Python, without NumPy."""
    environment = tmp_path_factory.mktemp("bare") / "environment"
    venv.create(environment, with_pip=False, symlinks=os.name != "nt")
    return inside(environment)


@pytest.fixture
def script(work_folder: Path) -> str:
    assert EXAMPLE is not None
    return shutil.copy(EXAMPLE, work_folder / "detour.py").name


@pytest.fixture
def run(command: Callable[..., Any], work_folder: Path) -> Callable[..., Any]:
    def ran(*args: object) -> Any:
        ended = command(*args, folder=work_folder).ended(within=WITHIN)
        assert not ended.left, "no process is left behind"
        assert not ended.our_frames, "no frame of ours is shown"
        return ended

    return ran


def findings(ran: Any) -> list[Any]:
    assert ran.answer is not None, ran.stderr.decode()
    return [
        [source["name"], source["outcome"], source["findings"]]
        for call in ran.answer["data"]["calls"]
        for source in call["sources"]
    ]


@pytest.mark.whole
@pytest.mark.timeout(300)  # the environment is made within this test
def test_another_python_explains_a_script_identically(
    other: Path, script: str, run: Callable[..., Any], work_folder: Path
) -> None:
    """Two gradients are lost in line 13, in the same words; and the trace names the Python that ran the script."""
    ran = run("explain", script, "--json", "--python", other)
    assert ran.code == FINDING, ran.stderr.decode()
    assert ran.lost == [13, 13]
    here = run("explain", script, "--json")
    assert findings(ran) == findings(here)
    assert ran.tracebacks == 0

    traced = run("trace", script, "-o", "trace.jsonl", "--python", other)
    assert traced.code == 0, traced.stderr.decode()
    header = json.loads((work_folder / "trace.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert header["python"] == requested(str(other), "__import__('platform').python_version()")
    assert header["numpy"] == requested(str(other), "__import__('numpy').__version__")


@pytest.mark.whole
def test_script_runs_in_the_selected_python(
    other: Path, run: Callable[..., Any], work_folder: Path
) -> None:
    (work_folder / "who.py").write_text(
        "import sys\nimport tensorflow as tf\n\nw = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n"
        "    y = w * w\ntape.gradient(y, w)\nprint('prefix', sys.prefix, sys.executable)\n"
    )
    ran = run("explain", "who.py", "--json", "--python", other)
    assert ran.code == 0, ran.stderr.decode()
    assert f"prefix {other.parents[1]} {other}" in ran.stderr.decode()


def refused(ran: Any, python: object, code: int) -> str:
    """What was said of an interpreter that cannot be used: one sentence that names it, and no answer."""
    said: str = ran.stderr.decode()
    assert ran.code == code, said
    assert ran.stdout == b""
    assert str(python) in " ".join(said.split()), said
    assert ran.tracebacks == 0
    return said


def no_file(work_folder: Path) -> Path:
    return work_folder / "python9"


def a_folder(work_folder: Path) -> Path:
    return work_folder


def a_text(work_folder: Path) -> Path:
    """Without the right to be run."""
    path = work_folder / "notes.txt"
    path.write_text("no program\n")
    return path


def another_program(work_folder: Path) -> Path:
    """One that succeeds, whatever it is asked."""
    path = work_folder / "other"
    path.write_text("#!/bin/sh\necho hello\n")
    path.chmod(0o755)
    return path


def a_hanging_program(work_folder: Path) -> Path:
    path = work_folder / "hang"
    path.write_text("#!/bin/sh\nexec sleep 1000\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(os.name == "nt", reason="Windows starts no shell scripts as programs")
@pytest.mark.parametrize(
    "made",
    [
        no_file,
        a_folder,
        a_text,
        another_program,
    ],
)
def test_program_that_is_not_python_is_rejected(
    made: Callable[[Path], Path], script: str, run: Callable[..., Any], work_folder: Path
) -> None:
    path = made(work_folder)
    ran = run("explain", script, "--json", "--timeout", 5, "--python", path)
    assert "--python" in refused(ran, path.name, USAGE)


@pytest.mark.skipif(os.name == "nt", reason="Windows starts no shell scripts as programs")
def test_program_that_never_starts_the_script_is_killed(
    work_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert EXAMPLE is not None
    monkeypatch.setattr(process, "START", 0.5)
    with pytest.raises(PythonError, match=r"hang did not start the script within 0\.5 seconds"):
        process.run(of_file(EXAMPLE), (), RunOptions(python=a_hanging_program(work_folder)))


def test_python_without_numpy_gets_an_installation_hint(
    bare: Path, script: str, run: Callable[..., Any]
) -> None:
    ran = run("explain", script, "--json", "--python", bare)
    said = refused(ran, "numpy", MISSING)
    assert "pip install" in said
    assert "".join(str(bare).split()) in "".join(said.split()), "into which Python"


def test_too_old_python_is_rejected(script: str, run: Callable[..., Any]) -> None:
    old = interpreter("3.9") or interpreter("3.8")
    if old is None:
        pytest.skip("needs a Python older than 3.10 (on the PATH or in ~/.pyenv/versions)")
    ran = run("explain", script, "--json", "--python", old)
    said = refused(ran, "3.10", USAGE)
    assert "3.9" in said or "3.8" in said, "which version it is"
