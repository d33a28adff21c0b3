"""Finds the page of each code among the Markdown files that ship with the library."""

from importlib.util import find_spec
from pathlib import Path


def _folder() -> Path:
    # Found by its spec instead of an import, because `minitape explain MT201` needs no NumPy.
    spec = find_spec("minitape")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent / "explain" / "pages"


def titles() -> dict[str, str]:
    """Return each code with the title of its page, in order."""
    return {page.stem: _title(page) for page in sorted(_folder().glob("MT*.md"))}


def _title(page: Path) -> str:
    first = page.read_text(encoding="utf-8").splitlines()[0]
    return first.lstrip("# ").removeprefix(page.stem).lstrip(" :·–—-")


def page(code: str) -> str | None:
    """Return the page of a code, as Markdown; None if there is none."""
    path = _folder() / f"{code}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else None
