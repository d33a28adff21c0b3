"""The language of all texts: plain words, and the terms of the glossary."""

import re
from pathlib import Path

import pytest
from all_texts import ROOT, Text, prose, texts
from banned_words import BANNED
from spellchecker import SpellChecker

pytestmark = pytest.mark.xdist_group("words")  # the texts are read once

# A word in prose, and no part of a name, a path, an option or a placeholder.
_WORD = re.compile(r"(?<![\w.\-/\\<>{}%@:`'\"=\[(])[a-z]{3,}(?![\w\-/\\<>}%@=(\[_`'\"]|\.\w)")
_NOT_PROSE = re.compile(r"https?:\S+|\{[^}]*\}|^ *(>>>|\.\.\.).*$", re.MULTILINE)
_SENTENCE = re.compile(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}")


@pytest.fixture(scope="module")
def all_texts() -> list[Text]:
    return list(texts())


def test_texts_have_no_banned_word(all_texts: list[Text]) -> None:
    words = [prose(text) for text in all_texts]
    everything = "\n\0\n".join(words)
    occurring = [banned for banned in BANNED if banned.pattern.search(everything)]
    found = [
        f"{text.path}:{text.line}: {hit[0]!r}; write: {banned.instead}"
        for text, its_words in zip(all_texts, words, strict=True)
        for banned in occurring
        if not any(part in text.path for part in banned.excepted)
        for hit in banned.pattern.finditer(its_words)
    ]
    assert found == []


def test_every_word_is_in_a_dictionary_or_the_glossary(all_texts: list[Text]) -> None:
    """What is neither has to be learned before one can follow the text."""
    glossary = (ROOT / "docs/glossary.md").read_text(encoding="utf-8").lower()
    computing = (Path(__file__).parent / "computing.txt").read_text(encoding="utf-8")
    known = {*re.findall(r"[a-z]+", glossary), *computing.split()}
    places: dict[str, str] = {}
    for text in all_texts:
        if Path(text.path).suffix not in (".py", ".md"):
            continue
        words = _NOT_PROSE.sub("", prose(text))
        if text.path.endswith(".py") and not _SENTENCE.search(words):
            continue
        for word in _WORD.findall(words):
            places.setdefault(word, f"{text.path}:{text.line}")
    unknown = SpellChecker(language="en").unknown(set(places) - known)
    assert {word: places[word] for word in sorted(unknown)} == {}


def test_computing_word_list_contains_no_banned_word() -> None:
    computing = (Path(__file__).parent / "computing.txt").read_text(encoding="utf-8")
    assert [banned for banned in BANNED if banned.pattern.search(computing)] == []


def test_banned_word_is_found_in_prose_and_not_in_code() -> None:
    reported = next(banned for banned in BANNED if banned.pattern.search("told"))
    assert reported.pattern.search(prose(Text("a.md", 1, "what it told us")))
    assert not reported.pattern.search(prose(Text("a.md", 1, "the event `told` is emitted")))
