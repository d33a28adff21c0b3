"""`minitape html`: the run as one file."""

import webbrowser
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, other than that of the scripts."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_the_page_is_named_after_the_script_and_stands_where_one_is(
    minitape: Any, lost: Path, here: Path
) -> None:
    ran = minitape("html", lost, "--as-tensorflow")
    assert ran.exit_code == 0
    assert ran.stdout == ""
    assert "wrote lesson.tape.html\n" in ran.stderr
    page = (here / "lesson.tape.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "np.square(y)" in page


def test_it_can_go_elsewhere(minitape: Any, lost: Path, here: Path) -> None:
    ran = minitape("html", lost, "-o", "run.html", "--as-tensorflow", "-q")
    assert ran.exit_code == 0
    assert ran.stderr == "slope None\n"
    assert [each.name for each in here.iterdir()] == ["run.html"]


def test_it_can_go_to_stdout_and_the_script_s_words_do_not(
    minitape: Any, lost: Path, here: Path
) -> None:
    ran = minitape("html", lost, "-o", "-", "--as-tensorflow")
    assert ran.exit_code == 0
    assert ran.stdout.startswith("<!doctype html>")
    assert ran.stdout.endswith("</html>\n")
    assert not list(here.iterdir())


def test_what_is_on_stdout_cannot_be_shown_by_a_browser(minitape: Any, lost: Path) -> None:
    ran = minitape("html", lost, "-o", "-", "--open")
    assert ran.exit_code == 2
    assert "`--open` needs a file" in ran.stderr


def test_the_browser_is_shown_the_file(
    minitape: Any, lost: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(webbrowser, "open", shown.append)
    assert minitape("html", lost, "--open", "--as-tensorflow").exit_code == 0
    assert shown == [(here / "lesson.tape.html").as_uri()]


def test_without_open_no_browser_is_asked(
    minitape: Any, lost: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: pytest.fail("it was asked"))
    assert minitape("html", lost, "--as-tensorflow").exit_code == 0


def test_the_script_is_not_written_over(minitape: Any, lost: Path) -> None:
    text = lost.read_text()
    ran = minitape("html", lost, "-o", lost)
    assert ran.exit_code == 2
    assert "is the input" in " ".join(ran.stderr.split())
    assert lost.read_text() == text


def test_a_recorded_trace_makes_the_same_page_as_the_script(
    minitape: Any, lost: Path, here: Path
) -> None:
    minitape("trace", lost, "-o", "run.jsonl", "--as-tensorflow")
    live = minitape("html", lost, "-o", "-", "--as-tensorflow").stdout
    assert minitape("html", "run.jsonl", "-o", "-").stdout == live
    assert minitape("html", "run.jsonl").exit_code == 0
    assert (here / "run.tape.html").exists()


def test_code_on_the_command_line_has_a_page_too(minitape: Any, here: Path) -> None:
    code = (
        "import minitape as tf\nw = tf.Variable(1.0)\nwith tf.GradientTape() as t:\n    y = w * w\n"
    )
    assert minitape("html", "-c", code).exit_code == 0
    assert [each.name for each in here.iterdir()] == ["code.tape.html"]


def test_without_a_tape_there_is_nothing_to_step_through(
    minitape: Any, written: Any, here: Path
) -> None:
    ran = minitape("html", written("print('hello')\n"))
    assert ran.exit_code == 6
    assert "it opened no tape" in ran.stderr
    assert not list(here.iterdir())


def test_a_crash_still_makes_a_page(minitape: Any, lost: Path, here: Path) -> None:
    lost.write_text(lost.read_text() + "1 / 0\n")
    ran = minitape("html", lost, "--as-tensorflow")
    assert ran.exit_code == 3
    assert "ZeroDivisionError" in ran.stderr
    assert "ZeroDivisionError" in (here / "lesson.tape.html").read_text(encoding="utf-8")


def test_a_crash_before_any_tape_ends_as_a_crash(minitape: Any, written: Any, here: Path) -> None:
    assert minitape("html", written("1 / 0\n")).exit_code == 3
    assert not list(here.iterdir())


def test_what_was_stopped_is_shown_up_to_there(minitape: Any, loop: Path, here: Path) -> None:
    assert minitape("html", loop, "--max-ops", 30).exit_code == 4
    assert (here / "lesson.tape.html").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--call", "7"), "the run has 1 gradient call"),
        (("--theme", "pink"), "pink"),
        (("--cards", "0"), "--cards"),
        (("-o", "no/such/folder.html"), "does not exist"),
    ],
)
def test_what_cannot_be_is_said(
    minitape: Any, lost: Path, here: Path, options: tuple[str, ...], words: str
) -> None:
    ran = minitape("html", lost, "--as-tensorflow", *options)
    assert ran.exit_code == 2
    assert words in " ".join(ran.stderr.split())
    assert not list(here.iterdir())


def test_a_missing_engine_is_said_and_leaves_no_file(minitape: Any, lost: Path, here: Path) -> None:
    ran = minitape("html", lost, "--engine", "no-such-dot", "--as-tensorflow")
    assert ran.exit_code == 5
    assert not list(here.iterdir())


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_the_theme_is_that_which_is_asked_for(minitape: Any, lost: Path, theme: str) -> None:
    ran = minitape("html", lost, "-o", "-", "--theme", theme, "--as-tensorflow")
    assert f'data-theme="{theme}"' in ran.stdout


def test_it_opens_at_the_call_that_is_asked_for(minitape: Any, loop: Path) -> None:
    starts = [
        int(
            minitape("html", loop, "-o", "-", "--call", call)
            .stdout.partition('{"start":')[2]
            .partition(",")[0]
        )
        for call in (1, 2, 20)
    ]
    assert 0 < starts[0] < starts[1] < starts[2]
