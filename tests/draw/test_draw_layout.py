"""The built-in layout: cards do not overlap, edges follow the data flow, and the time is bounded."""

import math
import random
import time
from itertools import pairwise

from minitape.draw.layout.frames import lay_out_framed
from minitape.draw.layout.layout import Layout, lay_out

SIZE = (80.0, 40.0)

Edges = list[tuple[str, str]]


def laid_out(count: int, edges: Edges, **how: object) -> Layout:
    return lay_out({f"n{i}": SIZE for i in range(count)}, edges, **how)  # type: ignore[arg-type] # passed on as given


def random_edges(count: int, seed: int) -> Edges:
    chance = random.Random(seed)
    return [(f"n{chance.randrange(i)}", f"n{i}") for i in range(1, count) for _ in range(2)]


def overlaps(layout: Layout) -> list[tuple[str, str]]:
    placed = list(layout.centers.items())
    return [
        (a, b)
        for i, (a, (ax, ay)) in enumerate(placed)
        for b, (bx, by) in placed[i + 1 :]
        if abs(ax - bx) < SIZE[0] and abs(ay - by) < SIZE[1]
    ]


def test_cards_do_not_overlap_and_edges_go_down() -> None:
    for seed in range(20):
        edges = random_edges(40, seed)
        layout = laid_out(40, edges)
        assert overlaps(layout) == []
        assert all(layout.centers[tail][1] < layout.centers[head][1] for tail, head in edges)
        assert layout.bows == frozenset()


def test_everything_is_within_the_picture() -> None:
    layout = laid_out(40, random_edges(40, seed=1))
    for x, y in layout.centers.values():
        assert SIZE[0] / 2 - 1e-6 <= x <= layout.width - SIZE[0] / 2 + 1e-6
        assert SIZE[1] / 2 - 1e-6 <= y <= layout.height - SIZE[1] / 2 + 1e-6


def test_edge_goes_from_the_bottom_of_its_tail_to_the_top_of_its_head() -> None:
    edges = random_edges(30, seed=2)
    layout = laid_out(30, edges)
    for (tail, head), route in zip(edges, layout.routes, strict=True):
        for id_, (x, y), side in ((tail, route[0], 1), (head, route[-1], -1)):
            centre_x, centre_y = layout.centers[id_]
            assert abs(x - centre_x) < SIZE[0] / 2
            assert math.isclose(y, centre_y + side * SIZE[1] / 2)
        assert all(a[1] <= b[1] for a, b in pairwise(route))


def test_chain_is_a_straight_line() -> None:
    layout = laid_out(6, [(f"n{i}", f"n{i + 1}") for i in range(5)])
    assert len({x for x, _ in layout.centers.values()}) == 1


def test_horizontal_layout_is_the_vertical_layout_transposed() -> None:
    edges = random_edges(20, seed=3)
    down = lay_out({f"n{i}": (40.0, 80.0) for i in range(20)}, edges)
    right = lay_out({f"n{i}": (80.0, 40.0) for i in range(20)}, edges, rankdir="LR")
    assert right.centers == {id_: (y, x) for id_, (x, y) in down.centers.items()}
    assert (right.width, right.height) == (down.height, down.width)


def test_cycle_has_one_reversed_edge() -> None:
    layout = laid_out(4, [("n0", "n1"), ("n1", "n2"), ("n2", "n0"), ("n2", "n3")])
    assert layout.bows == {2}
    heights = [layout.centers[f"n{i}"][1] for i in range(4)]
    assert heights == sorted(heights)


def test_self_loop_and_isolated_node_are_drawn() -> None:
    layout = laid_out(3, [("n0", "n0"), ("n0", "n1")])
    assert set(layout.centers) == {"n0", "n1", "n2"}
    assert overlaps(layout) == []


def test_frame_contains_only_its_own_cards() -> None:
    for seed in range(10):
        edges = random_edges(30, seed)
        inside = {f"n{i}": "inner" if i < 14 else "outer" for i in range(8, 20)}
        inside["inner"] = "outer"
        sizes = {f"n{i}": SIZE for i in range(30)}
        layout = lay_out_framed(sizes, edges, inside, titles={"outer": 50.0, "inner": 50.0})
        assert set(layout.centers) == set(sizes)
        for frame, own in (("inner", range(8, 14)), ("outer", range(8, 20))):
            left, top, width, height = layout.boxes[frame]
            for i in range(30):
                x, y = layout.centers[f"n{i}"]
                is_in = left < x < left + width and top < y < top + height
                apart_x = abs(x - left - width / 2) - width / 2 - SIZE[0] / 2
                apart_y = abs(y - top - height / 2) - height / 2 - SIZE[1] / 2
                assert is_in == (i in own)
                assert is_in or max(apart_x, apart_y) > 0


def test_edge_into_a_frame_ends_at_its_card() -> None:
    sizes = {f"n{i}": SIZE for i in range(4)}
    edges = [("n0", "n1"), ("n1", "n2"), ("n2", "n3")]
    inside = {"n1": "loop", "n2": "loop"}
    layout = lay_out_framed(sizes, edges, inside, titles={"loop": 10.0})
    for (tail, head), route in zip(edges, layout.routes, strict=True):
        (tail_x, tail_y), (head_x, head_y) = layout.centers[tail], layout.centers[head]
        assert route[0] == (tail_x, tail_y + SIZE[1] / 2)
        assert route[-1] == (head_x, head_y - SIZE[1] / 2)


def test_edge_passes_between_the_cards_of_a_frame() -> None:
    """n0 feeds all nodes of a chain in nested frames, and the chain feeds n5. Edges run behind no cards except their own."""
    sizes = {f"n{i}": SIZE for i in range(6)}
    chain = [(f"n{i}", f"n{i + 1}") for i in range(1, 4)]
    edges = [
        *chain,
        *(("n0", f"n{i}") for i in range(1, 5)),
        *((f"n{i}", "n5") for i in range(1, 5)),
    ]
    inside = {"n1": "outer", "n2": "inner", "n3": "inner", "n4": "outer", "inner": "outer"}
    layout = lay_out_framed(sizes, edges, inside, titles={"outer": 10.0, "inner": 10.0})
    for ends, route in zip(edges, layout.routes, strict=True):
        for (x0, y0), (x1, y1) in pairwise(route):
            for id_, (x, y) in layout.centers.items():
                beside = max(x0, x1) <= x - SIZE[0] / 2 or min(x0, x1) >= x + SIZE[0] / 2
                apart = max(y0, y1) <= y - SIZE[1] / 2 or min(y0, y1) >= y + SIZE[1] / 2
                assert id_ in ends or beside or apart, (ends, id_)


def test_constants_next_to_a_chain_do_not_bend_it() -> None:
    chain = [(f"n{i}", f"n{i + 1}") for i in range(50)]
    layout = laid_out(101, [*chain, *((f"n{i + 50}", f"n{i}") for i in range(1, 51))])
    xs = [layout.centers[f"n{i}"][0] for i in range(1, 50)]
    assert max(xs) - min(xs) < 1.0


def test_isolated_node_is_in_the_first_row() -> None:
    layout = laid_out(4, [("n0", "n1"), ("n1", "n2")])
    assert layout.centers["n3"][1] == layout.centers["n0"][1]


def test_empty_graph_has_an_empty_layout() -> None:
    assert laid_out(0, []) == Layout({}, [], frozenset(), 0.0, 0.0)


def test_large_graphs_and_hubs_take_seconds() -> None:
    """With a bend in each row that an edge crosses, the hub alone took a minute and a half."""
    chain = [(f"n{i}", f"n{i + 1}") for i in range(1999)]
    started = time.perf_counter()
    laid_out(2000, chain + [("n0", f"n{i}") for i in range(1, 2000)])
    laid_out(2000, random_edges(2000, seed=4))
    assert time.perf_counter() - started < 20
