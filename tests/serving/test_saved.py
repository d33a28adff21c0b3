"""Which saves are worth a run."""

import threading
import time
from pathlib import Path

from minitape_cli.serving.saved import Saved


def comes(saved: Saved, within: float = 1.5) -> bool:
    until = time.monotonic() + within
    while time.monotonic() < until:
        if saved.has_come():
            return True
        time.sleep(0.01)
    return False


def test_a_save_is_remembered_until_it_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("one")
    saved = Saved([file])
    assert not comes(saved, 0.5)
    file.write_text("another")
    assert comes(saved)
    assert saved.has_come()
    saved.take(unless=lambda: False)
    assert not comes(saved, 0.5)


def test_a_save_of_the_same_is_none(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("one")
    saved = Saved([file])
    file.write_text("one")
    assert not comes(saved)


def test_an_editor_may_put_another_file_in_its_place(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("one")
    saved = Saved([file])
    (tmp_path / "new").write_text("two")
    (tmp_path / "new").replace(file)
    assert comes(saved)


def test_all_files_that_a_run_has_read_are_looked_at(tmp_path: Path) -> None:
    file, helper = tmp_path / "a.py", tmp_path / "helper.py"
    file.write_text("import helper")
    helper.write_text("one")
    saved = Saved([file])
    helper.write_text("two!")
    assert not comes(saved, 0.5)
    saved.also([helper, file])
    helper.write_text("three")
    assert comes(saved)


def test_a_burst_of_saves_is_taken_as_one(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("0")
    saved = Saved([file])

    def save() -> None:
        for number in range(5):
            file.write_text("x" * number)
            time.sleep(0.05)

    saving = threading.Thread(target=save)
    saving.start()
    saved.take(unless=lambda: False)
    saving.join()
    assert file.read_text() == "xxxx"
    assert not comes(saved, 0.8)
