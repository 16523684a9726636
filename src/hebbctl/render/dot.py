"""The graph in the DOT language, for Graphviz."""

from typing import TYPE_CHECKING

from hebbctl.text import one_line

if TYPE_CHECKING:
    from hebbctl.usecases.graph import GraphView

LABEL = 40  # characters of a text
WIDEST = 5.0  # of a line, in points


def dot(found: "GraphView") -> str:
    """Return an undirected graph: nodes by id, labelled with their text, lines by weight.

    A text is data: in a quoted string only a quote and a backslash mean something.
    """
    heaviest = max((edge.weight for edge in found.edges), default=1.0) or 1.0
    lines = [
        "graph hebb {",
        "  node [shape=box]",
        *(f"  {node.id} [label={_quoted(node.id, node.content)}]" for node in found.nodes),
        *(
            f"  {edge.memory_a} -- {edge.memory_b}"
            f' [label="{edge.weight:.3g}", penwidth={0.5 + WIDEST * edge.weight / heaviest:.2f}'
            f"{', style=dashed' * edge.bridging}]"
            for edge in found.edges
        ),
        "}",
    ]
    return "\n".join(lines)


def _quoted(number: int, content: str) -> str:
    text = one_line(content)
    shown = text if len(text) <= LABEL else f"{text[: LABEL - 1]}…"
    escaped = shown.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{number}: {escaped}"'
