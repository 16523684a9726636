"""Questions before something is erased for good: they show what it is."""

from collections.abc import Sequence

from hebbctl.models import Memory
from hebbctl.text import one_line

MOST_SHOWN = 5  # memories
LONGEST = 60  # characters of one


def about(memories: Sequence[Memory], total: int, question: str) -> str:
    """Return a question below the first of the memories it is about, each in a line of its own."""
    shown = [f"  {memory.id}  {_beginning(memory.content)}" for memory in memories[:MOST_SHOWN]]
    more = [f"  and {total - len(shown):,} more"] if total > len(shown) else []
    return "\n".join([*shown, *more, question])


def _beginning(content: str) -> str:
    line = one_line(content[: LONGEST + 1])
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
