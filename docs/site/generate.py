"""Pages of the site that are made from the code: lessons, codes, the command line, the API and the gallery.

Each function returns pages as Markdown, by their paths in the site.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from minitape_cli.app import app

ROOT = Path(__file__).parents[2]

CODES = ROOT / "minitape" / "explain" / "pages"
LESSONS = ROOT / "tutorials"


# --- lessons ---


def lessons() -> dict[str, str]:
    """One page for each lesson: its text and code, what it prints, and its exercises."""
    return {f"lessons/{folder.name}.md": _lesson(folder) for folder in lesson_folders()}


def lesson_folders() -> list[Path]:
    return sorted(path.parent for path in LESSONS.glob("*/lesson.toml"))


def _lesson(folder: Path) -> str:
    settings = tomllib.loads((folder / "lesson.toml").read_text(encoding="utf-8"))
    about = f"**{settings['goal']}** About {settings['minutes']} minutes, including the exercises."
    heading, *cells = _cells((folder / "lesson.py").read_text(encoding="utf-8"))
    parts = [heading.partition("\n")[0], "", about, "", heading.partition("\n")[2], *cells]
    if (folder / "picture.svg").exists():
        parts += ["## The tape of this lesson", "", f"![{settings['title']}](picture.svg)", ""]
    printed = folder / "expected.txt"
    if printed.exists():
        parts += ["## What the cells print", "", _fence("text", printed.read_text("utf-8")), ""]
    parts += [
        "## Exercises",
        "",
        f"`minitape lesson` checks them; this is lesson {folder.name[:2]}.",
        "",
    ]
    parts += ["| exercise | | minutes |", "| --- | --- | ---: |"]
    parts += [
        f"| {each['name'].split('_')[0]} | {each['title']} | {each['minutes']} |"
        for each in settings["exercises"]
    ]
    return "\n".join(parts) + "\n"


def _cells(text: str) -> Iterator[str]:
    """The cells of a lesson as Markdown."""
    for cell in re.split(r"^# %%", text, flags=re.M)[1:]:
        kind, _, body = cell.partition("\n")
        if kind.strip() == "[markdown]":
            yield re.sub(r"^# ?", "", body.rstrip("\n"), flags=re.M) + "\n"
        elif body.strip():
            yield _fence("python", body.strip("\n")) + "\n"


def _fence(language: str, text: str) -> str:
    return f"````{language}\n{text.rstrip()}\n````"


# --- codes ---


def codes() -> dict[str, str]:
    """One page for each code, titled with the words that people search for."""
    return {f"codes/{path.stem}.md": _code_page(path) for path in sorted(CODES.glob("*.md"))}


def code_title(path: Path) -> str:
    """The title of a code's page: the symptom, then the code.

    A title starts with a capital letter and contains no Markdown.
    """
    with path.open(encoding="utf-8") as lines:
        code, _, symptom = next(lines).removeprefix("# ").strip().partition(": ")
    symptom = symptom.replace("`", "")
    if not symptom.startswith("tape."):
        symptom = symptom[0].upper() + symptom[1:]
    return f"{symptom} ({code})"


def _code_page(path: Path) -> str:
    _, _, body = path.read_text(encoding="utf-8").partition("\n")
    body = re.sub(r"^- (https?://\S+)", r"- <\1>", body, flags=re.M)
    title = code_title(path)
    return f"---\ntitle: {_quoted(title)}\n---\n\n# {title}\n{body}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


# --- the command line ---


def command_line() -> dict[str, str]:
    """One page with all commands and options, from Typer's declarations."""
    parts = ["# All options", "", "Generated from the declarations of the commands.", ""]
    for path, command in _commands(typer.main.get_command(app), ("minitape",)):
        parts += _command(path, command)
    return {"reference/options.md": "\n".join(parts)}


def _commands(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for name, each in getattr(command, "commands", {}).items():
        yield from _commands(each, (*path, name))


def _command(path: tuple[str, ...], command: Any) -> list[str]:
    help_text = re.sub(r"\[/?[a-z ]+\]", "", command.help or "")
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [
        each for each in command.params if each.param_type_name == "option" and not each.hidden
    ]
    usage = " ".join(
        [*path, "[OPTIONS]", *(each.metavar or each.name.upper() for each in arguments)]
    )
    parts = [f"## {' '.join(path)}", "", _fence("text", usage), "", _prose(help_text), ""]
    if options:
        parts += ["| option | effect |", "| --- | --- |"]
        parts += [f"| {_spelling(each)} | {_cell(each.help or '')} |" for each in options]
    return [*parts, ""]


def _prose(text: str) -> str:
    """Help text as Markdown, in which `<` and `*` are no markup."""
    return re.sub(r"([<*_])", r"\\\1", text)


def _cell(text: str) -> str:
    return _prose(text).replace("|", "\\|").replace("\n", " ")


def _spelling(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    return f"{names} `{option.metavar}`" if option.metavar else names


# --- the API ---


def api(contents: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """Pages for mkdocstrings: the public names of modules."""
    return {api_path(title): _api_page(title, modules) for title, modules in contents.items()}


def api_path(title: str) -> str:
    return f"api/{title.lower().replace(' ', '-')}.md"


def _api_page(title: str, modules: tuple[str, ...]) -> str:
    parts = [f"# {title}", ""]
    for name in modules:
        __import__(name)
        module = sys.modules[name]
        public = [*getattr(module, "__all__", ())]
        parts += [f"::: {name}"]
        if public:
            members = ", ".join(_quoted(each) for each in sorted(public))
            parts += ["    options:", f"      members: [{members}]"]
        parts += [""]
    return "\n".join(parts)


# --- the gallery ---


def gallery() -> tuple[dict[str, str], dict[str, str]]:
    """The page that embeds the gallery's HTML pages, and these pages by their paths in the site."""
    sys.path.insert(0, str(ROOT / "docs" / "gallery"))
    from pages import PROGRAMS, page_of

    parts = [
        "# Runs to step through",
        "",
        "Each frame is one page of `minitape html`. Click into a frame, then press → and ← to step, and `?` for all keys.",
        "",
    ]
    files = {}
    for name, (title, _) in PROGRAMS.items():
        files[f"gallery/runs/{name}.html"] = page_of(name)
        program = (ROOT / "docs" / "gallery" / "programs" / f"{name}.py").read_text(
            encoding="utf-8"
        )
        parts += [f"## {title}", "", f"[Open this page alone](runs/{name}.html)", ""]
        parts += [
            f'<iframe class="page" loading="lazy" src="runs/{name}.html" title="{title}"></iframe>'
        ]
        parts += ["", '??? example "The program"', ""]
        parts += [f"    {line}".rstrip() for line in _fence("python", program).split("\n")] + [""]
    return {"gallery/index.md": "\n".join(parts)}, files
