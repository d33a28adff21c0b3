"""`minitape diff A B`: where two runs part."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len


def test_a_broken_program_and_its_mended_twin(minitape: Any, lost: Path, written: Any) -> None:
    healthy = written(lost.read_text().replace("np.square", "tf.square"), "healthy.py")
    ran = minitape("diff", lost, healthy, "--as-tensorflow")
    assert ran.exit_code == 1
    text = ran.stdout.splitlines()
    assert text[0] == "lesson.py → healthy.py"
    assert "  - line 8   loss = tf.reduce_sum(np.square(y))" in text
    assert "  + line 8   loss = tf.reduce_sum(tf.square(y))" in text
    assert "  line 10   d loss / d w = None → 32.0" in text


def test_two_files_of_the_same_name_are_told_apart(
    minitape: Any, healthy: Path, tmp_path: Path
) -> None:
    twin = tmp_path / "twin" / healthy.name
    twin.parent.mkdir()
    twin.write_text(healthy.read_text())
    shown = minitape("diff", healthy, twin).stdout.split("\n\n")[0]
    assert "".join(shown.split()).startswith(f"{healthy}→{twin}")


def test_two_equal_runs_exit_with_0(minitape: Any, healthy: Path) -> None:
    ran = minitape("diff", healthy, healthy, "--as-tensorflow")
    assert ran.exit_code == 0
    assert "The runs are equal in all 7 steps" in ran.stdout


def test_a_trace_is_as_good_as_a_script(minitape: Any, lost: Path, tmp_path: Path) -> None:
    to = tmp_path / "t.jsonl"
    minitape("trace", lost, "-o", to, "--as-tensorflow")
    assert minitape("diff", to, lost, "--as-tensorflow").exit_code == 0


def test_both_start_from_the_same_random_numbers(minitape: Any, written: Any) -> None:
    script = written(
        "import numpy as np, random, minitape as tf\n"
        "x = tf.random.normal([2]) * np.random.rand() + random.random()\n"
    )
    assert minitape("diff", script, script).exit_code == 0
    assert minitape("diff", script, script, "--seed", 7).exit_code == 0


def test_a_tolerance(minitape: Any, written: Any) -> None:
    a = written("import minitape as tf\ntf.constant(1.0) * 2.0\n", "a.py")
    b = written("import minitape as tf\ntf.constant(1.0) * 2.00001\n", "b.py")
    ran = minitape("diff", a, b)
    assert ran.exit_code == 1
    assert "equal in the digits shown" in ran.stdout
    assert minitape("diff", a, b, "--tolerance", "1e-4").exit_code == 0


def test_only_the_first_of_many_are_shown(minitape: Any, written: Any) -> None:
    text = "import minitape as tf\nx = tf.constant(1.0)\n" + "x = x * 1.0\n" * 20
    a, b = written(text, "a.py"), written(text.replace("constant(1.0", "constant(2.0"), "b.py")
    ran = minitape("diff", a, b)
    assert "21 differences in values" in ran.stdout
    assert "and 18 more (--all shows them)" in ran.stdout
    assert minitape("diff", a, b, "--all").stdout.count("different values") == 21


def test_json_tells_programs(minitape: Any, lost: Path, written: Any) -> None:
    healthy = written(lost.read_text().replace("np.square", "tf.square"), "healthy.py")
    ran = minitape("diff", lost, healthy, "--json", "--as-tensorflow")
    whole = json.loads(ran.stdout)
    assert (ran.exit_code, whole["schema"], whole["ok"]) == (1, "minitape.diff/1", False)
    data = whole["data"]
    assert (data["same"], data["steps"][0]["what"]) == (False, "steps")
    (gradient,) = data["gradients"]
    assert (gradient["line"], gradient["source"]) == ([10, 10], ["w", "w"])
    assert [each and each["data"] for each in gradient["gradient"]] == [None, 32.0]


def test_a_crash_is_a_difference_too(minitape: Any, lost: Path, written: Any) -> None:
    crashed = written(lost.read_text() + "1 / 0\n", "crashed.py")
    ran = minitape("diff", lost, crashed, "--as-tensorflow")
    assert ran.exit_code == 1
    assert "  + line 11   1 / 0" in ran.stdout
    assert "ZeroDivisionError" in ran.stderr


@pytest.mark.parametrize("width", ["40", "60", "100", "200"])
def test_no_line_is_wider_than_the_terminal(
    minitape: Any, lost: Path, healthy: Path, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    ran = minitape("diff", "numpy_detour", "dead_relu", "--as-tensorflow", "--all")
    assert max(map(cell_len, ran.stdout.splitlines())) <= int(width)
    assert "\x1b" not in ran.stdout


def test_the_words_of_the_user_are_no_markup_and_steer_no_terminal(
    minitape: Any, written: Any
) -> None:
    a = written("import minitape as tf\ntf.debug.note('[bold]a[/bold]')\n", "a.py")
    b = written("import minitape as tf\ntf.debug.note('[/]\\x1b[2J')\n", "b.py")
    for ran in (minitape("diff", a, b), minitape("trace", b, "--live")):
        assert "[/]·[2J" in ran.stdout
        assert "\x1b" not in ran.stdout
    assert "[bold]a[/bold]" in minitape("diff", a, b).stdout


def test_stdin_is_one_script(minitape: Any) -> None:
    ran = minitape("diff", "-", "-")
    assert ran.exit_code == 2
    assert "stdin holds only one script" in ran.stderr


def test_a_page_with_both_runs(
    minitape: Any, lost: Path, written: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy = written(lost.read_text().replace("np.square", "tf.square"), "healthy.py")
    monkeypatch.chdir(tmp_path)
    ran = minitape("diff", lost, healthy, "--html", "--as-tensorflow")
    assert ran.exit_code == 1
    text = Path("lesson.healthy.diff.html").read_text(encoding="utf-8")
    assert "lesson.py" in text
    assert '"MT201"' in text
    to = tmp_path / "other.html"
    assert minitape("diff", lost, lost, "--html", "-o", to, "--as-tensorflow").exit_code == 0
    assert "no step differs" in to.read_text(encoding="utf-8")


def test_a_page_is_no_json(minitape: Any, lost: Path) -> None:
    ran = minitape("diff", lost, lost, "--html", "--json")
    assert ran.exit_code == 2
    assert "cannot be combined" in ran.stderr
