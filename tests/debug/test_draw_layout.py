"""The built-in layout: cards do not overlap, edges run with the stream, and nothing takes long."""

import math
import random
import time
from itertools import pairwise

from minitape.debug.draw.layout import Layout, lay_out

SIZE = (80.0, 40.0)

Edges = list[tuple[str, str]]


def laid_out(count: int, edges: Edges, **how: object) -> Layout:
    return lay_out({f"n{i}": SIZE for i in range(count)}, edges, **how)  # type: ignore[arg-type] # passed on as given


def random_edges(count: int, seed: int) -> Edges:
    chance = random.Random(seed)
    return [(f"n{chance.randrange(i)}", f"n{i}") for i in range(1, count) for _ in range(2)]


def overlaps(layout: Layout) -> list[tuple[str, str]]:
    placed = list(layout.centres.items())
    return [
        (a, b)
        for i, (a, (ax, ay)) in enumerate(placed)
        for b, (bx, by) in placed[i + 1 :]
        if abs(ax - bx) < SIZE[0] and abs(ay - by) < SIZE[1]
    ]


def test_cards_do_not_overlap_and_edges_run_down() -> None:
    for seed in range(20):
        edges = random_edges(40, seed)
        layout = laid_out(40, edges)
        assert overlaps(layout) == []
        assert all(layout.centres[tail][1] < layout.centres[head][1] for tail, head in edges)
        assert layout.bows == frozenset()


def test_all_lies_within_the_picture() -> None:
    layout = laid_out(40, random_edges(40, seed=1))
    for x, y in layout.centres.values():
        assert SIZE[0] / 2 - 1e-6 <= x <= layout.width - SIZE[0] / 2 + 1e-6
        assert SIZE[1] / 2 - 1e-6 <= y <= layout.height - SIZE[1] / 2 + 1e-6


def test_an_edge_leaves_the_bottom_of_its_tail_and_reaches_the_top_of_its_head() -> None:
    edges = random_edges(30, seed=2)
    layout = laid_out(30, edges)
    for (tail, head), route in zip(edges, layout.routes, strict=True):
        for id_, (x, y), side in ((tail, route[0], 1), (head, route[-1], -1)):
            centre_x, centre_y = layout.centres[id_]
            assert abs(x - centre_x) < SIZE[0] / 2
            assert math.isclose(y, centre_y + side * SIZE[1] / 2)
        assert all(a[1] <= b[1] for a, b in pairwise(route))


def test_a_chain_is_a_straight_line() -> None:
    layout = laid_out(6, [(f"n{i}", f"n{i + 1}") for i in range(5)])
    assert len({x for x, _ in layout.centres.values()}) == 1


def test_to_the_right_is_downwards_turned() -> None:
    edges = random_edges(20, seed=3)
    down = lay_out({f"n{i}": (40.0, 80.0) for i in range(20)}, edges)
    right = lay_out({f"n{i}": (80.0, 40.0) for i in range(20)}, edges, rankdir="LR")
    assert right.centres == {id_: (y, x) for id_, (x, y) in down.centres.items()}
    assert (right.width, right.height) == (down.height, down.width)


def test_a_circle_costs_one_edge_against_the_stream() -> None:
    layout = laid_out(4, [("n0", "n1"), ("n1", "n2"), ("n2", "n0"), ("n2", "n3")])
    assert layout.bows == {2}
    heights = [layout.centres[f"n{i}"][1] for i in range(4)]
    assert heights == sorted(heights)


def test_an_edge_to_itself_and_a_node_without_edges_are_drawn() -> None:
    layout = laid_out(3, [("n0", "n0"), ("n0", "n1")])
    assert set(layout.centres) == {"n0", "n1", "n2"}
    assert overlaps(layout) == []


def test_what_is_meant_to_run_back_does_not_count() -> None:
    edges = [("n0", "n1"), ("n1", "n2"), ("n2", "n0")]
    layout = lay_out(dict.fromkeys(["n2", "n1", "n0"], SIZE), edges, backward={2})
    assert layout.bows == {2}
    beside = max(x for x, _ in layout.routes[2])
    assert all(x + SIZE[0] / 2 < beside <= layout.width for x, _ in layout.centres.values())


def test_nothing_is_laid_out_as_nothing() -> None:
    assert laid_out(0, []) == Layout({}, [], frozenset(), 0.0, 0.0)


def test_large_graphs_and_hubs_take_seconds_not_minutes() -> None:
    """With a bend in each row that an edge crosses, the hub alone took a minute and a half."""
    chain = [(f"n{i}", f"n{i + 1}") for i in range(1999)]
    started = time.perf_counter()
    laid_out(2000, chain + [("n0", f"n{i}") for i in range(1, 2000)])
    laid_out(2000, random_edges(2000, seed=4))
    assert time.perf_counter() - started < 20
