"""`minitape explain --fix` and `--diff`: which files are changed and when, and which are not."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.one_in(5)

BROKEN = """\
import numpy as np
import tensorflow as tf

w, k = tf.Variable(2.0), tf.constant(3.0)
with tf.GradientTape() as tape:
    # squared
    loss = np.square(w) * 3.0  # thrice
    both = loss * k
print("slopes", tape.gradient(both, [w, k]))
"""
FIXED = """\
import numpy as np
import tensorflow as tf

w, k = tf.Variable(2.0), tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(k)
    # squared
    loss = tf.square(w) * 3.0  # thrice
    both = loss * k
print("slopes", tape.gradient(both, [w, k]))
"""
BY_HAND = """\
import tensorflow as tf

w, unused = tf.Variable(2.0), tf.Variable(1.0)
with tf.GradientTape() as tape:
    loss = w * w
print(tape.gradient(loss, unused))
"""


@pytest.fixture
def script(write_script: Any) -> Path:
    path: Path = write_script(BROKEN)
    return path


def test_all_verified_fixes_are_written_and_the_original_is_backed_up(
    minitape: Any, script: Path
) -> None:
    ran = minitape("explain", script, "--as-tensorflow", "--fix", "--yes")
    assert ran.exit_code == 0, ran.stdout + ran.stderr
    assert script.read_text() == FIXED
    backup = script.with_name("lesson.py.bak")
    assert backup.read_text() == BROKEN
    assert "+    loss = tf.square(w) * 3.0  # thrice" in ran.stdout
    assert "lesson.py.bak" in ran.stderr
    again = minitape("explain", script, "--as-tensorflow", "--fix", "--yes")
    assert again.exit_code == 0
    assert not script.with_name("lesson.py.bak2").exists()


def test_missing_answer_counts_as_no(minitape: Any, script: Path) -> None:
    ran = minitape("explain", script, "--as-tensorflow", "--fix")
    assert ran.exit_code == 1
    assert "[y/N]" in ran.stderr
    assert "--yes" in ran.stderr
    assert script.read_text() == BROKEN
    assert list(script.parent.glob("*.bak*")) == []


def test_second_backup_does_not_overwrite_the_first(minitape: Any, script: Path) -> None:
    script.with_name("lesson.py.bak").write_text("older")
    assert minitape("explain", script, "--as-tensorflow", "--fix", "--yes").exit_code == 0
    assert script.with_name("lesson.py.bak").read_text() == "older"
    assert script.with_name("lesson.py.bak2").read_text() == BROKEN


def test_file_that_changes_itself_is_not_fixed(minitape: Any, script: Path) -> None:
    """Each run adds a line, so the verified text is no longer the text of the file."""
    script.write_text(BROKEN + "open(__file__, 'a').write('# more\\n')\n")
    ran = minitape("explain", script, "--as-tensorflow", "--fix", "--yes")
    assert ran.exit_code == 1
    assert "has changed since it ran" in ran.stderr
    assert "np.square(w)" in script.read_text()
    assert list(script.parent.glob("*.bak*")) == []


def test_fix_is_written_to_the_file_that_contains_the_line(
    minitape: Any, write_script: Any
) -> None:
    folder = write_script("", "model.py").parent
    (folder / "model.py").write_text(
        "import numpy as np\n\n\ndef squared(x):\n    return np.square(x)  # here\n"
    )
    script = write_script(
        """\
        import tensorflow as tf
        from model import squared

        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            loss = tf.constant(2.0) * squared(w)
        tape.gradient(loss, w)
        """
    )
    before = script.read_text()
    ran = minitape("explain", script, "--as-tensorflow", "--fix", "--yes")
    # `np` is replaced by `tf`, which model.py does not import. The fix cannot run, so nothing is written.
    assert ran.exit_code == 1
    (folder / "model.py").write_text(
        "import numpy as np\nimport tensorflow as tf\n\n\n"
        "def squared(x):\n    return np.square(x)  # here\n"
    )
    ran = minitape("explain", script, "--as-tensorflow", "--fix", "--yes")
    assert ran.exit_code == 0, ran.stderr
    assert "    return tf.square(x)  # here\n" in (folder / "model.py").read_text()
    assert script.read_text() == before
    assert (folder / "model.py.bak").exists()


def test_finding_without_an_automatic_fix_is_reported(minitape: Any, write_script: Any) -> None:
    script = write_script(BY_HAND)
    ran = minitape("explain", script, "--as-tensorflow", "--fix", "--yes")
    assert ran.exit_code == 1
    assert "Nothing to write" in ran.stderr
    assert script.read_text() == BY_HAND


def test_findings_left_after_the_fixes_are_reported(minitape: Any, write_script: Any) -> None:
    script = write_script(BROKEN.replace("[w, k]", "[w, k, tf.Variable(1.0)]"))
    ran = minitape("explain", script, "--as-tensorflow", "--fix", "--yes")
    assert ran.exit_code == 1
    assert (
        "With these fixes, the script still has a problem. Found 1 mistake, on line" in ran.stderr
    )


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["-c", "import minitape"], "not in a file"),
        (["-m", "json"], "name its file"),
        (["numpy_detour"], "Copy the example"),
    ],
)
def test_input_that_is_not_a_users_script_is_rejected(
    minitape: Any, args: list[str], why: str
) -> None:
    ran = minitape("explain", *args, "--fix", "--yes")
    assert ran.exit_code == 2
    assert why in " ".join(ran.stderr.replace("│", " ").split())
    assert ran.stdout == ""


def test_trace_and_notebook_are_rejected(minitape: Any, script: Path) -> None:
    kept = script.with_suffix(".jsonl")
    minitape("trace", script, "--as-tensorflow", "-o", kept)
    assert minitape("explain", kept, "--fix", "--yes").exit_code == 2
    notebook = script.with_suffix(".ipynb")
    notebook.write_text('{"cells": [], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}')
    assert minitape("explain", notebook, "--fix", "--yes").exit_code == 2


@pytest.mark.parametrize("option", ["--json", "--brief", "--source=w"])
def test_fix_rejects_options_for_parts_and_for_data(
    minitape: Any, script: Path, option: str
) -> None:
    assert minitape("explain", script, "--fix", "--yes", option).exit_code == 2
    assert script.read_text() == BROKEN


@pytest.mark.parametrize("separator", ["\x0c", "\u2028", "\x1c"])
def test_diff_numbers_lines_as_python_does(
    minitape: Any, write_script: Any, separator: str
) -> None:
    script = write_script(BROKEN)
    script.write_text(f"note = '{separator}'\n{BROKEN}", encoding="utf-8")
    ran = minitape("explain", script, "--as-tensorflow", "--fix", "--yes")
    assert ran.exit_code == 0, ran.stdout + ran.stderr
    assert "@@ -5,6 +5,7 @@" in ran.stdout
    assert script.read_text(encoding="utf-8") == f"note = '{separator}'\n{FIXED}"


def test_file_mode_is_preserved(minitape: Any, script: Path) -> None:
    script.chmod(0o755)
    minitape("explain", script, "--as-tensorflow", "--fix", "--yes")
    assert script.stat().st_mode & 0o777 == 0o755


def test_diff_shows_the_verified_fix(minitape: Any, script: Path) -> None:
    ran = minitape("explain", script, "--as-tensorflow", "--diff")
    assert "tried: " in ran.stdout
    assert "-    loss = np.square(w) * 3.0  # thrice" in ran.stdout
    assert "+    loss = tf.square(w) * 3.0  # thrice" in ran.stdout
    assert script.read_text() == BROKEN


def test_new_line_is_shown_below_the_advice(minitape: Any, script: Path) -> None:
    ran = minitape("explain", script, "--as-tensorflow")
    assert "7 |     loss = tf.square(w) * 3.0  # thrice" in ran.stdout
