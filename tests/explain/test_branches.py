"""What the program's text says of its branches, and of the methods that a subclass replaces."""

from minitape.explain.flow.program.branches import branches_of, key_at, taken_apart
from minitape.explain.flow.program.functions import overrides_of


def test_a_branch_tells_what_it_reads_and_where() -> None:
    body, other = branches_of("if x > 0:\n    y = 2 * w\nelse:\n    y = self.gate * t['leak']\n")
    assert (body.line, body.reads) == (1, {"w": 2})
    assert other.reads == {"self": 4, ".gate": 4, "t": 4, "['leak']": 4}
    assert body.holds(2, 4)
    assert not body.holds(4, 4)


def test_what_comes_after_a_return_is_a_branch_too() -> None:
    early = "def f(x):\n    if x > 0:\n        return x\n    return w * x\n"
    assert [(each.line, each.function, "w" in each.reads) for each in branches_of(early)] == [
        (2, "f", False),
        (2, "f", True),
    ]


def test_both_sides_of_an_expression_are_branches() -> None:
    assert [list(each.reads) for each in branches_of("y = a if x > 0 else b")] == [["a"], ["b"]]


def test_what_a_thing_is_called_elsewhere() -> None:
    assert key_at('t = {"a": f(1), "b": f(2)}', 1, 21) == "b"
    assert list(taken_apart("offset, gain = parts\n", "parts", 1)) == ["gain"]


def test_a_method_that_leaves_out_what_its_parents_uses() -> None:
    parent = "class A:\n    def f(self, x):\n        return self.u(x) + self.v(x)\n"
    child = "class B(A):\n    def f(self, x):\n        h = self.u(x)\n        return h\n"
    asks = "class B(A):\n    def f(self, x):\n        return super().f(x)\n"
    (found,) = overrides_of(parent + child)
    assert (found.name, found.base, found.attribute, found.line) == ("B.f", "A.f", "v", 6)
    assert overrides_of(parent + asks) == ()
