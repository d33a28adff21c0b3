"""With a full disk or a limit on file size, the message names the folder or file, the exit code is 2, and no file is half
written.
"""

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from minitape.course.parallel_attempts import attempts
from minitape.course.workspace import made
from minitape.errors import StorageError
from minitape.run.jobs import Errand
from minitape.run.options import RunOptions
from minitape.run.program import of_file
from minitape.run.workers import Workers

pytestmark = [
    pytest.mark.one_in(6),
    pytest.mark.skipif(os.name == "nt", reason="it has no such limits"),
]

FULL = "No space left on device"
BROKEN_OFF = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
for _ in range(5_000):
    w.assign(w * 1.0)
print("came to its end", flush=True)
"""


def limited() -> None:
    """Limit file sizes of this process to less than a segment of the channel."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


def command(*args: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "minitape_cli", *map(str, args)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
        **options,
    )


# --- the folder for temporary files ---


@pytest.fixture
def small_temp_folder(tmp_path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """A folder for temporary files that holds 64 kB; where mounting is not allowed, a limit on file sizes replaces it."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    options: dict[str, Any] = {"env": os.environ | {"TMPDIR": str(folder)}}
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    is_mounted = (
        sys.platform == "linux" and not subprocess.run(mount, capture_output=True).returncode
    )
    if not is_mounted:
        options["preexec_fn"] = limited
    yield folder, options
    if is_mounted:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize(
    "line",
    [
        "explain {} --on minitape",
        "trace {} --on minitape -o out.jsonl",
        "graph {} --on minitape -o out.svg",
        "html {} --on minitape -o out.html",
    ],
)
def test_full_temp_folder_is_named(
    line: str, none_script: Path, small_temp_folder: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    folder, options = small_temp_folder
    ran = command(*line.format(none_script).split(), cwd=tmp_path, **options)
    assert ran.returncode == 2
    assert str(folder) in ran.stderr
    assert "TMPDIR=" in ran.stderr or "ulimit -f" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert "Python" not in ran.stderr
    assert not list(folder.iterdir())
    assert not list(tmp_path.glob("*out.*"))


def test_temp_folder_too_small_for_the_script_is_named(
    none_script: Path, small_temp_folder: tuple[Path, dict[str, Any]]
) -> None:
    """The folder of a run contains the text of the script."""
    folder, options = small_temp_folder
    none_script.write_text(f"{none_script.read_text()}# {'a' * 2_000_000}\n")
    ran = command("explain", none_script, "--on", "minitape", **options)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert str(folder) in ran.stderr
    assert "TMPDIR=" in ran.stderr or "ulimit -f" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not list(folder.iterdir())


def test_file_size_limit_is_named(none_script: Path) -> None:
    ran = command("explain", none_script, "--on", "minitape", preexec_fn=limited)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "The file size limit is too small" in ran.stderr
    assert "ulimit -f unlimited" in ran.stderr


@pytest.mark.parametrize("mode", ["is missing", "is read only"])
def test_unusable_temp_folder_is_not_needed(mode: str, none_script: Path, tmp_path: Path) -> None:
    """Python uses another folder, such as /tmp."""
    folder = tmp_path / "there"
    if mode == "is read only":
        folder.mkdir(mode=0o500)
    env = os.environ | {"TMPDIR": str(folder)}
    assert command("explain", none_script, "--on", "minitape", env=env).returncode == 1


@pytest.mark.parametrize("line", ["explain {}", "run {}", "trace {} -o out.jsonl"])
def test_disk_that_fills_while_the_script_runs_ends_only_the_recording(
    line: str, none_script: Path, tmp_path: Path
) -> None:
    none_script.write_text(none_script.read_text() + BROKEN_OFF + "1 / 0\n")
    args = f"{line} --max-ops 0 --on minitape".format(none_script).split()
    ran = command(*args, cwd=tmp_path)
    assert ran.returncode == 2
    assert "came to its end" in ran.stdout + ran.stderr
    assert "The rest of the script was not recorded." in ran.stderr
    assert "The file size limit is too small" in ran.stderr
    assert "ZeroDivisionError: division by zero" in ran.stderr
    if line.startswith("explain"):
        assert "error[MT201]" in ran.stdout
    if "-o" in line:
        assert command("explain", tmp_path / "out.jsonl").returncode == 1


def test_worker_without_disk_space_is_reported(
    none_script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker gets its jobs as files."""
    errand = Errand(of_file(none_script), (), RunOptions(on="minitape"))
    with Workers(RunOptions()) as workers:
        assert workers.done(errand) is not None

        def refuse(*_: object) -> None:
            raise OSError(errno.ENOSPC, FULL)

        monkeypatch.setattr(Path, "write_bytes", refuse)
        with pytest.raises(StorageError, match="is full"):
            workers.done(errand)


def test_disk_that_fills_while_a_worker_runs_the_script_is_reported(none_script: Path) -> None:
    none_script.write_text(none_script.read_text() + BROKEN_OFF)
    errand = Errand(of_file(none_script), (), RunOptions(on="minitape", max_ops=0))
    with Workers(RunOptions()) as workers, pytest.raises(StorageError, match="too small"):
        workers.done(errand)


def test_grading_without_a_temp_folder_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **_known: object) -> None:
        raise OSError(errno.ENOSPC, FULL)

    monkeypatch.setattr("tempfile.TemporaryDirectory", refuse)
    with pytest.raises(StorageError, match="is full"):
        list(attempts([]))


# --- the files that a command writes ---


class HalfWrittenFile:
    """A file that accepts half of the data, and then reports a full disk."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def __enter__(self) -> "HalfWrittenFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> None:
        self._file.write(data[: len(data) // 2])
        self._file.flush()
        raise OSError(errno.ENOSPC, FULL)


@pytest.fixture
def fill_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """After this call, files that are created next to others cannot be written completely, except the first `fitting` ones."""
    fdopen = os.fdopen
    left = 0

    def opened(descriptor: int, mode: str = "r", *args: Any, **rest: Any) -> Any:
        nonlocal left
        file = fdopen(descriptor, mode, *args, **rest)
        left -= "w" in mode
        return HalfWrittenFile(file) if "w" in mode and left < 0 else file

    def begin(*, fitting: int = 0) -> None:
        nonlocal left
        left = fitting
        monkeypatch.setattr("os.fdopen", opened)

    return begin


@pytest.mark.parametrize(
    "line",
    [
        "trace {} -o {out}.jsonl",
        "graph {} -o {out}.svg",
        "html {} -o {out}.html",
        "explain {} -o {out}.txt",
        "run {} --save-trace {out}.jsonl",
    ],
)
def test_output_that_does_not_fit_is_named_and_the_old_file_stays(
    line: str, minitape: Any, none_script: Path, tmp_path: Path, fill_disk: Callable[..., None]
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    args = line.format(none_script, out=folder / "a").split()
    to = Path(args[3])
    to.write_text("old")
    fill_disk()
    ran = minitape(*args, "--as-tensorflow")
    assert ran.exit_code == 2
    assert f"{to}: {FULL}." in ran.stderr.replace("\n", "")
    assert [each.name for each in folder.iterdir()] == [to.name]
    assert to.read_text() == "old"


@pytest.mark.parametrize("fitting", [0, 1])
def test_fix_that_does_not_fit_leaves_the_script_unchanged(
    fitting: int, minitape: Any, none_script: Path, fill_disk: Callable[..., None]
) -> None:
    """The copy of the script is written first."""
    before = none_script.read_text()
    fill_disk(fitting=fitting)
    ran = minitape("explain", none_script, "--fix", "--yes", "--as-tensorflow")
    assert ran.exit_code == 2
    assert FULL in ran.stderr
    files = list(none_script.parent.iterdir())
    assert len(files) == 1 + fitting
    assert {each.read_text() for each in files} == {before}


def test_course_folder_that_does_not_fit_has_no_partial_file(
    minitape: Any, tmp_path: Path, fill_disk: Callable[..., None]
) -> None:
    fill_disk()
    ran = minitape("lesson", "init", tmp_path / "course")
    assert ran.exit_code == 2
    assert FULL in ran.stderr
    assert [each for each in tmp_path.rglob("*") if each.is_file()] == []


@pytest.mark.parametrize("fitting", [0, 1])
def test_exercise_that_cannot_be_reset_keeps_the_students_text(
    fitting: int,
    minitape: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fill_disk: Callable[..., None],
) -> None:
    place = made(tmp_path / "course", None, "full")
    file = place.file(place.course.exercise("01/ex2"))
    file.write_text("my own text")
    monkeypatch.chdir(place.folder)
    fill_disk(fitting=fitting)
    assert minitape("lesson", "reset", "01/ex2", "--yes").exit_code == 2
    assert file.read_text() == "my own text"


def test_class_report_that_does_not_fit_is_named(
    minitape: Any, tmp_path: Path, fill_disk: Callable[..., None]
) -> None:
    (tmp_path / "class" / "anna").mkdir(parents=True)
    (tmp_path / "class" / "anna" / "ex2_slope_27.py").write_text("pass\n")
    fill_disk()
    to = tmp_path / "grades.csv"
    ran = minitape("lesson", "grade", tmp_path / "class", "--only", "01/ex2", "-o", to, "--jobs", 1)
    assert ran.exit_code == 2
    assert f"{to}.rows: {FULL}." in ran.stderr.replace("\n", "")
    assert not to.exists()


def test_row_of_a_class_that_does_not_fit_is_named(
    minitape: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "class" / "anna").mkdir(parents=True)
    (tmp_path / "class" / "anna" / "ex2_slope_27.py").write_text("pass\n")
    opened = Path.open

    def refuse(path: Path, mode: str = "r", *args: Any, **rest: Any) -> Any:
        if mode == "ab":
            raise OSError(errno.ENOSPC, FULL)
        return opened(path, mode, *args, **rest)

    monkeypatch.setattr(Path, "open", refuse)
    to = tmp_path / "grades.csv"
    ran = minitape("lesson", "grade", tmp_path / "class", "--only", "01/ex2", "-o", to, "--jobs", 1)
    assert ran.exit_code == 2
    assert f"{to}.rows: {FULL}." in ran.stderr.replace("\n", "")


def test_grading_without_temp_space_blames_no_student(
    tmp_path: Path, small_temp_folder: tuple[Path, dict[str, Any]]
) -> None:
    (tmp_path / "class" / "anna").mkdir(parents=True)
    (tmp_path / "class" / "anna" / "ex2_slope_27.py").write_text("pass\n")
    folder, options = small_temp_folder
    args = ("--only", "01/ex2", "--jobs", 1, "--format", "csv")
    ran = command("lesson", "grade", tmp_path / "class", *args, **options)
    assert ran.returncode == 2
    assert str(folder) in ran.stderr
    assert "anna" not in ran.stdout
