"""Scripts that lose a gradient and then misbehave: the answer comes all the same, in time, and nothing stays behind.

One row is one script of `rude/`. It says how the command must end and what else is to be seen; the promises that
hold for all of them are in `broken`. Where the script loses a gradient its line says `# lost`.
"""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

import minitape

pytestmark = pytest.mark.one_in(20)

RUDE = Path(__file__).parent / "rude"
FINDING, SCRIPT_LIMITED = 1, 4  # the exit codes of the README that can come of these scripts

GRACE = 2.0  # beyond --timeout, as promised
START = 2.0  # for Python, NumPy and Rich to start and the answer to be written, on a machine that does nothing else


@dataclass(frozen=True)
class Row:
    """A script, and what must come of it beside the answer.

    says        found in what the answer says about the run: how it ended; None: it says of no failure
    prints      found in stderr, where the script's own output goes
    leaves      files, with what is in them
    tracebacks  how many stderr holds, None for any number: as many as under `python script.py`
    parts       whether other processes run ops: then one note says that only the first is recorded
    windows     why it cannot run there
    start       seconds for start and answer, beside what --timeout allows
    """

    script: str
    says: str | None = None
    exit: int = FINDING
    timeout: float = 10
    prints: tuple[bytes, ...] = ()
    leaves: dict[str, bytes] = field(default_factory=dict)
    tracebacks: int | None = 0
    parts: bool = False
    stdin: bytes | None = None
    windows: str | None = None
    start: float = START


def stopped(script: str, *, timeout: float = 2, **rest: Any) -> Row:
    """A script that has to be stopped."""
    return Row(script, says="--timeout", exit=SCRIPT_LIMITED, timeout=timeout, **rest)


WELL = (b"all is well",)
FORK, SIGNALS, RESOURCE = "it has no os.fork", "it has not these signals", "it has no such limits"

ROWS = [
    # --- it ends in its own way ---
    Row("exits_at_once"),
    Row("exits_at_once_with_a_code", says=r"\b7\b"),
    Row("aborts", says="SIGABRT", windows=SIGNALS),
    Row("kills_itself", says="SIGKILL", windows=SIGNALS),
    Row("terminates_itself", says="SIGTERM", windows=SIGNALS),
    Row("crashes_in_c", says="SIGSEGV", windows=SIGNALS),
    Row("recurses", says="RecursionError", tracebacks=1),
    # From 3.12 on Python counts how deep C recurses, and may say RecursionError.
    Row("overflows_the_stack", says="SIGSEGV|RecursionError", tracebacks=None, windows=SIGNALS),
    Row("exits_with_a_message", says="exited with code 1", prints=(b"no data, no training\n",)),
    Row("raises", says="ZeroDivisionError: division by zero", tracebacks=1),
    Row(
        "raises_without_a_text",
        says="str\\(\\) failed",
        prints=(b"Odd: <exception str() failed>\n",),
        tracebacks=1,
    ),
    Row(
        "raises_with_its_own_hook",
        says="ZeroDivisionError",
        prints=(b"my hook heard ZeroDivisionError in line 25",),
    ),
    Row("raises_in_a_thread", prints=(b"ValueError: from a thread", *WELL), tracebacks=1),
    Row("exits_in_a_thread", prints=WELL),
    # --- its streams and descriptors ---
    Row("closes_its_streams"),
    Row("closes_its_descriptors"),
    Row("reuses_all_descriptors", prints=WELL),
    Row("redirects_its_descriptors", leaves={"own.txt": b"to stdout\nto stderr\n"}),
    Row("replaces_its_streams"),
    Row(
        "writes_no_text",
        prints=(b"out:\xff\xfe\x00\x80\x1b[\xc3(\n", b"err:\xff\xfe\x00\x80\x1b[\xc3(\n"),
    ),
    Row("writes_one_long_line", prints=(b"l" * 5_000_000,)),
    Row("reads_stdin", stdin=b"one\ntwo\n", prints=(b"first: one\n", b"rest: two\n")),
    Row("reads_no_stdin", prints=(b"stdin is at its end\n",)),
    # --- its files and surroundings ---
    Row("changes_its_folder"),
    Row("deletes_its_folder", windows="a folder in use cannot be deleted there"),
    Row("deletes_itself"),
    Row("rewrites_itself"),
    Row("forgets_its_environment"),
    Row("changes_its_umask"),
    Row("may_open_no_files", windows=RESOURCE),
    Row("may_write_no_files", windows=RESOURCE),
    Row("changes_its_locale"),
    # --- what it does to Python ---
    Row("patches_builtins"),
    Row("patches_open_and_print"),
    Row("patches_json"),
    Row("patches_numpy"),
    Row("patches_all_of_numpy"),
    Row("patches_time_and_os"),
    Row("clears_sys_modules"),
    Row("poisons_sys_modules"),
    Row("swaps_modules"),
    Row("clears_atexit"),
    Row("traces_itself", prints=WELL),
    Row("handles_signals", prints=WELL, windows=SIGNALS),
    Row("sets_an_alarm", prints=(b"my own alarm rang",), windows=SIGNALS),
    # --- it does not end ---
    stopped("ignores_signals", windows=SIGNALS),
    stopped("blocks_signals", windows=SIGNALS),
    stopped("stops_the_clock_and_hangs"),
    stopped("hangs_in_a_match"),
    stopped("hangs_in_a_sum"),
    stopped("sleeps"),
    stopped("catches_everything"),
    stopped("hangs_in_a_thread"),
    stopped("hangs_at_exit"),
    stopped("hangs_in_a_finalizer"),
    Row("leaves_a_daemon_thread"),
    Row("raises_at_exit", prints=(b"ValueError: at the very end",), tracebacks=1),
    Row("loses_at_exit"),
    # --- other processes ---
    Row(
        "forks_and_waits",
        parts=True,
        leaves={"parent.txt": b"came to its end", "child.txt": b"came to its end"},
        windows=FORK,
    ),
    Row("forks_and_leaves", windows=FORK),
    Row("forks_for_ever", windows=FORK),
    Row("forks_a_crowd", windows=FORK),
    Row("forks_a_daemon", windows=FORK),
    stopped("forks_a_crowd_and_hangs", windows=FORK),
    stopped("forks_a_daemon_and_hangs", windows=FORK),
    Row("opens_a_pool_by_fork", parts=True, prints=(b"squares: [1, 4, 9]",), windows=FORK),
    Row("opens_a_pool_by_spawn", parts=True, prints=(b"squares: [1, 4, 9]",)),
    Row("spawns_unguarded", prints=(b"the child's exit code: 1",), tracebacks=1),
    stopped("opens_a_pool_unguarded", timeout=3, tracebacks=None),
    Row("leaves_a_program", windows="it has no sleep"),
    Row("leaves_a_program_in_its_own_session", windows="it has no sleep"),
    Row("runs_a_program", prints=WELL, windows="it has no cat"),
    Row("looks_at_its_children", prints=(b"no children",), windows="it has no os.waitpid for all"),
]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row,
            id=row.script,
            marks=pytest.mark.skipif(
                os.name == "nt" and row.windows is not None, reason=f"Windows: {row.windows}"
            ),
        )
        for row in ROWS
    ],
)
def test_misbehaving_script_is_explained_and_cleaned_up(
    row: Row, explaining: Callable[..., Any], work_folder: Path
) -> None:
    started = explaining(row.script, "--timeout", row.timeout, stdin=row.stdin)
    ran = started.ended(within=row.timeout + GRACE + 3 * START)
    if ran.seconds > row.timeout + GRACE + START:
        row = replace(row, start=start_just_now(explaining))
    keeps_all_promises(row, ran, work_folder)


def start_just_now(explaining: Callable[..., Any]) -> float:
    """How long start and answer take while others keep the machine busy: as long as a script that ends at once, and again."""
    return max(START, 2 * float(explaining("exits_at_once").ended(within=30).seconds))


def keeps_all_promises(row: Row, ran: Any, work_folder: Path) -> None:
    promises = list(broken(row, ran, work_folder))
    if promises:
        reported = ran.stderr[-1500:].decode(errors="replace")
        message = [
            f"{row.script}: {len(promises)} promises broken",
            *promises,
            "--- stderr ends:",
            reported,
        ]
        pytest.fail("\n".join(message), pytrace=False)


def broken(row: Row, ran: Any, work_folder: Path) -> Iterator[str]:
    """Each promise that was not kept, in a sentence."""
    limit = row.timeout + GRACE + row.start
    if ran.code is None:
        yield f"in time: still running after {ran.seconds:.1f} s with --timeout {row.timeout:g}"
    elif ran.seconds > limit:
        yield f"in time: took {ran.seconds:.1f} s, and may take {limit:g} with --timeout {row.timeout:g}"
    if ran.code is not None and ran.code != row.exit:
        yield f"exit code: {ran.code} instead of {row.exit}"
    yield from broken_answer(row, ran)
    if ran.left:
        yield f"nothing stays behind: {len(ran.left)} processes do, {ran.left[0]!r} among them"
    if ran.our_frames:
        yield f"no frame of ours: stderr shows {ran.our_frames[0]}"
    if row.tracebacks is not None and ran.tracebacks != row.tracebacks:
        yield f"as under python: stderr has {ran.tracebacks} tracebacks instead of {row.tracebacks}"
    for text in row.prints:
        if text not in ran.stderr:
            yield f"output passes through: stderr lacks {text[:60]!r}"
    for name, content in row.leaves.items():
        there = (work_folder / name).read_bytes() if (work_folder / name).is_file() else None
        if there != content:
            yield f"the script is not disturbed: {name} holds {there!r} instead of {content!r}"


def broken_answer(row: Row, ran: Any) -> Iterator[str]:
    """What is wrong with the JSON."""
    if ran.answer is None:
        yield f"one JSON object on stdout: there is {ran.stdout[:60]!r} ({len(ran.stdout)} bytes)"
        return
    lines = ran.stdout.count(b"\n")
    if lines != 1:
        yield f"one JSON object on one line: stdout has {lines} line breaks"
    expected = lost_in(row.script)
    if ran.lost != expected:
        yield f"the findings are told: MT201 in lines {ran.lost} instead of {expected}"
    elif not all("`np.square` is a NumPy function" in each for each in ran.messages):
        yield f"the findings are told in the words of what ran: {ran.messages}"
    if row.says is not None and not any(re.search(row.says, each) for each in ran.said):
        yield f"how it ended is told: nothing about {row.says!r} in {ran.said}"
    failures = [each for each in ran.answer["diagnostics"] if each["level"] == "error"]
    if row.says is None and failures:
        yield f"how it ended is told: it did not fail, as {failures} say"
    notes = sum("first process" in each for each in ran.said)
    if notes > 1 or (row.parts and not notes):
        yield f"one note says that only the first process is recorded: {notes} do, of {ran.said}"


def lost_in(script: str) -> list[int]:
    """The lines in which a script says that it loses a gradient."""
    text = (RUDE / f"{script}.py").read_text(encoding="utf-8")
    return [n for n, line in enumerate(text.splitlines(), 1) if line.endswith("# lost")]


# --- output and memory ---


def test_large_output_is_streamed_and_not_held_in_memory(
    explaining: Callable[..., Any], work_folder: Path
) -> None:
    """Rich, Typer and the answer take some 80 MB; 300 leave room for everything but keeping the output."""
    ran = explaining("floods_its_streams", "--timeout", 20).ended(within=20 + GRACE + START)
    keeps_all_promises(Row("floods_its_streams", timeout=20), ran, work_folder)
    assert ran.stderr.count(b"o") >= 19_800_000 and ran.stderr.count(b"e") >= 19_800_000
    assert len(ran.stderr) < 40_010_000
    assert ran.peak < 300e6


@pytest.mark.parametrize(
    "script", ["asks_for_too_much_at_once", "asks_for_ever_more", "survives_too_much"]
)
def test_memory_limit_of_a_script_is_enforced(
    script: str, explaining: Callable[..., Any], work_folder: Path
) -> None:
    """A MemoryError in the script, as from the system, or a kill that is named: that is a limit, exit code 4."""
    ran = explaining(script, "--max-memory", 500, "--timeout", 20).ended(within=20 + GRACE + START)
    assert b"had it all" not in ran.stderr
    if ran.code == SCRIPT_LIMITED:
        assert any("--max-memory" in each for each in ran.said), ran.said
        assert ran.lost[:1] == lost_in(script)[:1]  # it was killed before it could lose more
        assert not ran.left and not ran.our_frames
    elif b"had to do with less" in ran.stderr:
        keeps_all_promises(Row(script, timeout=20), ran, work_folder)
    else:
        raised = Row(script, says="MemoryError", timeout=20, tracebacks=1)
        keeps_all_promises(raised, ran, work_folder)


# --- what the script sees ---


def plainly(name: str, work_folder: Path) -> str:
    """What `python script.py` prints."""
    ran = subprocess.run(
        [sys.executable, f"{name}.py"],
        cwd=work_folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(minitape.__file__).parents[1])},
    )
    return ran.stdout


def seen(printed: str) -> dict[str, Any]:
    line = next((each for each in printed.splitlines() if each.startswith("seen: ")), "seen: {}")
    return json.loads(line.removeprefix("seen: "))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal masks to be looked at")
def test_script_sees_the_same_environment_as_under_python(
    explaining: Callable[..., Any], work_folder: Path
) -> None:
    """Names, streams, signals, hooks, threads, the source of a function, a pickle: all as under `python script.py`."""
    ran = explaining("looks_around").ended(within=30)
    keeps_all_promises(Row("looks_around"), ran, work_folder)
    plain, under_us = seen(plainly("looks_around", work_folder)), seen(ran.stderr.decode())
    assert under_us, "nothing was printed"
    assert {
        key: (under_us.get(key), plain[key]) for key in plain if under_us.get(key) != plain[key]
    } == {}


def test_script_stack_contains_only_its_own_frames(
    explaining: Callable[..., Any], work_folder: Path
) -> None:
    ran = explaining("looks_at_its_stack").ended(within=30)
    keeps_all_promises(Row("looks_at_its_stack"), ran, work_folder)
    assert plainly("looks_at_its_stack", work_folder) in ran.stderr.decode()


# --- the scripts themselves ---


def test_each_script_begins_with_the_same_code_and_has_a_test() -> None:
    """Else a script could lie here and prove nothing."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in RUDE.glob("*.py")}
    openings = {tuple(text.splitlines()[1:15]) for text in texts.values()}
    assert len(openings) == 1
    assert all(ast.get_docstring(ast.parse(text)) for text in texts.values())
    here = "".join(each.read_text(encoding="utf-8") for each in Path(__file__).parent.glob("*.py"))
    assert [name for name in texts if f'"{name}"' not in here] == []
