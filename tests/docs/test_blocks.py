"""The code blocks on the pages are correct: commands exist, programs run, and the shown output is the real output."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import minitape as tf
from minitape.testing import gradcheck
from minitape_cli.app import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "tutorials/README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(page: Path, *kinds: str) -> Iterator[str]:
    for kind, text in _BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind in kinds:
            yield text


def commands() -> Iterator[tuple[str, list[str]]]:
    """Each command line on a page that calls minitape, without its output."""
    for page in PAGES:
        for block in blocks(page, "sh", "console", "text"):
            for line in block.splitlines():
                for part in line.strip().removeprefix("$ ").split(" && "):
                    words = shlex.split(part, comments=True) if part.startswith("minitape ") else []
                    if words and not words[1].endswith(","):
                        yield f"{page.name}: {part}", words[1:]


COMMANDS = dict(commands())


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_documented_commands_are_valid(words: list[str]) -> None:
    """The command is parsed unchanged, and not run."""
    context = typer.main.get_command(app).make_context("minitape", list(words))
    command: Any = context.command
    rest = [*context._protected_args, *context.args]
    while hasattr(command, "get_command") and rest:
        name, *rest = rest
        found = command.get_command(context, name)
        assert found is not None, f"there is no command {name}"
        command = found
        context = command.make_context(name, rest, parent=context)
        rest = [*getattr(context, "_protected_args", ()), *context.args]


def test_each_readme_block_is_of_a_kind_that_is_tested() -> None:
    kinds = {kind for kind, _ in _BLOCK.findall(README)}
    assert kinds == {"python", "py", "sh", "console"}


def test_documented_setup_matches_ci() -> None:
    done = (ROOT / ".ci/run").read_text(encoding="utf-8")
    lines = [line for block in blocks(ROOT / "README.md", "sh") for line in block.splitlines()]
    (user, developer) = (line for line in lines if line.startswith("python -m pip install"))
    assert user == "python -m pip install . && minitape explain numpy_detour"
    assert re.search(r"pip install --quiet \.\n", done)
    assert "minitape explain numpy_detour" in done
    assert developer == 'python -m pip install -e ".[dev]" && python -m pytest -n 2'
    assert 'pip install --quiet -e ".[dev]"' in done
    assert "python -m pytest -n 2" in done


@pytest.mark.parametrize("name", ["README.md", "docs/tour.md"])
def test_programs_of_the_first_pages_run(name: str) -> None:
    for block in blocks(ROOT / name, "py"):
        names: dict[str, Any] = {"tf": tf, "my_function": tf.square}
        exec(compile(block, name, "exec"), names)
        if "recording" in names:
            names["recording"].stop()


def test_wrong_function_is_reported_as_in_the_tour() -> None:
    @tf.custom_gradient
    def wrong(x: Any) -> Any:
        return x * x, lambda ybar: ybar

    report = gradcheck(wrong, 3.0)
    assert not report.ok


def test_error_shown_in_the_tour_is_the_real_error(tmp_path: Path) -> None:
    from traced import run

    (shown,) = (text for text in blocks(ROOT / "docs/tour.md", "text") if "Error" in text)
    program = [""] * 11 + ["y = x @ w"]
    program[0] = "import minitape as tf"
    program[1] = "x, w = tf.ones([2, 3]), tf.ones([4, 3])"
    script = tmp_path / "model.py"
    script.write_text("\n".join(program) + "\n", encoding="utf-8")
    ran = run(script)
    assert ran.error is not None
    assert shown.strip() in ran.error.text.replace("minitape.errors.", "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_the_pages_have_a_target(page: Path) -> None:
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    links = re.findall(r"\]\(((?!https?:)[^)#]+)[^)]*\)", text)
    assert [link for link in links if not (page.parent / link).exists()] == []
