"""Print the lowest version of each dependency that pyproject.toml admits, as requirements for pip.

pip install $(python .ci/lowest.py)
"""

import re
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def lowest(requirements: list[str]) -> list[str]:
    """Return `name==version` for each requirement `name>=version`; environment markers are dropped.

    Raises:
        ValueError: a requirement has no lower bound.
    """
    pins = []
    for requirement in requirements:
        found = re.match(r"([\w-]+)>=([\d.]+)", requirement)
        if found is None:
            raise ValueError(f"{requirement!r} has no lower bound")
        pins.append(f"{found[1]}=={found[2]}")
    return pins


if __name__ == "__main__":
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    # graphviz-pure has wheels for some platforms only, so its marker decides; pip installs it with the wheel of minitape.
    print(*lowest([each for each in project["dependencies"] if ";" not in each]))
