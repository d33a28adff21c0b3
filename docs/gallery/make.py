"""Take screenshots of the HTML pages of the programs in `programs/`: `python docs/gallery/make.py [NAME ...]`.

Each page is shown 1400 and 900 pixels wide, light and dark, as WebP. Needs playwright, Pillow (`pip install -e ".[dev]"`)
and Chromium.
"""

import io
import shutil
import sys
import tempfile
from pathlib import Path

from pages import HERE, PROGRAMS, page_of  # beside this file
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

HEIGHTS = {1400: 860, 900: 1100}

_NAMES = {"→": "ArrowRight"}


def main() -> None:
    """Write the screenshots, and the README that lists them."""
    wanted = sys.argv[1:] or [*PROGRAMS]
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        for name in wanted:
            file = Path(folder) / f"{name}.html"
            file.write_text(page_of(name), encoding="utf-8")
            for width in HEIGHTS:
                for theme in ("light", "dark"):
                    photograph(browser, file, name, width, theme)
        browser.close()
    (HERE / "README.md").write_text(overview(), encoding="utf-8")


def photograph(browser: Browser, file: Path, name: str, width: int, theme: str) -> None:
    """Open a page, press the keys of the program, and save a screenshot."""
    size = {"width": width, "height": HEIGHTS[width]}
    context = browser.new_context(viewport=size, color_scheme=theme)
    tab = context.new_page()
    tab.goto(file.as_uri())
    for key in PROGRAMS[name][1].split():
        tab.keyboard.press(_NAMES.get(key, key))
    tab.wait_for_timeout(400)  # until transitions have finished
    image = Image.open(io.BytesIO(tab.screenshot()))
    image.save(HERE / f"{name}.{width}.{theme}.webp", quality=82, method=6)
    context.close()


def overview() -> str:
    """The text of the README: all screenshots, in the order of `PROGRAMS`."""
    parts = [
        "# Gallery of HTML pages\n\n"
        "`python docs/gallery/make.py` runs the programs in [programs](programs), and writes this page and its screenshots.\n"
    ]
    for name, (title, _) in PROGRAMS.items():
        parts.append(
            f"\n## {title}\n\n[{name}.py](programs/{name}.py)\n\n"
            + "\n".join(
                f"![{title}, {width} pixels wide, {theme}]({name}.{width}.{theme}.webp)"
                for width in HEIGHTS
                for theme in ("light", "dark")
            )
            + "\n"
        )
    return "".join(parts)


if __name__ == "__main__":
    main()
