"""`--on`, `--trace-calls`: which engine a script runs on,
and how long it is traced. A small package imitates TensorFlow here.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.one_in(3)

# This package next to a script is imported as `tensorflow`, and cannot be traced.
FAKE_TENSORFLOW = """\
import sys
is_seen_by_the_loader = "exec_module" in vars(__loader__)
__version__ = "9.9"
"""

HOW_IT_WAS_IMPORTED = """\
import sys
before = list(sys.meta_path)
import tensorflow as tf
gone = [type(each).__name__ for each in before if each not in sys.meta_path]
print(tf.__version__, tf.is_seen_by_the_loader, vars(tf.__loader__).keys(), tf.__spec__.loader is tf.__loader__)
print("gone:", gone)
"""

MINITAPE_FIRST = """\
import minitape as mt
w = mt.Variable(3.0)
with mt.GradientTape() as tape:
    y = w * w
import tensorflow
print("slope", float(tape.gradient(y, w)))
"""

ITERATIONS = """\
import minitape as tf
w = tf.Variable(1.0)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = tf.square(w)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("end", f"{float(w):.6f}")
"""


@pytest.fixture
def fake_tensorflow(tmp_path: Path) -> Path:
    """A fake TensorFlow package next to the script."""
    package = tmp_path / "tensorflow"
    package.mkdir()
    (package / "__init__.py").write_text(FAKE_TENSORFLOW)
    return package


# --- which engine ---


def test_installed_package_is_imported_as_without_the_tracer(
    minitape: Any, write_script: Any, fake_tensorflow: Path
) -> None:
    """The import hook is removed after the import for which it waited, and the loader is unchanged."""
    ran = minitape("run", write_script(HOW_IT_WAS_IMPORTED), "--no-summary")
    first, second = ran.stdout.splitlines()
    assert first == "9.9 False dict_keys(['name', 'path']) True"
    assert second == "gone: ['Arrival']"


def test_untraceable_engine_runs_to_the_end_with_a_note(
    minitape: Any, write_script: Any, fake_tensorflow: Path
) -> None:
    ran = minitape("explain", write_script(HOW_IT_WAS_IMPORTED))
    assert ran.exit_code == 6
    assert "9.9" in ran.stderr
    assert "could not trace it: TensorFlow 9.9 has no tensorflow.python" in " ".join(
        ran.stderr.split()
    )
    assert ran.stdout == "The script was not traced, so there is nothing to explain.\n"


@pytest.mark.parametrize("command", ["graph", "html", "step", "trace", "run"])
def test_missing_tapes_are_not_reported_for_an_untraced_run(
    minitape: Any, write_script: Any, fake_tensorflow: Path, command: str
) -> None:
    ran = minitape(command, write_script("import tensorflow\n"))
    assert "tape" not in ran.stdout + ran.stderr.replace("minitape", "")
    assert "could not trace it" in ran.stderr


def test_json_names_the_engine_of_an_untraced_run(
    minitape: Any, write_script: Any, fake_tensorflow: Path
) -> None:
    whole = json.loads(minitape("explain", write_script("import tensorflow\n"), "--json").stdout)
    assert whole["ran_on"] == {"engine": "tensorflow", "version": None}
    assert len(whole["diagnostics"]) == 1


@pytest.mark.parametrize("options", [["--on", "minitape"], ["--as-tensorflow"]])
def test_on_minitape_selects_minitape(
    minitape: Any, healthy_script: Path, fake_tensorflow: Path, options: list[str]
) -> None:
    ran = minitape("explain", healthy_script, "--json", *options)
    assert ran.exit_code == 0
    whole = json.loads(ran.stdout)
    assert whole["ran_on"]["engine"] == "minitape"
    assert whole["ran_on"]["version"] == whole["version"]
    assert whole["diagnostics"] == []


def test_folder_named_tensorflow_is_not_tensorflow(
    minitape: Any, healthy_script: Path, tmp_path: Path
) -> None:
    """Python would import it as an empty package, and the script would fail."""
    (tmp_path / "tensorflow").mkdir()
    assert minitape("explain", healthy_script).exit_code == 0


def test_script_that_imports_minitape_is_traced_next_to_tensorflow(
    minitape: Any, write_script: Any, fake_tensorflow: Path
) -> None:
    ran = minitape("explain", write_script(ITERATIONS))
    assert (ran.exit_code, ran.stderr) == (0, "end 0.001238\n")


def test_script_that_uses_minitape_first_is_traced_there_to_the_end(
    minitape: Any, write_script: Any, fake_tensorflow: Path
) -> None:
    """A trace of two engines would describe neither. This TensorFlow could not be traced anyway, which is reported first."""
    ran = minitape("explain", write_script(MINITAPE_FIRST))
    assert ran.exit_code == 0
    assert "The only gradient arrived" in ran.stdout
    assert ran.stderr.count("could not trace it") == 1


def test_missing_tensorflow_is_rejected_before_the_script_runs(
    minitape: Any, write_script: Any
) -> None:
    ran = minitape("explain", write_script("print('ran')\n"), "--on", "tensorflow")
    assert ran.exit_code == 5
    assert "ran\n" not in ran.stderr
    reported = " ".join(ran.stderr.split())
    assert f"{sys.executable} has no TensorFlow" in reported
    assert "-m pip install tensorflow-cpu" in reported
    assert "--python PATH" in reported


def test_script_that_never_imports_tensorflow_runs(
    minitape: Any, write_script: Any, fake_tensorflow: Path
) -> None:
    ran = minitape("explain", write_script(ITERATIONS), "--on", "tensorflow")
    assert (ran.exit_code, ran.stderr) == (0, "end 0.001238\n")


def test_two_engines_at_once_are_rejected(minitape: Any, none_script: Path) -> None:
    ran = minitape("explain", none_script, "--as-tensorflow", "--on", "tensorflow")
    assert ran.exit_code == 2
    assert "--on minitape" in ran.stderr
    assert minitape("explain", none_script, "--as-tensorflow", "--on", "minitape").exit_code == 1


def test_gradients_are_checked_only_on_minitape(
    minitape: Any, write_script: Any, fake_tensorflow: Path
) -> None:
    ran = minitape("check", write_script("import tensorflow\nprint('ran')\n"))
    assert ran.exit_code == 2
    assert "ran\n" not in ran.stderr
    assert "--on minitape" in ran.stderr


def test_two_runs_are_labeled_with_their_engines(minitape: Any, none_script: Path) -> None:
    whole = json.loads(
        minitape("diff", none_script, none_script, "--json", "--on", "minitape").stdout
    )
    assert [each["engine"] for each in whole["ran_on"]] == ["minitape", "minitape"]


@pytest.mark.whole
def test_import_time_is_not_script_time(
    minitape: Any, write_script: Any, fake_tensorflow: Path
) -> None:
    (fake_tensorflow / "__init__.py").write_text("__import__('time').sleep(3)\n")
    ran = minitape("explain", write_script("import tensorflow\nprint('end')\n"), "--timeout", 2.5)
    assert ran.exit_code == 6, ran.stderr
    assert "end\n" in ran.stderr
    late = write_script("import tensorflow\n__import__('time').sleep(30)\n")
    assert minitape("explain", late, "--timeout", 2.5).exit_code == 4


# --- how long it is traced ---


def test_script_continues_untraced_after_the_limit(
    minitape: Any, write_script: Any, tmp_path: Path
) -> None:
    script, to = write_script(ITERATIONS), tmp_path / "t.jsonl"
    ran = minitape("trace", script, "--trace-calls", 3, "-o", to)
    assert ran.exit_code == 0
    assert "end 0.001238" in ran.stderr
    assert "Traced 3 gradient calls (--trace-calls); the rest of the script ran" in ran.stderr
    kept = [json.loads(line) for line in to.read_text().splitlines()]
    assert [each["call"] for each in kept if each["k"] == "gradient"] == [1, 2, 3]
    assert kept[-2]["k"] == "result"
    assert kept[-1] == {"i": len(kept) - 1, "k": "end", "events": len(kept), "dropped": 0}


@pytest.mark.parametrize(
    ("limit", "said"),
    [(("--max-ops", 7), "7 ops (--max-ops)"), (("--timeout", 0.2), "0.2 s (--timeout)")],
)
def test_limits_end_the_tracing_and_not_the_script(
    minitape: Any, write_script: Any, limit: tuple[str, float], said: str
) -> None:
    script = write_script(
        ITERATIONS.replace(
            "with tf", "tf.debug.note(str(__import__('time').sleep(0.03)))\n    with tf"
        )
    )
    ran = minitape("explain", script, "--trace-calls", 500, *limit)
    assert ran.exit_code == 0
    assert "end 0.001238" in ran.stderr
    assert f"Traced {said}" in " ".join(ran.stderr.split())
    assert (
        "before the point where tracing ended arrived; the rest of the script was not traced"
        in " ".join(ran.stdout.split())
    )


def test_script_that_ends_before_the_limit_is_traced_completely(
    minitape: Any, write_script: Any
) -> None:
    assert (
        "Watched" not in minitape("explain", write_script(ITERATIONS), "--trace-calls", 31).stderr
    )


def test_exception_in_the_untraced_part_is_reported(minitape: Any, write_script: Any) -> None:
    ran = minitape(
        "explain", write_script(ITERATIONS + "raise ValueError('late')\n"), "--trace-calls", 1
    )
    assert ran.exit_code == 3
    assert "ValueError: late" in ran.stderr


def test_call_without_sources_counts(minitape: Any, write_script: Any) -> None:
    script = write_script(
        ITERATIONS.replace("w.assign_sub", "tape.gradient(loss, []); w.assign_sub").replace(
            "tf.GradientTape()", "tf.GradientTape(persistent=True)"
        )
    )
    ran = minitape("trace", script, "--trace-calls", 3, "--json")
    calls = [each for each in json.loads(ran.stdout)["data"]["events"] if each["k"] == "gradient"]
    assert [len(each["sources"]) for each in calls] == [0, 1, 0]


def test_fixed_runs_stop_where_tracing_ended(
    minitape: Any, write_script: Any, none_script: Path
) -> None:
    """The program is not traced after the N-th call, so verification does not have to wait for the rest."""
    script = write_script(none_script.read_text() + "__import__('time').sleep(1.5)\n", "slow.py")
    ran = minitape("explain", script, "--check", "--trace-calls", 1, "--timeout", 20)
    assert ran.exit_code == 1
    assert "tried: `tf.square(y)` instead of `np.square(y)`" in ran.stdout


def test_python_killed_before_the_script_runs_is_not_called_broken(
    minitape: Any, write_script: Any, tmp_path: Path
) -> None:
    """The system kills processes in this way when memory is short."""
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nkill -9 $$\n")
    python.chmod(0o755)
    ran = minitape("run", write_script("print(1)\n"), "--python", python)
    assert ran.exit_code == 2
    assert "was killed (SIGKILL) before it ran the script" in ran.stderr
    assert "memory is short" in ran.stderr
