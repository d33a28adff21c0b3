"""`minitape compare SCRIPT`: whether a script has the same results on minitape and on TensorFlow."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = """\
import minitape as tf

x = tf.Variable([1.0, 2.0])
n = tf.Variable(3)
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.nn.softplus(x)){}
print(tape.gradient(y, [x, n]))
"""
_FACTOR = " * (2.0 if 'minitape' in tf.__name__ else 3.0)"


def test_missing_tensorflow_is_reported(minitape: Any, healthy_script: Path) -> None:
    ran = minitape("compare", healthy_script, "--python", sys.executable)
    assert ran.exit_code == 5
    assert "has no TensorFlow" in ran.stderr
    assert ran.stdout == ""


def test_compare_rejects_a_trace(minitape: Any, healthy_script: Path, tmp_path: Path) -> None:
    to = tmp_path / "t.jsonl"
    minitape("trace", healthy_script, "-o", to, "--as-tensorflow")
    ran = minitape("compare", to)
    assert ran.exit_code == 2
    assert "name the script" in " ".join(ran.stderr.split())


@pytest.mark.tensorflow
@pytest.mark.timeout(300)
@pytest.mark.one_in(3)
class TestWithTensorFlow:
    def test_program_with_equal_results(
        self, minitape: Any, write_script: Any, tensorflow_python: str
    ) -> None:
        ran = minitape("compare", write_script(SCRIPT.format("")), "--python", tensorflow_python)
        assert ran.exit_code == 0
        text = " ".join(ran.stdout.split())
        assert "7 x [0.7311, 0.8808] [0.7311, 0.8808] ✓ agrees" in text
        assert "7 n None None ✓ agrees" in text
        assert "4 of 4 lines and 2 of 2 gradients agree" in text
        assert "the output is the same" in text

    def test_program_with_different_results(
        self, minitape: Any, write_script: Any, tensorflow_python: str
    ) -> None:
        script = write_script(SCRIPT.format(_FACTOR))
        ran = minitape("compare", script, "--python", tensorflow_python, "--json")
        assert ran.exit_code == 1
        reported = json.loads(ran.stdout)
        assert reported["schema"] == "minitape.compare/1"
        assert [each["engine"] for each in reported["ran_on"]] == ["minitape", "tensorflow"]
        assert reported["ok"] is reported["data"]["same"] is False
        lines = {each["line"]: each for each in reported["data"]["lines"]}
        assert lines[6]["verdict"] == "differs"
        assert lines[6]["apart"] == pytest.approx(1 / 3)
        assert reported["data"]["raised"] == [None, None]
        assert reported["data"]["printed"]

    def test_exception_in_only_one_engine_is_a_difference(
        self, minitape: Any, write_script: Any, tensorflow_python: str
    ) -> None:
        script = write_script(SCRIPT.format("") + "if 'minitape' in tf.__name__:\n    1 / 0\n")
        ran = minitape("compare", script, "--python", tensorflow_python)
        assert ran.exit_code == 1
        said = "On minitape the script raises ZeroDivisionError; on TensorFlow it finishes."
        assert said in " ".join(ran.stdout.split())
