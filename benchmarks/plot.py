"""Plot: what a decision costs against the number of keys and against the limit, as an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.result import Panel

COLOURS = {"memory": "#0b6e4f", "Redis": "#b3261e"}
PLAIN = {"svg.fonttype": "none", "svg.hashsalt": "authguard", "font.size": 9}
"""Text stays text, and the same figures give the same file."""


def draw(panels: Sequence[Panel], path: Path) -> None:
    """Draw ``panels`` beside each other and write them to ``path``."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update(PLAIN)
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(panels), figsize=(8, 3), squeeze=False)
    for place, panel in zip(axes[0], panels, strict=True):
        for name, curve in panel.curves.items():
            place.plot(panel.points, curve, marker="o", markersize=3, label=name, color=COLOURS[name])
        place.set(xscale="log", yscale="log", xlabel=panel.axis, ylabel="µs a decision of four layers (p50)")
        place.set_ylim(bottom=1)
        place.grid(visible=True, which="major", alpha=0.3)
        place.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, format="svg", metadata={"Date": None})
    pyplot.close(figure)
