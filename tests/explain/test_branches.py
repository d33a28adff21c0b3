"""Branches in the text of the program, and methods that a subclass overrides."""

from minitape.explain.flow.program.branches import branches_of, key_at, taken_apart
from minitape.explain.flow.program.functions import overrides_of


def test_branch_has_its_names_and_lines() -> None:
    body, other = branches_of("if x > 0:\n    y = 2 * w\nelse:\n    y = self.gate * t['leak']\n")
    assert (body.line, body.reads) == (1, {"w": 2})
    assert other.reads == {"self": 4, ".gate": 4, "t": 4, "['leak']": 4}
    assert body.holds(2, 4)
    assert not body.holds(4, 4)


def test_code_after_a_return_is_a_branch() -> None:
    early = "def f(x):\n    if x > 0:\n        return x\n    return w * x\n"
    assert [(each.line, each.function, "w" in each.reads) for each in branches_of(early)] == [
        (2, "f", False),
        (2, "f", True),
    ]


def test_both_sides_of_a_conditional_expression_are_branches() -> None:
    assert [list(each.reads) for each in branches_of("y = a if x > 0 else b")] == [["a"], ["b"]]


def test_name_of_a_dictionary_entry_or_an_unpacked_part() -> None:
    assert key_at('t = {"a": f(1), "b": f(2)}', 1, 21) == "b"
    assert list(taken_apart("offset, gain = parts\n", "parts", 1)) == ["gain"]


def test_overriding_method_without_a_call_of_its_parents() -> None:
    parent = "class A:\n    def f(self, x):\n        return self.u(x) + self.v(x)\n"
    child = "class B(A):\n    def f(self, x):\n        h = self.u(x)\n        return h\n"
    asks = "class B(A):\n    def f(self, x):\n        return super().f(x)\n"
    (found,) = overrides_of(parent + child)
    assert (found.name, found.base, found.attribute, found.line) == ("B.f", "A.f", "v", 6)
    assert overrides_of(parent + asks) == ()
