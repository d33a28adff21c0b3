"""The generated parts of the pages match the code; `--update` writes them again."""

import pytest
from docs.generated import ROOT, TABLES, wanted


def test_generated_pages_are_up_to_date(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update"):
        for name, text in wanted():
            (ROOT / name).write_text(text, encoding="utf-8")
    stale = [
        name
        for name, text in wanted()
        if not (ROOT / name).exists() or (ROOT / name).read_text(encoding="utf-8") != text
    ]
    assert stale == [], "python -m pytest tests/docs --update"


@pytest.mark.parametrize("page", TABLES)
def test_each_table_has_its_markers_on_a_page(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert text.count("<!-- made of ") == text.count("<!-- end -->") == 1
