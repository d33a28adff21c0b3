"""What the README shows is what the commands print."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"```console\n\$ minitape (.+)\n((?:.|\n)*?)```", README)


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_a_shown_output_is_the_real_one(minitape: Any, command: str, output: str) -> None:
    ran = minitape(*shlex.split(command), "--as-tensorflow")
    assert ran.stdout == output


def test_the_python_in_it_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n((?:.|\n)*?)```", README)
    exec(compile(code, "README.md", "exec"), {})
    promised = re.search(r"print\(.*\)  # (.*)", code)
    assert promised is not None
    assert capsys.readouterr().out == promised[1] + "\n"


@pytest.mark.parametrize("link", re.findall(r"\]\(((?!http)[^)#]+)\)", README))
def test_a_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_the_exit_codes_are_all_told() -> None:
    from minitape_cli.exits import Exit

    table = README.partition("| exit code | means |")[2].partition("##")[0]
    assert [int(code) for code in re.findall(r"^\| (\d+) ", table, re.M)] == list(Exit)


def test_the_commands_are_all_told(minitape: Any) -> None:
    from minitape_cli.app import app

    names = [command.callback.__name__ for command in app.registered_commands if command.callback]
    names += [str(group.name) for group in app.registered_groups]
    assert all(f"| `minitape {name}" in README for name in names)
