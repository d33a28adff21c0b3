"""Build the documentation site: `python docs/site/build.py FOLDER`.

The pages are assembled in a temporary folder, from the Markdown files of the repository (contents.py) and from the code
(generate.py). A link to a file of the repository becomes a link to its page, or to a page that shows its source. MkDocs then
builds the site; a warning, such as a broken link, is an error.

Needs `pip install -e ".[docs]"`. Open FOLDER/index.html: the site needs no server and no network.
"""

import logging
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path, PurePosixPath
from typing import Any

import generate
from contents import API, BOOSTS, SECTIONS

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent

_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")
_FENCE = re.compile(r"^( *)(`{3,})[^`\n]*\n.*?^\1\2`*[ ]*$", re.M | re.S)
_PICTURES = {".png", ".svg", ".webp", ".gif"}
_LANGUAGES = {
    ".py": "python",
    ".js": "javascript",
    ".css": "css",
    ".html": "html",
    ".json": "json",
    ".toml": "toml",
    ".md": "markdown",
}


def page_paths() -> dict[str, str]:
    """For each file of the repository that has a page: the page's path in the site."""
    paths = {"README.md": "index.md", "docs/README.md": "index.md"}
    for pages in SECTIONS.values():
        paths |= {source: page for _, page, source in pages}
    for path in sorted((ROOT / "docs" / "decisions").glob("*.md")):
        paths[f"docs/decisions/{path.name}"] = f"decisions/{path.name}"
    for path in generate.CODES.glob("*.md"):
        paths[path.relative_to(ROOT).as_posix()] = f"codes/{path.name}"
    for folder in generate.lesson_folders():
        page = f"lessons/{folder.name}.md"
        paths |= {f"tutorials/{folder.name}": page, f"tutorials/{folder.name}/lesson.py": page}
    for path in sorted((ROOT / "minitape").rglob("README.md")):
        name = path.relative_to(ROOT).as_posix()
        paths.setdefault(
            name, f"packages/{path.parent.relative_to(ROOT).as_posix().replace('/', '-')}.md"
        )
    return paths


class Assembly:
    """The pages of the site, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paths = page_paths()
        self.shown: set[str] = set()  # files of the repository whose source has a page

    def add(self, page: str, text: str, source: str) -> None:
        """Write a page that is made from a file of the repository, with links that are right in the site."""
        self.write(page, self.relinked(text, page, source))

    def write(self, name: str, text: str) -> None:
        to = self.folder / name
        boost = next((each for start, each in BOOSTS.items() if name.startswith(start)), None)
        if boost is not None:
            text = _with_boost(text, boost)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8")

    def relinked(self, text: str, page: str, source: str) -> str:
        """The text with its links changed, except in blocks of code."""
        parts, end = [], 0
        for fence in _FENCE.finditer(text):
            parts += [self._links(text[end : fence.start()], page, source), fence[0]]
            end = fence.end()
        return "".join([*parts, self._links(text[end:], page, source)])

    def _links(self, text: str, page: str, source: str) -> str:
        def changed(link: re.Match[str]) -> str:
            label, target = link[1], link[2]
            if re.match(r"[a-z]+:|#", target):
                return link[0]
            name, _, anchor = target.partition("#")
            to = self._page_of(os.path.normpath(PurePosixPath(source).parent / name), page)
            if to is None:
                return label[1:-1]  # a folder without a page: only the words remain
            return f"{label}({os.path.relpath(to, PurePosixPath(page).parent)}{'#' + anchor if anchor else ''})"

        return _LINK.sub(changed, text)

    def _page_of(self, name: str, page: str) -> str | None:
        """The path in the site of a file of the repository; it is copied or shown as source if it has no page yet.

        Raises:
            FileNotFoundError: there is no such file.
        """
        path = ROOT / name
        if not path.exists():
            raise FileNotFoundError(f"{page} refers to {name}, which does not exist")
        if name in self.paths:
            return self.paths[name]
        if path.is_dir():
            inside = next(
                (each for each in ("README.md", "__init__.py") if (path / each).exists()), None
            )
            return None if inside is None else self._page_of(f"{name}/{inside}", page)
        if path.suffix in _PICTURES:
            to = f"assets/{name}"
            (self.folder / to).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, self.folder / to)
            return to
        to = f"source/{name}.md"
        if name not in self.shown:
            self.shown.add(name)
            language = _LANGUAGES.get(path.suffix, "text")
            code = path.read_text(encoding="utf-8").rstrip()
            self.write(
                to,
                f"---\nsearch:\n  exclude: true\n---\n\n# {name}\n\n``````{language}\n{code}\n``````\n",
            )
        return to


def _with_boost(text: str, boost: float) -> str:
    """The page with its weight in the search, in its front matter."""
    rest = text.removeprefix("---\n")
    front = f"---\nsearch:\n  boost: {boost}\n"
    return f"{front}{rest}" if rest != text else f"{front}---\n\n{text}"


def assemble(folder: Path) -> list[Any]:
    """Write all pages into a folder, and return the navigation."""
    site = Assembly(folder)
    read = {
        name: (ROOT / name).read_text(encoding="utf-8")
        for name in site.paths
        if name.endswith(".md")
    }
    for source, page in site.paths.items():
        if source in read and page != "index.md" and not page.startswith("codes/MT"):
            site.add(page, read[source], source)
    site.add("index.md", read["README.md"], "README.md")
    for page, text in generate.lessons().items():
        folder_name = PurePosixPath(page).stem
        site.add(page, text, f"tutorials/{folder_name}/lesson.py")
    for page, text in generate.codes().items():
        site.add(page, text, f"minitape/explain/pages/{PurePosixPath(page).name}")
    frames, runs = generate.gallery()
    for page, text in (generate.command_line() | generate.api(API) | frames | runs).items():
        site.write(page, text)
    (folder / "assets").mkdir(exist_ok=True)
    for name in ("site.css", "site.js", "file-worker.js"):
        shutil.copyfile(HERE / name, folder / "assets" / name)
    return navigation(site)


def navigation(site: Assembly) -> list[Any]:
    """The navigation of MkDocs: the sections of contents.py, with the generated pages in their places."""
    nav: dict[str, list[Any]] = {
        section: [page if title is None else {title: page} for title, page, _ in pages]
        for section, pages in SECTIONS.items()
    }
    lessons, codes = nav["Tutorials"].pop(), nav["Reference"].pop(1)
    all_lessons = [f"lessons/{folder.name}.md" for folder in generate.lesson_folders()]
    nav["Tutorials"].append({"The course": [lessons["The course"], *all_lessons]})
    all_codes = [
        {generate.code_title(path): f"codes/{path.name}"}
        for path in sorted(generate.CODES.glob("*.md"))
    ]
    nav["Reference"] += [
        {"Codes": [codes["Codes"], *all_codes]},
        {"Command line": "reference/options.md"},
        {"API": [{title: generate.api_path(title)} for title in API]},
    ]
    decisions = sorted(page for page in site.paths.values() if page.startswith("decisions/"))
    packages = sorted(page for page in site.paths.values() if page.startswith("packages/"))
    nav["Explanation"] += [{"Decisions": decisions}, {"Packages": packages}]
    nav["Gallery"].insert(0, "gallery/index.md")
    nav["Explanation"].append({"Source files": sorted(f"source/{name}.md" for name in site.shown)})
    return [{"minitape": "index.md"}, *({section: pages} for section, pages in nav.items())]


def main(to: Path) -> None:
    """Build the site in a folder.

    Raises:
        SystemExit: MkDocs warned, for example of a link or an anchor that does not exist; stderr names each.
    """
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    # Only MkDocs' own command line prints its warnings.
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "pages"
        nav = assemble(pages)
        settings = load_config(
            str(HERE / "mkdocs.yml"),
            docs_dir=str(pages),
            site_dir=str(to.resolve()),
            nav=nav,
            strict=True,
        )
        settings.plugins.on_startup(command="build", dirty=False)
        build(settings)
        settings.plugins.on_shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
