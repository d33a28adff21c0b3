"""`minitape diff A B`: the first differences between two runs."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len


def test_diff_of_a_broken_program_and_its_fixed_version(
    minitape: Any, none_script: Path, write_script: Any
) -> None:
    healthy_script = write_script(
        none_script.read_text().replace("np.square", "tf.square"), "healthy.py"
    )
    ran = minitape("diff", none_script, healthy_script, "--as-tensorflow")
    assert ran.exit_code == 1
    text = ran.stdout.splitlines()
    assert text[0] == "lesson.py → healthy.py"
    assert "  - line 8   loss = tf.reduce_sum(np.square(y))" in text
    assert "  + line 8   loss = tf.reduce_sum(tf.square(y))" in text
    assert "  line 10   d loss / d w = None → 32.0" in text


def test_two_files_with_the_same_name_are_distinguished(
    minitape: Any, healthy_script: Path, tmp_path: Path
) -> None:
    twin = tmp_path / "twin" / healthy_script.name
    twin.parent.mkdir()
    twin.write_text(healthy_script.read_text())
    shown = minitape("diff", healthy_script, twin).stdout.split("\n\n")[0]
    assert "".join(shown.split()).startswith(f"{healthy_script}→{twin}")


def test_equal_runs_exit_with_0(minitape: Any, healthy_script: Path) -> None:
    ran = minitape("diff", healthy_script, healthy_script, "--as-tensorflow")
    assert ran.exit_code == 0
    assert "The runs are equal in all 7 steps" in ran.stdout


def test_diff_accepts_a_trace(minitape: Any, none_script: Path, tmp_path: Path) -> None:
    to = tmp_path / "t.jsonl"
    minitape("trace", none_script, "-o", to, "--as-tensorflow")
    assert minitape("diff", to, none_script, "--as-tensorflow").exit_code == 0


def test_both_runs_start_with_the_same_random_seed(minitape: Any, write_script: Any) -> None:
    script = write_script(
        "import numpy as np, random, minitape as tf\n"
        "x = tf.random.normal([2]) * np.random.rand() + random.random()\n"
    )
    assert minitape("diff", script, script).exit_code == 0
    assert minitape("diff", script, script, "--seed", 7).exit_code == 0


def test_tolerance_hides_small_differences(minitape: Any, write_script: Any) -> None:
    a = write_script("import minitape as tf\ntf.constant(1.0) * 2.0\n", "a.py")
    b = write_script("import minitape as tf\ntf.constant(1.0) * 2.00001\n", "b.py")
    ran = minitape("diff", a, b)
    assert ran.exit_code == 1
    assert "equal in the digits shown" in ran.stdout
    assert minitape("diff", a, b, "--tolerance", "1e-4").exit_code == 0


def test_only_the_first_differences_are_shown(minitape: Any, write_script: Any) -> None:
    text = "import minitape as tf\nx = tf.constant(1.0)\n" + "x = x * 1.0\n" * 20
    a, b = (
        write_script(text, "a.py"),
        write_script(text.replace("constant(1.0", "constant(2.0"), "b.py"),
    )
    ran = minitape("diff", a, b)
    assert "21 differences in values" in ran.stdout
    assert "and 18 more (use `--all` to show them)" in ran.stdout
    assert minitape("diff", a, b, "--all").stdout.count("different values") == 21


def test_json_describes_the_differences(
    minitape: Any, none_script: Path, write_script: Any
) -> None:
    healthy_script = write_script(
        none_script.read_text().replace("np.square", "tf.square"), "healthy.py"
    )
    ran = minitape("diff", none_script, healthy_script, "--json", "--as-tensorflow")
    whole = json.loads(ran.stdout)
    assert (ran.exit_code, whole["schema"], whole["ok"]) == (1, "minitape.diff/1", False)
    data = whole["data"]
    assert (data["same"], data["steps"][0]["what"]) == (False, "steps")
    (gradient,) = data["gradients"]
    assert (gradient["line"], gradient["source"]) == ([10, 10], ["w", "w"])
    assert [each and each["data"] for each in gradient["gradient"]] == [None, 32.0]


def test_crash_is_a_difference(minitape: Any, none_script: Path, write_script: Any) -> None:
    crashed = write_script(none_script.read_text() + "1 / 0\n", "crashed.py")
    ran = minitape("diff", none_script, crashed, "--as-tensorflow")
    assert ran.exit_code == 1
    assert "  + line 11   1 / 0" in ran.stdout
    assert "ZeroDivisionError" in ran.stderr


@pytest.mark.parametrize("width", ["40", "60", "100", "200"])
def test_lines_fit_the_terminal_width(
    minitape: Any,
    none_script: Path,
    healthy_script: Path,
    monkeypatch: pytest.MonkeyPatch,
    width: str,
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    ran = minitape("diff", "numpy_detour", "dead_relu", "--as-tensorflow", "--all")
    assert max(map(cell_len, ran.stdout.splitlines())) <= int(width)
    assert "\x1b" not in ran.stdout


def test_user_text_is_not_interpreted_as_markup_or_terminal_control(
    minitape: Any, write_script: Any
) -> None:
    a = write_script("import minitape as tf\ntf.debug.note('[bold]a[/bold]')\n", "a.py")
    b = write_script("import minitape as tf\ntf.debug.note('[/]\\x1b[2J')\n", "b.py")
    for ran in (minitape("diff", a, b), minitape("trace", b, "--live")):
        assert "[/]·[2J" in ran.stdout
        assert "\x1b" not in ran.stdout
    assert "[bold]a[/bold]" in minitape("diff", a, b).stdout


def test_stdin_counts_as_one_script(minitape: Any) -> None:
    ran = minitape("diff", "-", "-")
    assert ran.exit_code == 2
    assert "stdin holds only one script" in ran.stderr


def test_html_page_shows_both_runs(
    minitape: Any,
    none_script: Path,
    write_script: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    healthy_script = write_script(
        none_script.read_text().replace("np.square", "tf.square"), "healthy.py"
    )
    monkeypatch.chdir(tmp_path)
    ran = minitape("diff", none_script, healthy_script, "--html", "--as-tensorflow")
    assert ran.exit_code == 1
    text = Path("lesson.healthy.diff.html").read_text(encoding="utf-8")
    assert "lesson.py" in text
    assert '"MT201"' in text
    to = tmp_path / "other.html"
    assert (
        minitape("diff", none_script, none_script, "--html", "-o", to, "--as-tensorflow").exit_code
        == 0
    )
    assert "no step differs" in to.read_text(encoding="utf-8")


def test_html_page_and_json_exclude_each_other(minitape: Any, none_script: Path) -> None:
    ran = minitape("diff", none_script, none_script, "--html", "--json")
    assert ran.exit_code == 2
    assert "cannot be combined" in ran.stderr
