"""The GitHub Action and the pre-commit hook: their steps run here as a runner would run them."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ACTION = ROOT / "action"

LOST = """\
import numpy as np
import minitape as tf

w = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = tf.constant(np.square(w))
grad = tape.gradient(y, w)
"""
FAILING = """\
import numpy as np
import minitape as tf

def test_training():
    w = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = tf.constant(np.square(w))
    assert tape.gradient(y, w) is not None, "::set-env name=X::y"
"""


def _steps() -> list[str]:
    return re.findall(r"^ +run: (.+)$", (ACTION / "action.yml").read_text(encoding="utf-8"), re.M)


def _run(folder: Path, **inputs: str) -> tuple[int, str, str]:
    """Run the last step of the action; returns its exit code, its output and the summary."""
    summary = folder / "summary.md"
    surroundings = {
        **os.environ,
        **{f"MINITAPE_{name.upper()}": value for name, value in inputs.items()},
        "GITHUB_ACTION_PATH": str(ACTION),
        "GITHUB_STEP_SUMMARY": str(summary),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    surroundings.pop("PYTEST_ADDOPTS", None)
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", _steps()[-1]],
        cwd=folder,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=100,
    )
    return done.returncode, done.stdout, summary.read_text("utf-8") if summary.exists() else ""


def test_first_step_installs_this_repository() -> None:
    assert _steps()[0] == 'python -m pip install --quiet "$GITHUB_ACTION_PATH/.."'
    assert (ACTION / ".." / "pyproject.toml").resolve() == ROOT / "pyproject.toml"


def test_script_findings_become_annotations_and_a_summary(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "train.py").write_text(LOST, encoding="utf-8")
    code, output, summary = _run(tmp_path, script="src/train.py")
    assert code == 1
    assert output.startswith("::error file=src/train.py,line=6,")
    assert summary.startswith("### MT201: ")
    assert sorted(each.name for each in (tmp_path / "src").iterdir()) == ["train.py"]


def test_failing_test_is_explained_in_the_summary(tmp_path: Path) -> None:
    (tmp_path / "test_train.py").write_text(FAILING, encoding="utf-8")
    code, output, summary = _run(tmp_path, tests="test_train.py -q")
    assert code == 1
    assert "MT201" in summary and all(
        not line or line.startswith(("    ", "### ")) for line in summary.splitlines()
    )
    stop, resume = output.index("::stop-commands::"), output.rindex("::minitape-")
    assert stop < output.index("::set-env") < resume


def test_missing_input_is_reported(tmp_path: Path) -> None:
    code, output, _ = _run(tmp_path)
    assert (code, output[:9]) == (2, "::error::")


def test_missing_script_fails(tmp_path: Path) -> None:
    code, _, _ = _run(tmp_path, script="train.py")
    assert code == 2


def test_pre_commit_hook_runs_one_script(tmp_path: Path) -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (entry,) = re.findall(r"^  entry: (.+)$", hooks, re.M)
    (tmp_path / "train.py").write_text(LOST, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(entry), "train.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert re.match(r"train\.py:6:\d+: MT201", done.stdout)


@pytest.mark.parametrize("name", ["bug.md", "wrong_explanation.md"])
def test_issue_template_requests_the_doctor_output(name: str) -> None:
    text = (ROOT / ".github" / "ISSUE_TEMPLATE" / name).read_text(encoding="utf-8")
    assert text.startswith("---\nname: ") and "minitape doctor" in text
