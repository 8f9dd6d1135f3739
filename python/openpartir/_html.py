"""Renders plans in notebooks: a small table, and drawings of how arrays are sharded over the mesh."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from openpartir._mesh import axes_of

if TYPE_CHECKING:
    from openpartir._engine import Placed
    from openpartir.plan import Plan

__all__ = ["plan_html"]

_SHOWN = 24
_CELLS = 8  # at most so many cells are drawn for each dimension
_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#000000")


def _drawing(placed: Placed, shape: tuple[int, ...], sizes: dict[str, int], colours: dict[str, str]) -> str:
    """Return an SVG of the array's last two dimensions, cut into their parts."""
    if not shape:
        return ""
    dims = list(range(len(shape)))[-2:]
    cuts, axes = [], []
    for d in dims:
        count = 1
        for axis in placed.dims[d]:
            count *= sizes[axis]
        cuts.append(min(count, _CELLS))
        axes.append(placed.dims[d])
    if len(dims) == 1:
        cuts, axes = [1, *cuts], [[], *axes]
    width, height = 64, 32
    lines = [f'<rect width="{width}" height="{height}" fill="#f4f4f4" stroke="#888"/>']
    for i in range(1, cuts[0]):
        y = height * i / cuts[0]
        lines.append(
            f'<line x1="0" x2="{width}" y1="{y:g}" y2="{y:g}" stroke="{colours[axes[0][0]]}" stroke-width="2"/>'
        )
    for i in range(1, cuts[1]):
        x = width * i / cuts[1]
        lines.append(
            f'<line y1="0" y2="{height}" x1="{x:g}" x2="{x:g}" stroke="{colours[axes[1][0]]}" stroke-width="2"/>'
        )
    return f'<svg width="{width}" height="{height}" style="vertical-align:middle">{"".join(lines)}</svg>'


def _layout(placed: Placed, colours: dict[str, str]) -> str:
    def dim(axes: list[str]) -> str:
        names = (f'<span style="color:{colours[a]};font-weight:bold">{html.escape(a)}</span>' for a in axes)
        return "{" + ", ".join(names) + "}"

    return "[" + ", ".join(dim(axes) for axes in placed.dims) + "]"


def plan_html(plan: Plan) -> str:
    """Return an HTML fragment without scripts: collectives after each tactic, verdict, arguments and results."""
    sizes = dict(axes_of(plan.mesh))
    colours = {axis: _COLOURS[i % len(_COLOURS)] for i, axis in enumerate(sizes)}
    mesh = ", ".join(
        f'<span style="color:{colours[a]};font-weight:bold">{html.escape(a)}</span>={n}' for a, n in sizes.items()
    )
    kinds = list(plan.collectives)
    cell = 'style="text-align:right"'
    head = "".join(f"<th>{k}</th>" for k in kinds)
    rows = "".join(
        f"<tr><td>{html.escape(t.name)}</td>{''.join(f'<td {cell}>{t.collectives[k]}</td>' for k in kinds)}"
        f"<td {cell}>{len(t.conflicts)}</td></tr>"
        for t in plan.tactics
    )
    out = [
        f"<b>{html.escape(plan.program.name)}</b> on {mesh}; {html.escape(plan.verdict)}",
        f"<table><tr><th>after</th>{head}<th>conflicts</th></tr>{rows}</table>",
    ]
    if lost := plan.engine.lost_parallelism():
        out.append(f"<pre>{html.escape(lost)}</pre>")
    sides = (
        ("arguments", plan.engine.arguments, plan.program.inputs),
        ("results", plan.engine.results, plan.program.outputs),
    )
    for title, placed, shapes in sides:
        lines = []
        for p, s in list(zip(placed, shapes, strict=True))[:_SHOWN]:
            kind = f"{s.dtype}[{', '.join(map(str, s.shape))}]"
            lines.append(
                f"<tr><td>{html.escape(p.name) or '·'}</td><td>{html.escape(kind)}</td><td>{_layout(p, colours)}</td>"
                f"<td>{_drawing(p, s.shape, sizes, colours)}</td></tr>"
            )
        more = f"<tr><td>… {len(placed) - _SHOWN} more</td></tr>" if len(placed) > _SHOWN else ""
        out.append(f"<details><summary>{len(placed)} {title}</summary><table>{''.join(lines)}{more}</table></details>")
    return "".join(out)
