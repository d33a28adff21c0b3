"""Slides as text, Mermaid, DOT, PNG, PDF, GIF and MP4, and their colors."""

from collections.abc import Callable
from io import BytesIO
from itertools import pairwise, product
from pathlib import Path

import pytest
from outside import package
from PIL import Image, ImageChops, ImageStat

from minitape.draw.diagram import Diagram, render, text, wording
from minitape.draw.diagram.write.animation import frames
from minitape.draw.diagram.write.brush import Brush, scale_of
from minitape.draw.diagram.write.svg import svg
from minitape.errors import DrawError

Slide = Callable[[str], Diagram]


def luminance(color: str) -> float:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_have_a_contrast_of_4_5_to_1(theme: str) -> None:
    colors = Brush(theme).colors
    for tone, ground in product(
        ("ink", "mute", "value", "gradient", "break"), ("paper", "panel", "alarm")
    ):
        one, other = sorted((luminance(colors[tone]), luminance(colors[ground])))
        assert (other + 0.05) / (one + 0.05) >= 4.5, (tone, ground)


def test_width_of_a_band_is_the_logarithm_of_its_norm() -> None:
    scale = scale_of([0.01, 1.0])
    steps = [scale.width(10.0**power) for power in (-3, -2, -1, 0)]
    assert [b - a for a, b in pairwise(steps)] == pytest.approx([23 / 3] * 3)
    assert scale.width(0.0) < scale.width(1e-9) == 3.0
    assert scale_of([1e-4]).low == -5 and scale_of([350.0]).high == 3


def test_text_lists_the_cards_in_order_with_their_gradients(slide: Slide) -> None:
    lines = text(slide("vae_numpy"), width=90).splitlines()
    assert lines[0].startswith("The gradient of")
    cards = [line.split("  ")[0] for line in lines[3:] if not line.startswith(" ")]
    assert cards == [
        *("x", "encoder", "split", "sample", "left the tape"),
        *("decoder", "rec", "logvar", "kl", "loss"),
    ]
    assert any("None ✂" in line for line in lines)
    assert max(map(len, lines)) <= 90
    plain = text(slide("vae_numpy"), ascii=True)
    assert plain.isascii() and len(plain.splitlines()) == len(lines)


def test_mermaid_and_dot_contain_each_card_and_link_once(slide: Slide) -> None:
    made = slide("transformer")
    mermaid = render(made, "mermaid").data.decode()
    assert mermaid.startswith("flowchart LR\n")
    assert mermaid.count('["') == len(made.stations)
    assert mermaid.count("==>") + mermaid.count("-.->") == len(made.links)
    dot = render(made, "dot").data.decode()
    assert dot.count("shape=") - 1 == len(made.stations) and dot.count(" -> ") == len(made.links)
    assert dot.count("{") == dot.count("}") == 1


@pytest.mark.parametrize(("fmt", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_slide_is_written_as_png_and_pdf(fmt: str, start: bytes, slide: Slide) -> None:
    pytest.importorskip("svglib")
    rendered = render(slide("gan"), fmt)
    assert rendered.data.startswith(start) and rendered.note is None


def test_gif_shows_forward_pass_then_backward_pass_then_slide(slide: Slide) -> None:
    pytest.importorskip("svglib")
    made = slide("vae_numpy")
    rendered = render(made, "gif")
    assert rendered.note is None
    with Image.open(BytesIO(rendered.data)) as image:
        durations = []
        for number in range(image.n_frames):
            image.seek(number)
            durations.append(image.info["duration"])
        assert image.size == (1600, 900)
        assert len(durations) == len([*frames(made)]) and sum(durations) <= 12_000
        still = Image.open(BytesIO(render(made, "png").data)).convert("RGB")
        difference = ImageChops.difference(image.convert("RGB"), still).convert("L")
        assert ImageStat.Stat(difference).mean[0] < 1  # of 255, because a GIF has few colors


# The library leaves the pipes to FFmpeg to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_mp4_plays_what_the_gif_shows(slide: Slide, tmp_path: Path) -> None:
    pytest.importorskip("svglib")
    film = package("imageio_ffmpeg", "video")
    made = slide("vae_numpy")
    path = tmp_path / "vae.mp4"
    path.write_bytes(render(made, "mp4").data)
    seen = film.read_frames(str(path))
    about, pictures = next(seen), list(seen)
    assert about["size"] == (1600, 900) and about["codec"] == "h264"
    seconds = sum(each.milliseconds for each in frames(made)) / 1000
    assert abs(about["duration"] - seconds) < 0.5
    still = Image.open(BytesIO(render(made, "png").data)).convert("RGB")
    last = Image.frombytes("RGB", about["size"], pictures[-1])
    assert ImageStat.Stat(ImageChops.difference(last, still).convert("L")).mean[0] < 2  # of 255


def test_each_frame_of_the_gif_adds_to_the_one_before(slide: Slide) -> None:
    made = slide("vae_numpy")
    *moments, last = [each.moment for each in frames(made)]
    assert last is None
    drawn = [svg(made, moment=each) for each in moments]
    values = [each.count(Brush("light").colors["value"]) for each in drawn]
    came = [each.count("None") for each in drawn]
    middle = len(drawn) // 2
    assert values == sorted(values) and values[0] < values[middle - 1] == values[middle]
    assert came[:middle] == [came[0]] * middle and came[-1] > came[0]
    assert all(wording.FORWARD in each for each in drawn[:middle])
    assert all(wording.BACKWARD in each for each in drawn[middle:])
    assert not any(made.headline in each.split("</title>", 1)[1] for each in drawn)
    assert moments[-1] is not None
    assert moments[-1].values == moments[-1].gradients == {each.id for each in made.stations}


def test_unknown_format_or_theme_is_an_error(slide: Slide) -> None:
    with pytest.raises(DrawError, match="'bmp'"):
        render(slide("gan"), "bmp")
    with pytest.raises(DrawError, match="'sepia'"):
        render(slide("gan"), theme="sepia")
