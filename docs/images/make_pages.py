"""Take the screenshots of `minitape html` in this folder: `python docs/images/make_pages.py`.

Needs playwright (`pip install minitape[browser]`) and Chromium, installed in the system. The programs are those of `make.py`.
"""

import shutil
import tempfile
from pathlib import Path

from make import BROKEN, HEALTHY, LOOP
from playwright.sync_api import Browser, sync_playwright

from minitape.explain.explain import explain
from minitape.html import page
from minitape.run.options import RunOptions
from minitape.run.process import run
from minitape.run.program import of_file
from minitape.terms import described

HERE = Path(__file__).parent

# For each file: the program, the keys that lead to the step, and the theme.
PAGES: dict[str, tuple[str, str, str]] = {
    "page-forward": (HEALTHY, "f →→→→→→", "light"),
    "page-backward": (HEALTHY, "b →→→", "light"),
    "page-broken": (BROKEN, "n", "light"),
    "page-rolled-loop": (LOOP, "b →→→→", "light"),
    "page-dark": (HEALTHY, "b →→→", "dark"),
}
_NAMES = {"→": "ArrowRight"}


def main() -> None:
    """Write each screenshot."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (code, keys, theme) in PAGES.items():
            script = Path(folder) / "train.py"
            script.write_text(code, encoding="utf-8")
            trace = run(of_file(script), run_options=RunOptions(on="minitape")).trace
            file = Path(folder) / f"{name}.html"
            file.write_text(
                page(trace, explain(trace), expansions=described, theme=theme), encoding="utf-8"
            )
            photograph(browser, file, keys.replace(" ", ""), HERE / f"{name}.png")
        browser.close()


def photograph(browser: Browser, file: Path, keys: str, to: Path) -> None:
    """Open a page, press keys, and save a screenshot."""
    tab = browser.new_page(viewport={"width": 1280, "height": 760})
    tab.goto(file.as_uri())
    for key in keys:
        tab.keyboard.press(_NAMES.get(key, key))
    tab.wait_for_timeout(400)  # until transitions have finished
    tab.screenshot(path=to)
    tab.close()


if __name__ == "__main__":
    main()
