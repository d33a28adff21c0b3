"""`minitape html`: the run as one file."""

import webbrowser
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is not the scripts' folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_page_is_named_after_the_script_and_written_to_the_current_folder(
    minitape: Any, none_script: Path, work_folder: Path
) -> None:
    ran = minitape("html", none_script, "--as-tensorflow")
    assert ran.exit_code == 0
    assert ran.stdout == ""
    assert "wrote lesson.tape.html\n" in ran.stderr
    page = (work_folder / "lesson.tape.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "np.square(y)" in page


def test_page_can_be_written_elsewhere(minitape: Any, none_script: Path, work_folder: Path) -> None:
    ran = minitape("html", none_script, "-o", "run.html", "--as-tensorflow", "-q")
    assert ran.exit_code == 0
    assert ran.stderr == "slope None\n"
    assert [each.name for each in work_folder.iterdir()] == ["run.html"]


def test_page_on_stdout_does_not_mix_with_script_output(
    minitape: Any, none_script: Path, work_folder: Path
) -> None:
    ran = minitape("html", none_script, "-o", "-", "--as-tensorflow")
    assert ran.exit_code == 0
    assert ran.stdout.startswith("<!doctype html>")
    assert ran.stdout.endswith("</html>\n")
    assert not list(work_folder.iterdir())


def test_page_on_stdout_cannot_be_opened_in_a_browser(minitape: Any, none_script: Path) -> None:
    ran = minitape("html", none_script, "-o", "-", "--open")
    assert ran.exit_code == 2
    assert "`--open` needs a file" in ran.stderr


def test_browser_opens_the_file(
    minitape: Any, none_script: Path, work_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(webbrowser, "open", shown.append)
    assert minitape("html", none_script, "--open", "--as-tensorflow").exit_code == 0
    assert shown == [(work_folder / "lesson.tape.html").as_uri()]


def test_no_browser_is_opened_without_the_option(
    minitape: Any, none_script: Path, work_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: pytest.fail("it was asked"))
    assert minitape("html", none_script, "--as-tensorflow").exit_code == 0


def test_script_is_not_overwritten(minitape: Any, none_script: Path) -> None:
    text = none_script.read_text()
    ran = minitape("html", none_script, "-o", none_script)
    assert ran.exit_code == 2
    assert "is the input" in " ".join(ran.stderr.split())
    assert none_script.read_text() == text


def test_recorded_trace_makes_the_same_page_as_the_script(
    minitape: Any, none_script: Path, work_folder: Path
) -> None:
    minitape("trace", none_script, "-o", "run.jsonl", "--as-tensorflow")
    live = minitape("html", none_script, "-o", "-", "--as-tensorflow").stdout
    assert minitape("html", "run.jsonl", "-o", "-").stdout == live
    assert minitape("html", "run.jsonl").exit_code == 0
    assert (work_folder / "run.tape.html").exists()


def test_code_on_the_command_line_has_a_page(minitape: Any, work_folder: Path) -> None:
    code = (
        "import minitape as tf\nw = tf.Variable(1.0)\nwith tf.GradientTape() as t:\n    y = w * w\n"
    )
    assert minitape("html", "-c", code).exit_code == 0
    assert [each.name for each in work_folder.iterdir()] == ["code.tape.html"]


def test_script_without_a_tape_has_no_steps_to_show(
    minitape: Any, write_script: Any, work_folder: Path
) -> None:
    ran = minitape("html", write_script("print('hello')\n"))
    assert ran.exit_code == 6
    assert "opened no tape" in ran.stderr
    assert not list(work_folder.iterdir())


def test_crash_still_makes_a_page(minitape: Any, none_script: Path, work_folder: Path) -> None:
    none_script.write_text(none_script.read_text() + "1 / 0\n")
    ran = minitape("html", none_script, "--as-tensorflow")
    assert ran.exit_code == 3
    assert "ZeroDivisionError" in ran.stderr
    assert "ZeroDivisionError" in (work_folder / "lesson.tape.html").read_text(encoding="utf-8")


def test_crash_before_any_tape_ends_as_a_crash(
    minitape: Any, write_script: Any, work_folder: Path
) -> None:
    assert minitape("html", write_script("1 / 0\n")).exit_code == 3
    assert not list(work_folder.iterdir())


def test_stopped_run_is_shown_up_to_its_stop(
    minitape: Any, loop_script: Path, work_folder: Path
) -> None:
    assert minitape("html", loop_script, "--max-ops", 30).exit_code == 4
    assert (work_folder / "lesson.tape.html").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--call", "7"), "the run has 1 gradient call"),
        (("--theme", "pink"), "pink"),
        (("--cards", "0"), "--cards"),
        (("-o", "no/such/folder.html"), "does not exist"),
    ],
)
def test_invalid_combination_of_options_is_reported(
    minitape: Any, none_script: Path, work_folder: Path, options: tuple[str, ...], words: str
) -> None:
    ran = minitape("html", none_script, "--as-tensorflow", *options)
    assert ran.exit_code == 2
    assert words in " ".join(ran.stderr.split())
    assert not list(work_folder.iterdir())


def test_missing_engine_is_reported_and_no_file_is_left(
    minitape: Any, none_script: Path, work_folder: Path
) -> None:
    ran = minitape("html", none_script, "--engine", "no-such-dot", "--as-tensorflow")
    assert ran.exit_code == 5
    assert not list(work_folder.iterdir())


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_theme_option_sets_the_theme(minitape: Any, none_script: Path, theme: str) -> None:
    ran = minitape("html", none_script, "-o", "-", "--theme", theme, "--as-tensorflow")
    assert f'data-theme="{theme}"' in ran.stdout


def test_page_opens_at_the_selected_call(minitape: Any, loop_script: Path) -> None:
    starts = [
        int(
            minitape("html", loop_script, "-o", "-", "--call", call)
            .stdout.partition('{"start":')[2]
            .partition(",")[0]
        )
        for call in (1, 2, 20)
    ]
    assert 0 < starts[0] < starts[1] < starts[2]
