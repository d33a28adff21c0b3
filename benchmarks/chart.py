"""Draw the chart of README.md from its first table: `python benchmarks/chart.py`.

Each row of the table is a line of the chart, with one mark for each framework on a logarithmic scale. The frameworks differ in
the shape of their marks as well as in color.
"""

import itertools
import math
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).parent
MARKS = {  # the color, and the path around the origin
    "minitape": ("#0b7a4b", "M-6,0a6,6 0 1,0 12,0a6,6 0 1,0 -12,0z"),
    "PyTorch": ("#7c3aed", "M0,-10L10,7H-10z"),
    "autograd": ("#1d6fb8", "M0,-8L8,0L0,8L-8,0z"),
    "TensorFlow": ("#c2410c", "M-6,-6h12v12h-12z"),
}
LEFT, RIGHT, TOP, ROW = 490, 910, 84, 30  # pixels
LEAST, MOST = 0.25, 600.0  # the ratios at the left and the right end
TICKS = (0.5, 1, 2, 5, 10, 20, 50, 100, 500)


def chart(table: list[dict[str, str]]) -> str:
    """Return the chart as an SVG document; the first column of the table names the workloads."""
    bottom = TOP + ROW * len(table)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {RIGHT + 40} {bottom + 50}"',
        ' font-family="sans-serif" font-size="16">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        '<text x="16" y="28" font-size="18" font-weight="bold">Time as a multiple of NumPy by hand (smaller is better)</text>',
    ]
    for i, (name, (color, path)) in enumerate(MARKS.items()):
        x = LEFT + 112 * i
        parts.append(f'<path d="{path}" transform="translate({x},56)" fill="{color}"/>')
        parts.append(f'<text x="{x + 14}" y="61">{name}</text>')
    for ratio in TICKS:
        x = place(ratio)
        width = 2 if ratio == 1 else 1
        parts.append(f'<path d="M{x:.1f},{TOP}V{bottom}" stroke="#c8ccd2" stroke-width="{width}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 22}" text-anchor="middle">{ratio:g}</text>')
    for i, row in enumerate(table):
        y = TOP + ROW * i + ROW // 2
        parts.append(
            f'<text x="{LEFT - 20}" y="{y + 5}" text-anchor="end">{escape(row[""])}</text>'
        )
        for name, (color, path) in reversed(MARKS.items()):
            if row[name] != "–":
                at = f"translate({place(float(row[name])):.1f},{y})"
                parts.append(f'<path d="{path}" transform="{at}" fill="{color}" stroke="#ffffff"/>')
    return "\n".join([*parts, "</svg>\n"])


def place(ratio: float) -> float:
    """The horizontal position of a ratio."""
    return LEFT + (RIGHT - LEFT) * math.log(ratio / LEAST) / math.log(MOST / LEAST)


def first_table(text: str) -> list[dict[str, str]]:
    """Return the rows of the first table in a Markdown text, by the names of its columns."""
    lines = itertools.dropwhile(lambda line: not line.startswith("|"), text.splitlines())
    table = itertools.takewhile(lambda line: line.startswith("|"), lines)
    names, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table)
    return [dict(zip(names, row, strict=True)) for row in rows]


if __name__ == "__main__":
    text = (HERE / "README.md").read_text(encoding="utf-8")
    (HERE / "chart.svg").write_text(chart(first_table(text)), encoding="utf-8")
