"""Work in several transactions that may be ended between two: it says what was done before."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def partly(told: Callable[[], str]) -> Iterator[None]:
    """Note on whatever ends the work inside, an interrupt too, what it had done; "" is nothing."""
    try:
        yield
    except BaseException as error:
        if done := told():
            error.add_note(done)
        raise


def batches(done: int, total: int, counts: dict[str, int], under: str = "") -> str:
    """Write how far work has come: ``after 2 of 5 batches: 1,000 archived under sweep 7``."""
    if not done:
        return ""
    counted = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
    wiping = "; the next command that writes wipes their traces" if counts.get("erased") else ""
    return f"after {done} of {total} batches: {counted or 'nothing'}{under}{wiping}"
