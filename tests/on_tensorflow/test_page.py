"""The answers on the page about TensorFlow are what the command prints."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from minitape_cli.app import app

pytestmark = [pytest.mark.tensorflow, pytest.mark.timeout(240)]

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs/tensorflow.md").read_text(encoding="utf-8")


def test_answer_about_fit_equals_command_output(
    tensorflow_python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    (shown,) = re.findall(r"```console\n\$ minitape explain train.py\n((?:.|\n)*?)```", PAGE)
    script = HERE / "programs/train.py"
    ran = CliRunner().invoke(app, ["explain", str(script), "--python", tensorflow_python])
    version = re.compile(r"TensorFlow [\d.]+")
    assert version.sub("TensorFlow", ran.stdout) == version.sub("TensorFlow", shown)
    assert ran.exit_code == 1
