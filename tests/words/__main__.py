"""Lists each banned word: `python tests/words [PATH ...]`."""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from all_texts import prose, texts
from banned_words import BANNED


def main(paths: list[str]) -> None:
    """Print `path:line: what was found -> what to write instead`, and how often each word occurs."""
    counted: Counter[str] = Counter()
    seen = set()
    for text in texts():
        if paths and not text.path.startswith(tuple(paths)):
            continue
        words = prose(text)
        for banned in BANNED:
            if any(part in text.path for part in banned.excepted):
                continue
            for found in banned.pattern.finditer(words):
                line = text.line + words.count("\n", 0, found.start())
                place = (text.path, line, found[0])
                if place not in seen:
                    seen.add(place)
                    counted[banned.instead] += 1
                    if paths:
                        print(f"{text.path}:{line}: {found[0]!r} -> {banned.instead}")
    for instead, count in counted.most_common():
        print(f"{count:6} {instead}")
    print(f"{counted.total():6} in all")


main(sys.argv[1:])
