"""For tensors with more than 64 elements, a trace stores the elements or the means of blocks, up to a limit."""

import numpy as np
import pytest
from msgspec import convert
from traced import traced

from minitape.trace import elements, events
from minitape.trace.events import Numbers
from minitape.tracer import packing
from minitape.tracer.packing import Packing
from minitape.tracer.summary import summarize

LOOP = """
w = tf.Variable(np.ones((10, 10), np.float32))
for _ in range(20):
    with tf.GradientTape() as tape:
        y = w * w + w
    w.assign_sub(0.1 * tape.gradient(y, w))
"""


def reported(values: np.ndarray) -> Numbers:
    """The numbers of a tensor, as stored in a trace that is far below its limits."""
    summary = summarize(values, 1, "x", str(values.dtype), Packing(lambda: 0))
    return convert(summary, Numbers)


@pytest.mark.parametrize("size, is_packed", [(64, False), (65, True), (4096, True), (4097, False)])
def test_elements_are_packed_between_two_sizes(size, is_packed) -> None:
    assert (reported(np.ones(size, np.float32)).packed is not None) is is_packed


def test_elements_without_fixed_size_are_not_packed() -> None:
    texts = summarize(np.array([b"a"] * 100, object), 1, None, "string", Packing(lambda: 0))
    assert "packed" not in texts
    assert reported(np.ones(100, np.longdouble)).packed is None


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.bool_, np.complex64])
@pytest.mark.parametrize(
    "shape", [(64, 128), (100, 200), (127, 401), (20_000, 3), (3, 5000), (5, 10, 11, 13)]
)
def test_blocks_hold_means_of_parts_of_a_matrix(shape, dtype) -> None:
    """All axes except the last are rows. A mean is stored with two digits."""
    values = (np.random.default_rng(0).normal(size=shape) * 100).astype(dtype)
    blocks = reported(values).blocks
    table = np.abs(values) if dtype is np.complex64 else values
    table = table.reshape(-1, shape[-1]).astype(np.float64)
    rows, columns = table.shape
    means = [
        [
            table[
                i * rows // blocks.rows : (i + 1) * rows // blocks.rows,
                j * columns // blocks.columns : (j + 1) * columns // blocks.columns,
            ].mean()
            for j in range(blocks.columns)
        ]
        for i in range(blocks.rows)
    ]
    assert (blocks.rows, blocks.columns) == (min(rows, 16), min(columns, 16))
    np.testing.assert_allclose(elements.means(blocks), means, rtol=2**-7, atol=1e-5)
    assert table.flat[blocks.least] == table.min()
    assert table.flat[blocks.most] == table.max()


def test_block_with_nan_has_no_mean_and_extremes_are_finite() -> None:
    values = np.zeros((100, 100), np.float32)
    values[0, 0], values[99, 0], values[50, 50], values[60, 60] = np.nan, np.inf, -3.0, 5.0
    blocks = reported(values).blocks
    means = np.array(elements.means(blocks))
    assert np.isnan(means[0, 0])
    assert np.isposinf(means[15, 0])
    assert (blocks.least, blocks.most) == (5050, 6060)
    assert reported(np.full((100, 100), np.nan)).blocks.least is None


def test_narrow_or_unrepresentable_tensor_has_no_blocks() -> None:
    for values in (np.ones(5000), np.ones((5000, 1)), np.ones((1, 5000)), np.full((99, 99), 1e200)):
        assert reported(values).blocks is None


def test_mean_of_a_million_equal_rows_is_accurate() -> None:
    """Added one after another in float32, the result would be too large by one percent."""
    blocks = reported(np.full((100_003, 16), 0.1, np.float32)).blocks
    np.testing.assert_allclose(elements.means(blocks), 0.1, rtol=2**-7)


def test_packing_stops_at_the_limit_and_records_where(monkeypatch, tmp_path) -> None:
    """Repeated tensors count too, because the limit is for the text of the trace."""
    monkeypatch.setattr(packing, "CHARACTER_LIMIT", 20_000)
    trace = traced(LOOP, tmp_path).trace
    ended = trace.events[-1].packed_until
    texts = [(event.i, each.packed) for event in trace for each in _tensors(event)]
    assert {i for i, packed in texts if packed is None} == {i for i, _ in texts if i >= ended}
    kept = sum(len(packed) for _, packed in texts if packed is not None)
    assert 19_000 < kept <= 20_000 + 4 * len(texts)


def test_small_program_packs_all_tensors(tmp_path) -> None:
    trace = traced(LOOP, tmp_path).trace
    assert trace.events[-1].packed_until is None
    assert all(each.packed is not None for event in trace for each in _tensors(event))


def _tensors(event: events.Event) -> list[Numbers]:
    """The tensors of 100 elements in an event."""
    reported = [getattr(event, "numbers", None), getattr(event, "arrived", None)]
    reported += getattr(event, "outputs", [])
    for share in getattr(event, "sent", []):
        reported += [share.numbers, share.total]
    return [each for each in reported if each is not None and each.size == 100]


# --- the first example of a batch of images ---


@pytest.mark.parametrize(
    ("shape", "stored"),
    [
        ((16, 28, 28, 1), (28, 28, 1, 1)),
        ((16, 26, 26, 8), (26, 26, 4, 1)),
        ((2, 64, 96, 3), (16, 24, 3, 4)),
        ((1, 29, 200, 2), (4, 25, 2, 8)),
    ],
)
def test_maps_are_the_first_example(
    shape: tuple[int, ...], stored: tuple[int, int, int, int]
) -> None:
    values = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    tensor = reported(values)
    maps = tensor.maps
    assert maps is not None and elements.fault(tensor) is None
    assert (maps.rows, maps.columns, maps.channels, maps.stride) == stored
    expected = values[0, :: maps.stride, :: maps.stride, : maps.channels].reshape(-1)
    assert elements.map_values(maps) == pytest.approx(expected.tolist(), rel=2**-7)


@pytest.mark.parametrize("shape", [(100, 100), (20, 30, 40), (50, 3, 40, 8), (2, 8, 8, 8, 9)])
def test_tensor_that_is_not_a_batch_of_images_has_no_maps(shape: tuple[int, ...]) -> None:
    assert reported(np.ones(shape, np.float32)).maps is None
    assert reported(np.ones((16, 26, 26, 8), np.complex64)).maps is None


def test_maps_stop_before_blocks_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MAP_CHARACTER_LIMIT", 20_000)
    room = Packing(lambda: 0)
    values = np.ones((16, 26, 26, 8), np.float32)
    made = [summarize(values, 1, "x", "float32", room) for _ in range(4)]
    assert ["maps" in each for each in made] == [True, True, False, False]
    assert all("blocks" in each for each in made)


def test_repeated_maps_count_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of the format applies to the text of a trace, and a gradient that is passed on is written several times."""
    monkeypatch.setattr(packing, "MAP_CHARACTER_LIMIT", 20_000)
    space = Packing(lambda: 0)
    first = summarize(np.ones((16, 26, 26, 8), np.float32), 1, "x", "float32", space)
    written = [first, *(space.again(first) for _ in range(3))]
    assert ["maps" in each for each in written] == [True, True, False, False]
    assert sum(len(each["maps"]["values"]) for each in written if "maps" in each) <= 20_000
    assert all("blocks" in each for each in written)
