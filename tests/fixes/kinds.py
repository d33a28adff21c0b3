"""The kinds of fixes that have a program. Every text of the catalog is in one of the first three tables of `kinds.json`.

programs  texts that are a fix or a part of a fix, each with a program in which that fix is typed and repairs the gradient
advice    texts that only give advice, because the right fix depends on the purpose of the program
words     texts that are not part of a fix: explanations, labels and parts of sentences
rules     the rules of the fixes package, each with a program that it repairs

python tests/fixes/kinds.py SURVEY ... adds the kinds that the output of survey.py lists as repaired, and lists each text that
is not in any table.
"""

import json
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from fixes.typist import catalog_names

OF_TEXTS = ("programs", "advice", "words")
TABLES = Path(__file__).with_suffix(".json")


def tables() -> dict[str, dict[str, str]]:
    """Return the tables by their names."""
    known: dict[str, dict[str, str]] = json.loads(TABLES.read_text(encoding="utf-8"))
    return known


def main(surveys: list[str]) -> None:
    known = tables() if TABLES.exists() else {each: {} for each in (*OF_TEXTS, "rules")}
    for survey in surveys:
        for line in Path(survey).read_text(encoding="utf-8").splitlines():
            result, kinds, program, _ = [*line.split("\t"), "", "", ""][:4]
            for kind in kinds.split(",") if result == "repaired" else ():
                known["programs"].setdefault(kind, program)
                known["advice"].pop(kind, None)
                known["words"].pop(kind, None)
    names = set(catalog_names().values())
    of_texts = [known[each] for each in OF_TEXTS]
    for table in of_texts:
        for gone in set(table) - names:
            del table[gone]
    print(*sorted(names - set().union(*of_texts)), sep="\n")
    text = {name: dict(sorted(table.items())) for name, table in known.items()}
    TABLES.write_text(json.dumps(text, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
