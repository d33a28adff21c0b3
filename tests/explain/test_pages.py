"""The page of each code is complete and readable in a terminal, and its scripts behave as described.

A page's scripts are marked in their first line: `# broken`, or `# broken: slug` if a code has several causes, shows the mistake;
`# fixed` is the same script with the fix.
"""

import io
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from traced import run

import minitape
import minitape_cli
from minitape.explain.causes import CAUSES, Cause
from minitape.explain.causes.tapes import differs_compiled
from minitape.explain.explain import explain
from minitape.explain.notes import KINDS, NoteKind
from minitape.run.outcome import Run
from minitape.trace.events import ResultEvent

_PACKAGES = [Path(package.__file__).parent for package in (minitape, minitape_cli)]
_PAGES = {
    page.stem: page.read_text(encoding="utf-8")
    for page in sorted((_PACKAGES[0] / "explain" / "pages").iterdir())
}
# The warning of a broken script that requests the gradient of an integer; TensorFlow only logs it.
pytestmark = pytest.mark.filterwarnings("ignore:Integers and booleans have no gradient")


@dataclass(frozen=True)
class Script:
    """A fenced script of a page; `slug` is the cause that must be found in a broken script."""

    code: str
    number: int
    is_broken: bool
    slug: str | None
    text: str

    def __str__(self) -> str:
        kind = f"broken-{self.slug}" if self.slug else "broken" if self.is_broken else "fixed"
        return f"{self.code}-{self.number}-{kind}"


def _slugs_of(code: str) -> list[str]:
    return [each.slug for each in (*CAUSES.values(), *KINDS.values()) if each.code == code]


def _scripts_of(code: str) -> list[Script]:
    scripts = []
    for number, text in enumerate(re.findall(r"^```python\n(.*?)^```$", _PAGES[code], re.M | re.S)):
        mark, _, slug = text.partition("\n")[0].removeprefix("# ").partition(": ")
        assert mark in ("broken", "fixed"), f"{code}: a script without a mark: {mark}"
        slugs = _slugs_of(code)
        if mark == "broken" and not slug and slugs:
            (slug,) = slugs
        scripts.append(Script(code, number, mark == "broken", slug or None, text))
    return scripts


def _promised(script: Script) -> list[float | None]:
    """The numbers that the comment at a script's end promises, such as `# [5.0, None]`."""
    last = script.text.splitlines()[-1]
    words = re.findall(r"None|nan|-?inf|-?\d+\.\d+", last.partition("  # ")[2])
    return [None if word == "None" else float(word) for word in words]


_SCRIPTS = [script for code in _PAGES for script in _scripts_of(code)]
_BROKEN = [script for script in _SCRIPTS if script.is_broken]
_FIXED = [script for script in _SCRIPTS if not script.is_broken]


_PROMISING = [script for script in _SCRIPTS if _promised(script)]


def _ran(script: Script, folder: Path) -> Run:
    path = folder / "script.py"
    path.write_text(script.text, encoding="utf-8")
    return run(path, on="minitape", stdout=io.StringIO())


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    used = {
        code
        for package in _PACKAGES
        for module in package.rglob("*.py")
        for code in re.findall(r"\bMT\d{3}\b", module.read_text(encoding="utf-8"))
    }
    assert set(_PAGES) == used


@pytest.mark.parametrize("code", _PAGES)
def test_page_begins_with_its_answer_and_has_all_sections(code: str) -> None:
    title, blank, answer, *_ = _PAGES[code].splitlines()
    assert re.fullmatch(rf"# {code}: \S.*", title)
    assert blank == "" and answer
    remedy = [] if _scripts_of(code) else ["What to do"]
    sections = ["What you see", "Why", *remedy, "How to be sure", "Read more"]
    assert re.findall(r"^## (.+)$", _PAGES[code], re.M) == sections


@pytest.mark.parametrize("code", _PAGES)
def test_page_fits_a_terminal(code: str) -> None:
    """Scripts are shown with a margin on both sides."""
    assert max(map(len, _PAGES[code].splitlines())) <= 80
    for script in _scripts_of(code):
        assert max(map(len, script.text.splitlines())) <= 78


@pytest.mark.parametrize("code", _PAGES)
def test_page_links_to_existing_pages(code: str) -> None:
    _, _, further = _PAGES[code].partition("## Read more")
    assert re.search(r"https://\S+", further)
    assert set(re.findall(r"\bMT\d{3}\b", _PAGES[code])) <= set(_PAGES)


@pytest.mark.parametrize("cause", [*CAUSES.values(), *KINDS.values()], ids=lambda cause: cause.slug)
def test_page_names_each_of_its_causes_and_notes(cause: Cause | NoteKind) -> None:
    """If a code has only one cause, the title already names it."""
    slugs = _slugs_of(cause.code)
    assert len(slugs) == 1 or f"`{cause.slug}`" in _PAGES[cause.code]


_ONLY_COMPILED = differs_compiled.code  # tests/on_tensorflow/test_compiled.py runs its scripts


@pytest.mark.parametrize(
    "code", [code for code in _PAGES if code[:3] != "MT9" and code != _ONLY_COMPILED]
)
def test_broken_script_is_followed_by_its_fix(code: str) -> None:
    """Codes from MT901 on concern the machine and the request, so no script shows them."""
    kinds = [script.is_broken for script in _scripts_of(code)]
    assert kinds
    assert kinds == [True, False] * (len(kinds) // 2)


@pytest.mark.parametrize("script", _BROKEN, ids=str)
def test_broken_script_gets_the_code_of_its_page(script: Script, tmp_path: Path) -> None:
    ran = _ran(script, tmp_path)
    if script.slug is None:
        assert ran.error is not None
        assert f"minitape explain {script.code}" in ran.error.message
        return
    report = explain(ran.trace)
    if script.slug in KINDS:
        assert report.ok
        assert [(note.code, note.slug) for note in report.notes] == [(script.code, script.slug)]
        return
    sources = [source for call in report.calls for source in call.sources]
    first = {(each.findings[0].code, each.findings[0].slug) for each in sources if each.findings}
    assert first == {(script.code, script.slug)}


@pytest.mark.parametrize("script", _FIXED, ids=str)
def test_fixed_script_gets_all_its_gradients(script: Script, tmp_path: Path) -> None:
    ran = _ran(script, tmp_path)
    assert ran.error is None
    report = explain(ran.trace)
    sources = [source for call in report.calls for source in call.sources]
    assert [source.findings for source in sources if source.findings] == []
    assert report.notes == ()
    gradients = [result.numbers for result in ran.trace.of(ResultEvent)]
    assert gradients and None not in gradients


@pytest.mark.parametrize("script", _PROMISING, ids=str)
def test_script_returns_the_gradient_in_its_comment(script: Script, tmp_path: Path) -> None:
    """The pages show at most three decimals."""
    results = _ran(script, tmp_path).trace.of(ResultEvent)
    given = [
        number
        for result in results
        if result.call == results[-1].call
        for number in ([None] if result.numbers is None else np.ravel(result.numbers.data))
    ]
    promised = _promised(script)
    assert [each is None for each in given] == [each is None for each in promised]
    np.testing.assert_allclose(
        [each for each in given if each is not None],
        [each for each in promised if each is not None],
        atol=6e-4,
    )
