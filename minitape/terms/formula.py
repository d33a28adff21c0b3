"""The factor by which an op multiplies a cotangent, as a formula from the op's own gradient rule.

The rule `x̄ = ȳ·(1 - y²)` holds for every element, so the factor for element [0,1] is `1 - y[0,1]²`. Only an elementwise op
whose rule is a product has such a formula. If the rule states *where* ȳ passes, the factor is a number without a formula.
"""

import re
from collections.abc import Callable

# In rules, a single input is called `x`, and several inputs are called `a`, `b`, ...; these ops use other letters.
_LETTERS = {"Polygamma": "nx", "Zeta": "sq", "Igamma": "ax", "Igammac": "ax", "Betainc": "abx"}
_OF_TWO = {"Xdivy": "xy", "Xlogy": "xy", "Xlog1py": "xy"}  # the output is z
_RAISED = {"ᵃ": "a", "ᵇ": "b"}
_BAR = "\u0304"
_WORDS = re.compile(r"\b(where|above|below|times|else|as|for|the|over)\b")


def formula(op: str, rule: str, position: int, count: int, named: Callable[[str], str]) -> str:
    """Return the factor for the input at `position`, with names in place of letters; empty if the rule is not a product.

    Args:
        op: The name of the op.
        rule: Its gradient rule.
        position: The input.
        count: The number of inputs.
        named: Returns the name for a letter; inputs are identified by number, the output by `y`.

    >>> formula("Tanh", "x̄ = ȳ·(1 - y²)", 0, 1, lambda each: f"{each}[0]")
    '1 - y[0]²'
    """
    letters = _LETTERS.get(op) or _OF_TWO.get(op) or ("x" if count == 1 else "abcdefgh"[:count])
    out = "z" if op in _OF_TWO else "y"
    sides = _sides(rule)
    side = sides.get(letters[position], "")
    is_negative = side == "-" + letters[0] + _BAR
    if is_negative:
        side = sides.get(letters[0], "")
    side = re.split(r", (?=and 0|as |its )", side)[0].strip()
    factor = _without_cotangent(_without_raised_letters(side), out)
    if not factor or _WORDS.search(factor):
        return ""
    if is_negative:
        factor = factor[1:] if factor.startswith("-") else f"-{factor}"
    names = {letter: named(str(number)) for number, letter in enumerate(letters)} | {
        out: named("y")
    }
    return _filled(factor, names)


def _sides(rule: str) -> dict[str, str]:
    """Return the right-hand side for each letter with a bar on the left-hand side."""
    rule = _decomposed(rule)
    clauses = re.split(r"\s{2,}", rule)
    found = (re.match(rf"([a-z]){_BAR} = (.*)$", clause) for clause in clauses)
    return {each[1]: each[2] for each in found if each}


def _decomposed(rule: str) -> str:
    """Return the text with each bar as a separate combining character, even if it was part of a letter."""
    for whole, letter in (("ā", "a"), ("ē", "e")):
        rule = rule.replace(whole, letter + _BAR)
    return rule.replace("ȳ", "y" + _BAR)


def _without_raised_letters(side: str) -> str:
    """Return the text with `^` before exponents that are letters, so that an index can follow the letter."""
    side = re.sub("([ᵃᵇ])⁻¹", lambda found: f"^({_RAISED[found[1]]} - 1)", side)
    return side.replace("⁻ˣ", "^(-x)").replace("ˣ", "^x")


def _without_cotangent(side: str, out: str) -> str:
    found = re.match(rf"(-?){out}{_BAR}(?:(·| ?/ ?)(.+))?$", side)
    if found is None or _BAR in (found[3] or ""):
        return ""
    sign, how, rest = found.groups()
    if not rest:
        return f"{sign}1"
    if "/" in how:
        return f"{sign}1/{rest}"
    is_whole = rest.startswith("(") and _closing(rest) == len(rest) - 1
    return f"{sign}{rest[1:-1] if is_whole and not sign else rest}"


def _closing(text: str) -> int:
    """Return the position of the bracket that closes the one at the start of a text."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return at
    return -1


def _filled(factor: str, names: dict[str, str]) -> str:
    """Return the text with names in place of single letters; a number before a name is multiplied by it."""

    def named(found: re.Match[str]) -> str:
        digit, letter = found.groups()
        return f"{digit}·{names[letter]}" if digit else names[letter]

    return re.sub(rf"(\d?)(?<![a-zA-Z])([{''.join(names)}])(?![a-z0-9A-Z(])", named, factor)
