"""The correct behavior of a command for any input: work, or refuse the input with a message, quickly and without growing
memory.

    requested   runs a command in this process; raises a `Fault` for any other behavior
    within      a time limit for a block
    Search      tries many inputs: counts, faults, seconds, memory

A fault has a signature, which is the location where it was raised. Of several inputs with the same signature, only the first is
kept.
"""

import contextlib
import functools
import gc
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import typer
from click.testing import CliRunner

from minitape_cli.app import app
from minitape_cli.exits import ExitCode

MEMORY = 3 << 30  # bytes of address space above what the process has at the start
MAY_GROW = 48 << 20  # bytes over a whole search, after its first tenth
_ALLOWED = {int(each) for each in ExitCode} - {int(ExitCode.BUG)}
_COMMAND = typer.main.get_command(app)  # once: Typer builds the whole tree again at each call
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Fault(Exception):  # noqa: N818  # what a search looks for
    """Wrong behavior of a command. `signature` is the same for all inputs that trigger the same mistake."""

    def __init__(self, signature: str, detail: str) -> None:
        super().__init__(signature)
        self.signature, self.detail = signature, detail


class SlowError(BaseException):
    """Raised when a time limit is exceeded. It is not an `Exception`, so that no `except Exception` catches it."""


@contextlib.contextmanager
def within(seconds: float, what: str) -> Iterator[None]:
    """Run a block with a time limit.

    Raises:
        Fault: the block exceeded the limit; the signature shows where it was.
    """

    def stop(*_: object) -> None:
        raise SlowError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except SlowError as slow:
        where = _deepest(slow)
        raise Fault(f"slow: {where}", f"{what} took over {seconds:g} s\n{_text(slow)}") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def requested(
    *args: object, seconds: float = 20, refuses_control_characters: bool = False, stdin: str = ""
) -> tuple[int, str]:
    """Run a command in this process.

    Args:
        args: The name of the command, and its options.
        seconds: The time limit.
        refuses_control_characters: Whether a control character in the output is a fault.
        stdin: The text on stdin.

    Returns:
        The exit code and the output.

    Raises:
        Fault: the command failed because of a mistake in minitape, took too long, or refused without a message.
    """
    words = [str(each) for each in args]
    said = "minitape " + " ".join(words)
    with within(seconds, said):
        ran = CliRunner().invoke(_COMMAND, words, input=stdin, prog_name="minitape")
    if ran.exit_code not in _ALLOWED:
        raised = ran.stderr or (_text(ran.exception) if ran.exception else "")
        raise Fault(_signature(raised), f"{said}: exit code {ran.exit_code}\n{raised[-4000:]}")
    if ran.exit_code == ExitCode.USAGE and not ran.stderr.strip():
        raise Fault("refused without a word", said)
    shown = ran.stdout + ran.stderr
    if refuses_control_characters and (found := _CONTROL.search(shown)):
        start = max(0, found.start() - 80)
        raise Fault(f"prints {found[0]!r}", f"{said}\n{shown[start : found.end() + 40]!r}")
    return ran.exit_code, ran.stdout


@contextlib.contextmanager
def no_fault_of_ours(what: str, *allowed: type[BaseException]) -> Iterator[None]:
    """Run a block that calls the library and may raise only these exceptions.

    Raises:
        Fault: it raised another exception.
    """
    try:
        yield
    except (Fault, *allowed):
        raise
    except Exception as error:
        raise Fault(_signature(_text(error)), f"{what}\n{_text(error)[-4000:]}") from None


def _text(error: BaseException) -> str:
    return "".join(traceback.format_exception(error, limit=-12))


def _deepest(error: BaseException) -> str:
    """Return the innermost running function of minitape."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if "/minitape" in each.filename]
    return f"{Path(ours[-1].filename).name}: {ours[-1].name}" if ours else "nowhere of ours"


def _signature(raised: str) -> str:
    """Return the innermost line of minitape in a printed traceback, and the type of the exception."""
    places = re.findall(r'File ".*?/(minitape\w*/[^"]+)", line (\d+), in (\S+)', raised)
    types = re.findall(r"^(?:\w+\.)*(\w+(?:Error|Exception|Interrupt|Warning))\b", raised, re.M)
    where = " ".join(places[-1]) if places else raised.strip().splitlines()[-1:]
    return f"{types[-1] if types else 'raised'}: {where}"


@dataclass
class Search:
    """Tries many inputs: `each(seed)` tries one of them, and may raise a Fault.

    `finds` holds for each signature the seed and the detail of the first fault, and `again` how often it came.
    """

    each: Callable[[int], str]
    said: Callable[[str], None] = print
    finds: dict[str, tuple[int, str]] = field(default_factory=dict)
    again: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    memory: list[int] = field(default_factory=list)

    def run(self, first: int, count: int) -> None:
        """Try `count` seeds, and print the progress after each percent."""
        began = time.monotonic()
        for number in range(count):
            try:
                kind = self.each(first + number)
            except Fault as fault:
                kind = "fault"
                self._note(first + number, fault)
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
            if (number + 1) % max(1, count // 100) == 0:
                empty_bounded_caches()
                gc.collect()
                self.memory.append(psutil.Process().memory_info().rss)
                self.said(
                    f"{number + 1} tried, {time.monotonic() - began:.0f} s, "
                    f"{self.memory[-1] >> 20} MB, faults {len(self.finds)}, {self.kinds}"
                )
        for signature, (seed, detail) in self.finds.items():
            self.said(f"\n=== {signature} ({self.again[signature]} times), seed {seed}\n{detail}")
        if self.growth > MAY_GROW:
            self.said(f"\n=== memory grew by {self.growth >> 20} MB")

    @property
    def is_clean(self) -> bool:
        """Whether there was no fault and no growth of memory."""
        return not self.finds and self.growth <= MAY_GROW

    @property
    def growth(self) -> int:
        """The growth of memory in bytes between the first tenth and the end, each by its minimum."""
        tenth = max(1, len(self.memory) // 10)
        if len(self.memory) < 3 * tenth:
            return 0
        return min(self.memory[-tenth:]) - min(self.memory[tenth : 2 * tenth])

    def _note(self, seed: int, fault: Fault) -> None:
        self.again[fault.signature] = self.again.get(fault.signature, 0) + 1
        if fault.signature not in self.finds:
            self.finds[fault.signature] = seed, fault.detail
            self.said(f"--- seed {seed}: {fault.signature}\n{fault.detail[-1500:]}")
            sys.stdout.flush()


def empty_bounded_caches() -> None:
    """Clear each `lru_cache` with a maximum size, because its content from the last few hundred programs does not count as
    growth.

    A cache without a maximum size is kept, so that its growth is detected.
    """
    for each in gc.get_objects():
        if type(each) is functools._lru_cache_wrapper and each.cache_info().maxsize is not None:
            each.cache_clear()


def limit_memory() -> None:
    """Limit the memory of this process, so that code that would use all memory gets a MemoryError."""
    size = psutil.Process().memory_info().vms
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, hard))
