"""All texts of the project that people read, each with its file and line."""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
_CODE_IN_PROSE = re.compile(r"`[^`\n]*`")
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Text:
    """A text, without the code that is quoted in it, and the line at which it begins."""

    path: str
    line: int
    text: str


def texts() -> Iterator[Text]:
    """Docstrings, comments and strings of Python; Markdown; the page's script and frame; the course."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in sorted(filter(None, listed.split("\0"))):
        path = ROOT / name
        if not path.is_file() or name.startswith(("tests/", ".ci/")) or name == "LICENSE":
            continue
        if path.suffix == ".py":
            yield from _of_python(name, path.read_text())
        elif path.suffix == ".md":
            yield Text(name, 1, _blank(_FENCE, path.read_text()))
        elif path.suffix in (".js", ".html", ".toml", ".css"):
            yield Text(name, 1, path.read_text())


def _of_python(name: str, source: str) -> Iterator[Text]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Text(name, token.start[0], token.string)
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str(text)):
                yield Text(name, node.lineno, text)
            case ast.JoinedStr(values=values):
                parts = [each.value if isinstance(each, ast.Constant) else "{}" for each in values]
                yield Text(name, node.lineno, "".join(map(str, parts)))


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def prose(text: Text) -> str:
    """Return the text without the code in backticks, because names in a program are not sentences."""
    return _CODE_IN_PROSE.sub(lambda found: "`" + " " * (len(found[0]) - 2) + "`", text.text)
