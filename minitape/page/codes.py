"""What a code means, in a few paragraphs: the title of its page, and why it happens."""

import re
from importlib import resources

_SECTION = re.compile(r"^## (.+)\n", re.M)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_MOST = 3  # paragraphs


def in_short(code: str) -> list[str]:
    """The title of a code's page, then paragraphs without markup; programs and lists stay on the page."""
    text = (
        resources.files("minitape.explain")
        .joinpath("pages", f"{code}.md")
        .read_text(encoding="utf-8")
    )
    head, *sections = _SECTION.split(text)
    title, _, opening = head.partition("\n")
    why = dict(zip(sections[::2], sections[1::2], strict=True)).get("Why", "")
    told = [*_paragraphs(opening), *_paragraphs(why)][:_MOST]
    return [title.lstrip("# ").removeprefix(code).lstrip(": "), *told]


def _paragraphs(text: str) -> list[str]:
    """The paragraphs of prose before the first program."""
    parts = text.partition("```")[0].split("\n\n")
    plain = (" ".join(_LINK.sub(r"\1", part).replace("**", "").split()) for part in parts)
    return [part for part in plain if part and not part.startswith(("- ", "| "))]
