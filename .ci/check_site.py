"""Check pages of the built site with axe-core in Chromium: `python .ci/check_site.py FOLDER`.

Every eighth page is opened, others each day, 1400 and 360 pixels wide, light and dark. A serious or critical violation, or a page
that is wider than its window, ends with exit code 1. tests/browser/test_gallery.py checks the embedded pages of the gallery.
"""

import shutil
import sys
import time
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, sync_playwright

ONE_IN = 8
VIEWS = ((1400, "light"), (1400, "dark"), (360, "light"))
AXE = """axe.run(document, {iframes: false}).then((result) => result.violations
    .filter((each) => ["serious", "critical"].includes(each.impact))
    .map((each) => each.id + ": " + each.nodes[0].html.slice(0, 200)))"""
SPILL = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def main(site: Path) -> int:
    """Return the exit code."""
    day = int(time.time() // 86400)
    pages = [each for each in sorted(site.rglob("*.html")) if each.name != "404.html"]
    chosen = pages[day % ONE_IN :: ONE_IN]
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        for width, scheme in VIEWS:
            context = browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
            )
            tab = context.new_page()
            for page in chosen:
                where = f"{page.relative_to(site)} ({width}, {scheme})"
                found += [f"{where}: {each}" for each in _faults(tab, page)]
            context.close()
        browser.close()
    print(f"{len(chosen)} of {len(pages)} pages checked, {len(found)} violations", *found, sep="\n")
    return 1 if found else 0


def _faults(tab: Page, page: Path) -> list[str]:
    tab.goto(page.as_uri())
    tab.evaluate(f"{AXE_SCRIPT}; undefined")
    faults: list[str] = tab.evaluate(AXE)
    spill = tab.evaluate(SPILL)
    return [*faults, *([f"{spill} pixels too wide"] if spill > 1 else [])]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
