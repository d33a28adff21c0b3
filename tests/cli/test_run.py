"""`minitape run`: the script unchanged, and a summary of its tapes."""

from pathlib import Path
from typing import Any


def test_script_output_stays_on_stdout(minitape: Any, healthy_script: Path) -> None:
    ran = minitape("run", healthy_script, "--as-tensorflow")
    assert ran.exit_code == 0
    assert ran.stdout == "slope tf.Tensor(32.0, shape=(), dtype=float32)\n"
    assert "1 tape, 3 ops (3 recorded), 1 gradient call" in ran.stderr


def test_none_is_named_with_its_line(minitape: Any, none_script: Path) -> None:
    ran = minitape("run", none_script, "--as-tensorflow")
    assert ran.exit_code == 0
    assert "line 10: the gradient for w is None" in ran.stderr


def test_none_in_a_users_module_is_named_with_its_file(minitape: Any, write_script: Any) -> None:
    script = write_script("import tensorflow as tf, helper\nhelper.lost(tf.Variable(1.0))\n")
    (script.parent / "helper.py").write_text(
        "import tensorflow as tf\n"
        "def lost(w):\n"
        "    with tf.GradientTape() as tape:\n"
        "        y = tf.constant(2.0)\n"
        "    return tape.gradient(y, w)\n"
    )
    ran = minitape("run", script, "--as-tensorflow")
    assert "line 5 of helper.py: the gradient for w is None" in ran.stderr


def test_strict_passes_without_none(minitape: Any, healthy_script: Path) -> None:
    assert minitape("run", healthy_script, "--strict", "--as-tensorflow").exit_code == 0


def test_strict_fails_on_none(minitape: Any, none_script: Path) -> None:
    assert minitape("run", none_script, "--strict", "--as-tensorflow").exit_code == 1


def test_arguments_after_two_dashes_go_to_the_script(minitape: Any, write_script: Any) -> None:
    script = write_script("import sys; print(sys.argv[1:])\n")
    ran = minitape("run", script, "--no-summary", "--", "--strict", "-o", "x", "--")
    assert ran.stdout == "['--strict', '-o', 'x', '--']\n"
    assert ran.stderr == ""


def test_other_exit_code_is_a_failure_of_the_script(minitape: Any, write_script: Any) -> None:
    ran = minitape("run", write_script("import sys; sys.exit(9)\n"))
    assert ran.exit_code == 3
    assert "exited with code 9" in ran.stderr


def test_script_on_tensorflow_gets_a_suggestion(minitape: Any, write_script: Any) -> None:
    write_script("", "tensorflow.py")
    ran = minitape("explain", write_script("import tensorflow\n"))
    assert ran.exit_code == 6
    assert "--on minitape" in ran.stderr


def test_quiet_prints_nothing(minitape: Any, none_script: Path) -> None:
    assert minitape("run", none_script, "-q", "--as-tensorflow").stderr == ""


def test_trace_can_be_saved(minitape: Any, none_script: Path, tmp_path: Path) -> None:
    to = tmp_path / "kept.jsonl"
    minitape("run", none_script, "--save-trace", to, "--as-tensorflow")
    assert minitape("explain", to).exit_code == 1


def test_run_rejects_a_trace(minitape: Any, none_script: Path, tmp_path: Path) -> None:
    to = tmp_path / "kept.jsonl"
    minitape("run", none_script, "--save-trace", to, "--as-tensorflow")
    assert minitape("run", to).exit_code == 2
