"""The output in the README and the tour is what the commands print; `--update` writes it again."""

import ast
import importlib
import re
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from minitape.draw import find_engine

ROOT = Path(__file__).parents[2]
PAGES = {name: ROOT / name for name in ("README.md", "docs/tour.md")}
README = PAGES["README.md"].read_text(encoding="utf-8")
TOUR = PAGES["docs/tour.md"]
COMMANDS = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
# Output on TensorFlow is checked in tests/on_tensorflow/test_page.py.
_SHOWN = re.compile(r"```console\n\$ minitape (.+(?<!train\.py))\n((?:.|\n)*?)```")
SHOWN = [
    (name, *found)
    for name, page in PAGES.items()
    for found in _SHOWN.findall(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(
    ("name", "command", "output"), SHOWN, ids=[f"{name}-{command}" for name, command, _ in SHOWN]
)
def test_shown_output_is_the_real_output(
    minitape: Any, request: pytest.FixtureRequest, name: str, command: str, output: str
) -> None:
    ran = minitape(*shlex.split(command), "--as-tensorflow")
    if request.config.getoption("--update"):
        write_script = PAGES[name].read_text(encoding="utf-8").replace(output, ran.stdout)
        PAGES[name].write_text(write_script, encoding="utf-8")
        output = ran.stdout
    assert ran.stdout == output


@pytest.mark.skipif(
    find_engine().name != "graphviz-pure", reason="graphviz-pure drew it, and is not here"
)
def test_picture_is_the_one_that_the_command_draws(
    minitape: Any, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    (link,) = re.findall(r"!\[.*\]\((.*\.svg)\)", TOUR.read_text(encoding="utf-8"))
    shown = TOUR.parent / link
    drawn = shown if request.config.getoption("--update") else tmp_path / "drawn.svg"
    minitape("graph", "numpy_detour", "-o", drawn, "--as-tensorflow")
    assert _words(drawn) == _words(shown)


def _words(svg: Path) -> list[str]:
    texts = ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")
    return sorted(text.text or "" for text in texts)


def test_python_code_blocks_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n((?:.|\n)*?)```", README)
    exec(compile(code, "README.md", "exec"), {})
    promised = re.search(r"print\(.*\)  # (.*)", code)
    assert promised is not None
    assert capsys.readouterr().out == promised[1] + "\n"


@pytest.mark.parametrize("link", re.findall(r"\]\(((?!http)[^)#]+)\)", README))
def test_links_have_a_target(link: str) -> None:
    assert (ROOT / link).exists()


@pytest.mark.parametrize(
    "script", sorted((ROOT / "docs").rglob("*.py")), ids=lambda each: each.name
)
def test_scripts_that_draw_for_the_docs_find_their_imports(script: Path) -> None:
    """These scripts run only when a picture is redrawn."""
    tree = ast.parse(script.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("minitape"):
            module = importlib.import_module(str(node.module))
            assert [each.name for each in node.names if not hasattr(module, each.name)] == []


def test_all_exit_codes_are_listed() -> None:
    from minitape_cli.exits import ExitCode

    table = COMMANDS.partition("| exit code | meaning |")[2].partition("##")[0]
    assert [int(code) for code in re.findall(r"^\| (\d+) ", table, re.M)] == list(ExitCode)


def test_all_commands_are_listed(minitape: Any) -> None:
    from minitape_cli.app import app

    names = [command.callback.__name__ for command in app.registered_commands if command.callback]
    names += [str(group.name) for group in app.registered_groups]
    assert all(f"| `minitape {name}" in COMMANDS for name in names)
