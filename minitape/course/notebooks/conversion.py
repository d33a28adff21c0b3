"""Converts a script with `# %%` marks to a notebook with the same text.

    notebook   a script → the notebook as data (nbformat 4.5)
    cells      the cells of a script, as (is code, text)

Source: https://nbformat.readthedocs.io/en/latest/format_description.html
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

_CHECK = "%load_ext minitape\n%check {name}"
_MARK = re.compile(r"^# %%(.*)$", re.MULTILINE)


def notebook(script: str, check: str | None = None) -> dict[str, Any]:
    """Return the notebook for a script, as data; the same script always returns the same notebook.

    Args:
        script: The text of the script.
        check: The name of an exercise; the notebook then ends with a cell that checks it.
    """
    made = []
    checking = [] if check is None else [(True, _CHECK.format(name=check))]
    for number, (is_code, text) in enumerate((*cells(script), *checking)):
        identity = hashlib.sha256(f"{number}:{text}".encode()).hexdigest()[:8]
        cell: dict[str, Any] = {"id": identity, "metadata": {}, "source": text}
        if is_code:
            cell |= {"cell_type": "code", "execution_count": None, "outputs": []}
        else:
            cell |= {"cell_type": "markdown"}
        made.append(cell)
    language = {"name": "python"}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": made,
        "metadata": {"kernelspec": kernel, "language_info": language},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def cells(script: str) -> list[tuple[bool, str]]:
    """Return the cells of a script, as (is code, text); the text before the first mark is a code cell."""
    marks = list(_MARK.finditer(script))
    ends = [*(mark.start() for mark in marks[1:]), len(script)] if marks else []
    first = script[: marks[0].start()] if marks else script
    found = [(True, first.strip("\n"))]
    for mark, end in zip(marks, ends, strict=True):
        text = script[mark.end() : end].strip("\n")
        is_code = "[markdown]" not in mark[1]
        found.append((is_code, text if is_code else re.sub(r"^# ?", "", text, flags=re.MULTILINE)))
    return [(is_code, text) for is_code, text in found if text.strip()]
