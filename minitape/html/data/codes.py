"""The meaning of a code in a few paragraphs: the title of its page, and the section "Why"."""

import re
from importlib import resources

_SECTION = re.compile(r"^## (.+)\n", re.M)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_ITEM = re.compile(r"- |\| |\d+\. | {4}")
_ASIDE = re.compile(r"`[a-z-]+`: |Which thresholds are whose: ")
_END = re.compile(r"(?<=[.?!])[)\"”]?(?= |$)")
_MOST = 3  # the maximum number of paragraphs


def in_short(code: str) -> list[str]:
    """Return the title of a code's page, followed by its paragraphs of prose, without programs and lists."""
    text = (
        resources.files("minitape.explain")
        .joinpath("pages", f"{code}.md")
        .read_text(encoding="utf-8")
    )
    head, *sections = _SECTION.split(text)
    title, _, opening = head.partition("\n")
    why = dict(zip(sections[::2], sections[1::2], strict=True)).get("Why", "")
    reported = [*_paragraphs(opening), *_paragraphs(why)][:_MOST]
    return [title.lstrip("# ").removeprefix(code).lstrip(": "), *reported]


def _paragraphs(text: str) -> list[str]:
    """Return the paragraphs of prose before the first program, without paragraphs about a single cause or a threshold."""
    parts = text.partition("```")[0].strip("\n").split("\n\n")
    prose = (part for part in parts if not _ITEM.match(part) and not _ASIDE.match(part))
    plain = (" ".join(_LINK.sub(r"\1", part).split()) for part in prose)
    return list(filter(None, map(_whole, plain)))


def _whole(text: str) -> str:
    """Return the text without a last sentence that only introduces a list or a program."""
    ends = [found.end() for found in _END.finditer(text)]
    return text[: ends[-1]] if ends else ""
