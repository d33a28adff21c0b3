"""Which saves cause a run."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from minitape_cli.file_changes import Glimpse
from minitape_cli.serving import saved as saving
from minitape_cli.serving.saved import Saved


class Clock:
    """Replaces `time`: nothing waits, and files are saved at the planned moments."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._plans: list[tuple[float, Callable[[], object]]] = []

    def plan(self, after: float, act: Callable[[], object]) -> None:
        self._plans.append((self._now + after, act))

    def monotonic(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += seconds
        due = [act for moment, act in self._plans if moment <= self._now]
        self._plans = [each for each in self._plans if each[0] > self._now]
        for act in due:
            act()


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(saving, "time", clock)
    return clock


def comes(saved: Saved, clock: Clock, within: float = 1.5) -> bool:
    until = clock.monotonic() + within
    while clock.monotonic() < until:
        if saved.has_come():
            return True
        clock.sleep(0.01)
    return False


def test_save_is_remembered_until_it_is_handled(tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "a.py"
    file.write_text("one")
    saved = Saved([file])
    assert not comes(saved, clock, 0.5)
    file.write_text("another")
    assert comes(saved, clock)
    assert saved.has_come()
    saved.take(unless=lambda: False)
    assert not comes(saved, clock, 0.5)


def test_save_without_a_change_is_ignored(tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "a.py"
    file.write_text("one")
    saved = Saved([file])
    file.write_text("one")
    assert not comes(saved, clock)


def test_editor_may_replace_the_file(tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "a.py"
    file.write_text("one")
    saved = Saved([file])
    (tmp_path / "new").write_text("two")
    (tmp_path / "new").replace(file)
    assert comes(saved, clock)


def test_all_files_read_by_a_run_are_watched(tmp_path: Path, clock: Clock) -> None:
    file, helper = tmp_path / "a.py", tmp_path / "helper.py"
    file.write_text("import helper")
    helper.write_text("one")
    saved = Saved([file])
    helper.write_text("two!")
    assert not comes(saved, clock, 0.5)
    saved.also([helper, file])
    helper.write_text("three")
    assert comes(saved, clock)


def test_burst_of_saves_causes_one_run(tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "a.py"
    file.write_text("0")
    saved = Saved([file])
    for number in range(5):
        clock.plan(0.1 * number, partial(file.write_text, "x" * number))
    saved.take(unless=lambda: False)
    assert file.read_text() == "xxxx"
    assert not comes(saved, clock)


def test_endless_saves_cause_a_run_after_ten_checks(tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "a.py"
    file.write_text("")
    saved = Saved([file])
    for number in range(1, 1000):
        clock.plan(0.1 * number, partial(file.write_text, "x" * number))
    saved.take(unless=lambda: False)
    assert 10 < len(file.read_text()) < 30
    assert comes(saved, clock)


def test_file_missing_at_two_checks_is_a_change_and_so_is_its_return(tmp_path: Path) -> None:
    """Missing at only one check, it is about to be written again by an editor."""
    file = tmp_path / "a.py"
    file.write_text("one")
    glimpse = Glimpse(file)
    file.unlink()
    assert [glimpse.is_new() for _ in range(4)] == [False, True, False, False]
    file.write_text("one")
    assert [glimpse.is_new() for _ in range(2)] == [True, False]
    file.unlink()
    assert not glimpse.is_new()
    file.write_text("one")
    assert not glimpse.is_new()


@pytest.mark.timeout(10)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_irregular_file_is_a_change_and_is_never_opened(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("one")
    glimpse = Glimpse(file)
    for number, make in enumerate(
        (os.mkfifo, lambda path: path.symlink_to("/dev/zero"), lambda path: path.mkdir())
    ):
        file.rename(tmp_path / f"before{number}")
        make(file)
        assert [glimpse.is_new() for _ in range(3)] == [True, False, False]
    file.rename(tmp_path / "folder")
    with file.open("wb") as large:
        large.truncate(10 * 2**30)
    assert [glimpse.is_new() for _ in range(3)] == [True, False, False]
    file.write_text("one")
    assert glimpse.is_new()
