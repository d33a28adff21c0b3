"""`.ci/every_command.py` runs each command once where the optional packages are not installed."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
import typer

from minitape_cli.app import app

SCRIPT = Path(__file__).parents[2] / ".ci" / "every_command.py"


@pytest.fixture
def every_command() -> ModuleType:
    spec = importlib.util.spec_from_file_location("every_command", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_command_is_called(every_command: ModuleType) -> None:
    names = list(every_command.commands(typer.main.get_command(app)))
    assert {"explain", "lesson", "lesson run", "examples copy"} <= set(names)
    assert every_command.forgotten(names) == []


def test_new_command_that_is_not_called_is_reported(every_command: ModuleType) -> None:
    assert every_command.forgotten(["lesson", "lesson run", "profile"]) == ["profile"]


def test_calling_a_group_does_not_count_for_its_commands(every_command: ModuleType) -> None:
    assert every_command.forgotten(["lesson", "lesson teach"]) == ["lesson teach"]
