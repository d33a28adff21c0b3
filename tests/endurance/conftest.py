"""`command(...)` runs `minitape` on a script in a separate process, and reports which processes and files remain."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import pytest

import minitape
import minitape_cli

sys.path.insert(0, str(Path(__file__).parent))
RUDE = Path(__file__).parent / "rude"
collect_ignore_glob = ["rude/*"]  # scripts to be run, not modules to be imported

VANISHING = 1.0  # the maximum number of seconds until a killed process is removed from /proc

# As in a terminal: where these tests are started by `nohup` or by a shell's `&`, what they start would ignore them too.
for _each in (signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)):
    if signal.getsignal(_each) is signal.SIG_IGN:
        signal.signal(
            _each, signal.default_int_handler if _each == signal.SIGINT else signal.SIG_DFL
        )

OURS = tuple(str(Path(each.__file__).parent) for each in (minitape, minitape_cli))


@dataclass(frozen=True)
class Ran:
    """How a command ended. `code` is None if it had to be killed; `left` contains the processes that outlived it."""

    code: int | None
    seconds: float
    stdout: bytes = field(repr=False)
    stderr: bytes = field(repr=False)
    left: tuple[str, ...]
    peak: int  # bytes of memory of the command itself, without the script; 0 if unknown

    @property
    def answer(self) -> Any:
        """The one JSON object on stdout; None if stdout contains anything else."""
        try:
            found = json.loads(self.stdout)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None

    @property
    def lost(self) -> list[int]:
        """The lines where gradients were lost, one for each MT201."""
        return [each["line"] for each in self._findings if each["code"] == "MT201"]

    @property
    def messages(self) -> list[str]:
        return [each["message"] for each in self._findings]

    @property
    def _findings(self) -> list[dict[str, Any]]:
        calls = [] if self.answer is None else self.answer["data"]["calls"]
        return [each for call in calls for s in call["sources"] for each in s["findings"]]

    @property
    def said(self) -> list[str]:
        """The messages about the run: notes, and the exception that ended it with its type."""
        reported = [] if self.answer is None else self.answer["diagnostics"]
        return [": ".join(filter(None, (each.get("type"), each["message"]))) for each in reported]

    @property
    def our_frames(self) -> list[str]:
        """Lines of tracebacks that are in a file of minitape."""
        frames = re.findall(r'File "(.*?)", line \d+', self.stderr.decode(errors="replace"))
        return [each for each in frames if each.startswith(OURS) or "minitape_cli/" in each]

    @property
    def tracebacks(self) -> int:
        return self.stderr.count(b"Traceback (most recent call last)")


class Started:
    """A running command. Output goes to files: a pipe would stay open as long as any process holds it."""

    def __init__(
        self,
        args: tuple[str, ...],
        folder: Path,
        outputs: Path,
        stdin: bytes | int | None,
        environ: dict[str, str],
        **options: Any,
    ) -> None:
        self._mark = f"MINITAPE_TEST={uuid.uuid4().hex}".encode()
        name, value = self._mark.decode().split("=")
        self._out, self._err = outputs / "stdout", outputs / "stderr"
        feed: IO[bytes] | int = subprocess.DEVNULL if stdin is None else subprocess.PIPE
        if isinstance(stdin, int):
            feed = stdin
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self._began = time.monotonic()
            self.process = subprocess.Popen(
                [sys.executable, "-m", "minitape_cli", *args],
                cwd=folder,
                stdin=feed,
                stdout=out,
                stderr=err,
                env=environ | {name: value},
                start_new_session=True,
                **options,
            )
        if isinstance(stdin, bytes) and self.process.stdin is not None:
            with self.process.stdin as pipe, suppress(BrokenPipeError):
                pipe.write(stdin)

    def ended(self, within: float) -> Ran:
        """Wait for the end; kill the command if it has not ended a few seconds after the time limit."""
        until, peak = self._began + within + 3.0, 0
        while self.process.poll() is None and time.monotonic() < until:
            peak = max(peak, _peak(self.process.pid))
            time.sleep(0.02)
        seconds, code = time.monotonic() - self._began, self.process.poll()
        left = () if code is None else self._left()
        self.clean_up()
        return Ran(code, seconds, self._out.read_bytes(), self._err.read_bytes(), left, peak)

    def clean_up(self) -> None:
        """Kill the command and every process with its mark, until none is left."""
        if self.process.poll() is None:
            self.process.kill()
        for _ in range(100):
            found = _marked(self._mark)
            for each in found:
                with suppress(OSError):
                    os.kill(each, signal.SIGKILL)
            if not found:
                break
            time.sleep(0.02)
        self.process.wait()

    def _left(self) -> tuple[str, ...]:
        until = time.monotonic() + VANISHING
        while _marked(self._mark) and time.monotonic() < until:
            time.sleep(0.02)
        return tuple(map(_command_line, _marked(self._mark)))


def _marked(mark: bytes) -> list[int]:
    """The processes that inherited a mark. Only Linux shows it; on other systems none is found."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found


def _command_line(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    return "(gone)"


def _peak(process: int) -> int:
    with suppress(OSError):
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
        return 1024 * int(found[1]) if found else 0
    return 0


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    """Start `minitape ARGS` in its own session; processes that it leaves are killed when the test ends."""
    started: list[Started] = []
    plain = {"NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS", "TERM", "COLUMNS", "PYTHONPATH"}
    environ = {name: value for name, value in os.environ.items() if name not in plain}

    def start(
        *args: object, folder: Path, stdin: bytes | int | None = None, **options: Any
    ) -> Started:
        outputs = tmp_path / f"outputs{len(started)}"
        outputs.mkdir()
        made = Started(tuple(map(str, args)), folder, outputs, stdin, environ, **options)
        started.append(made)
        return made

    yield start
    for each in started:
        each.clean_up()


@pytest.fixture
def work_folder(tmp_path: Path) -> Path:
    """The folder in which a misbehaving script runs; it may change everything there."""
    made = tmp_path / "room"
    made.mkdir()
    return made


@pytest.fixture
def explaining(command: Callable[..., Started], work_folder: Path) -> Callable[..., Started]:
    """Start `minitape explain` on a copy of a misbehaving script."""

    def start(name: str, *options: object, **surroundings: Any) -> Started:
        shutil.copy(RUDE / f"{name}.py", work_folder)
        args = ("explain", f"{name}.py", "--json", *options)
        return command(*args, folder=work_folder, **surroundings)

    return start
