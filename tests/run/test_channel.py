"""Written messages arrive completely and in order, even across segments, and even if file descriptors are closed."""

import errno
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from minitape.run import channel, messages
from minitape.run.channel import ChannelReader, Writer
from minitape.trace import events
from minitape.trace.reading import decode


def test_messages_arrive_in_order_and_once(tmp_path: Path) -> None:
    writer, reader = Writer(tmp_path), ChannelReader(tmp_path)
    writer.write(b"one")
    writer.write(b"two")
    assert list(reader.new()) == [b"one", b"two"]
    assert list(reader.new()) == []
    writer.write(b"three")
    assert list(reader.new()) == [b"three"]


@pytest.mark.parametrize("strip", [[math.inf], [1.0, math.nan], [1.0, -math.inf, 2.0]])
def test_event_keeps_nonfinite_numbers(
    strip: list[float],
) -> None:
    numbers = {"id": 1, "name": None, "shape": [9], "dtype": "float64", "n": 9, "zeros": 0}
    moments = dict.fromkeys(("min", "max", "mean", "std", "l2"))
    reported = {**numbers, **moments, "nan": 0, "inf": 0, "strip": strip}
    said = {"how": "tf.constant", "text": None, "from": None, "at": None, "stack": []}
    read = decode(messages.of_event({"i": 3, "k": "constant", "T": reported, **said}))
    assert isinstance(read, events.ConstantEvent)
    assert str(read.numbers.strip) == str(strip)


def test_messages_may_fill_many_segments_or_exceed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "SEGMENT", 200)
    writer, reader = Writer(tmp_path), ChannelReader(tmp_path)
    sent = [bytes([number]) * (number * 7) for number in range(1, 120)]
    received = []
    for each in sent:
        writer.write(each)
        received += list(reader.new())
    assert received == sent
    assert list(writer.reader().new()) == sent


def test_late_reader_receives_all_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "SEGMENT", 100)
    writer = Writer(tmp_path)
    sent = [b"x" * 30 + bytes([number]) for number in range(50)]
    for each in sent:
        writer.write(each)
    assert list(ChannelReader(tmp_path).new()) == sent


def test_messages_survive_closed_descriptors_and_a_killed_writer(
    tmp_path: Path,
) -> None:
    text = """
        import os, signal, sys
        from pathlib import Path
        from minitape.run.channel import Writer
        writer = Writer(Path(sys.argv[1]))
        os.closerange(0, 1024)
        for number in range(1000):
            writer.write(b"%d" % number)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    code = "\n".join(line.strip() for line in text.splitlines()).replace(
        "writer.write", "  writer.write"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert list(ChannelReader(tmp_path).new()) == [b"%d" % number for number in range(1000)]


def test_missing_folder_only_stops_the_writer(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "none")
    writer.write(b"nobody hears this")
    assert not writer.is_open


def test_folder_is_empty_after_reading(tmp_path: Path) -> None:
    writer, reader = Writer(tmp_path), ChannelReader(tmp_path)
    writer.write(b"one")
    list(reader.new())
    assert list(tmp_path.iterdir()) == []


def test_interrupts_are_counted_separately_from_messages(tmp_path: Path) -> None:
    writer, reader = Writer(tmp_path), ChannelReader(tmp_path)
    writer.write(b"one")
    writer.receive()
    writer.receive()
    assert list(reader.new()) == [b"one"]
    assert reader.received == 2


def test_events_and_commands_are_distinguished_and_keep_nonfinite_numbers() -> None:
    numbers = {"id": 1, "nan": 1, "inf": 0, "data": [float("nan"), 1.0]}
    event = messages.of_event({"i": 0, "k": "seed", "T": numbers})
    assert messages.is_event(event)
    assert b'"NaN"' in event
    word = messages.of_word(companion={"error": float("inf")})
    assert not messages.is_event(word)
    assert messages.word(word) == {"companion": {"error": float("inf")}}


# --- a full disk ---


def full_from(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the system refuse to create this segment and later ones."""
    made = channel.make_segment

    def make(folder: Path, which: int, size: int) -> None:
        if which >= number:
            raise OSError(errno.ENOSPC, "No space left on device")
        made(folder, which, size)

    monkeypatch.setattr(channel, "make_segment", make)


def test_full_disk_stops_events_but_not_short_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "SEGMENT", 1 << 16)
    full_from(1, monkeypatch)
    writer, reader = Writer(tmp_path), ChannelReader(tmp_path)
    for _ in range(100):
        writer.write(b"e" * 1000)
    writer.write(b"small")
    writer.write_word(b"!" * 200)
    *events, last = reader.new()
    assert reader.fault == errno.ENOSPC
    assert set(events) == {b"e" * 1000}
    assert last == b"!" * 200


def test_message_that_does_not_fit_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "SEGMENT", 100)
    full_from(1, monkeypatch)
    writer, reader = Writer(tmp_path), ChannelReader(tmp_path)
    writer.write_word(b"!" * 1000)
    writer.write_word(b"!small")
    assert list(reader.new()) == [b"!small"]


def test_segment_gets_its_name_when_it_has_all_of_its_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader may look at any time, and maps each file that has the name of a segment."""
    seen: list[list[Path]] = []
    allocate = channel._allocate

    def watched(file: int, size: int) -> None:
        seen.append(list(tmp_path.glob("segment-*")))
        allocate(file, size)

    monkeypatch.setattr(channel, "_allocate", watched)
    channel.make_segment(tmp_path, 3, 1 << 16)
    assert seen == [[]]
    assert [each.name for each in tmp_path.iterdir()] == ["segment-3"]


@pytest.mark.parametrize("lacks", [None, errno.EOPNOTSUPP])
def test_segment_has_all_of_its_blocks(
    lacks: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even without the system call for this, because a hole in a mapped file would need disk space later."""

    def refuse(*_: int) -> None:
        raise OSError(lacks, "not supported")

    if lacks is not None:
        monkeypatch.setattr(channel, "_reserve", refuse)
    channel.make_segment(tmp_path, 0, 1 << 20)
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size == 1 << 20
    assert os.name == "nt" or file.stat().st_blocks * 512 >= 1 << 20


def test_segment_that_does_not_fit_on_disk_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(channel, "_reserve", refuse)
    with pytest.raises(OSError, match="No space"):
        channel.make_segment(tmp_path, 0, 1 << 20)
    assert list(tmp_path.iterdir()) == []


def test_empty_segment_is_kept_for_its_writer(tmp_path: Path) -> None:
    """The command creates the first segment, and reads it before the script's process has started."""
    channel.make_segment(tmp_path, 0, channel.SEGMENT)
    reader = ChannelReader(tmp_path)
    assert list(reader.new()) == []
    Writer(tmp_path).write(b"one")
    assert list(reader.new()) == [b"one"]
