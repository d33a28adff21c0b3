"""`minitape run`: the script as it is, and a word about its tapes."""

from pathlib import Path
from typing import Any


def test_the_scripts_output_stays_on_stdout(minitape: Any, healthy: Path) -> None:
    ran = minitape("run", healthy, "--as-tensorflow")
    assert ran.exit_code == 0
    assert ran.stdout == "slope tf.Tensor(32.0, shape=(), dtype=float32)\n"
    assert "1 tape, 3 ops (3 recorded), 1 gradient call" in ran.stderr


def test_a_none_is_named_with_its_line(minitape: Any, lost: Path) -> None:
    ran = minitape("run", lost, "--as-tensorflow")
    assert ran.exit_code == 0
    assert "line 10: the gradient for w is None" in ran.stderr


def test_a_none_in_a_module_of_the_users_is_named_with_its_file(
    minitape: Any, written: Any
) -> None:
    script = written("import tensorflow as tf, helper\nhelper.lost(tf.Variable(1.0))\n")
    (script.parent / "helper.py").write_text(
        "import tensorflow as tf\n"
        "def lost(w):\n"
        "    with tf.GradientTape() as tape:\n"
        "        y = tf.constant(2.0)\n"
        "    return tape.gradient(y, w)\n"
    )
    ran = minitape("run", script, "--as-tensorflow")
    assert "line 5 of helper.py: the gradient for w is None" in ran.stderr


def test_strict_is_content_where_nothing_is_none(minitape: Any, healthy: Path) -> None:
    assert minitape("run", healthy, "--strict", "--as-tensorflow").exit_code == 0


def test_strict_fails_on_a_none(minitape: Any, lost: Path) -> None:
    assert minitape("run", lost, "--strict", "--as-tensorflow").exit_code == 1


def test_all_after_two_dashes_goes_to_the_script(minitape: Any, written: Any) -> None:
    script = written("import sys; print(sys.argv[1:])\n")
    ran = minitape("run", script, "--no-summary", "--", "--strict", "-o", "x", "--")
    assert ran.stdout == "['--strict', '-o', 'x', '--']\n"
    assert ran.stderr == ""


def test_another_exit_code_is_the_scripts_failure(minitape: Any, written: Any) -> None:
    ran = minitape("run", written("import sys; sys.exit(9)\n"))
    assert ran.exit_code == 3
    assert "exited with code 9" in ran.stderr


def test_a_script_that_ran_on_tensorflow_itself_says_what_to_do(
    minitape: Any, written: Any
) -> None:
    written("", "tensorflow.py")
    ran = minitape("explain", written("import tensorflow\n"))
    assert ran.exit_code == 6
    assert "--on minitape" in ran.stderr


def test_quiet_says_nothing(minitape: Any, lost: Path) -> None:
    assert minitape("run", lost, "-q", "--as-tensorflow").stderr == ""


def test_the_trace_can_be_kept(minitape: Any, lost: Path, tmp_path: Path) -> None:
    to = tmp_path / "kept.jsonl"
    minitape("run", lost, "--save-trace", to, "--as-tensorflow")
    assert minitape("explain", to).exit_code == 1


def test_a_trace_cannot_be_run(minitape: Any, lost: Path, tmp_path: Path) -> None:
    to = tmp_path / "kept.jsonl"
    minitape("run", lost, "--save-trace", to, "--as-tensorflow")
    assert minitape("run", to).exit_code == 2
