"""The user's editor: a text goes into a file of the user's own, and comes back as it was left."""

import shlex
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hebbctl.errors import HebbError


def draft_of(text: str, folder: Path) -> Path:
    """Write a text to a new file in a private folder, its last line ended."""
    draft = folder / "memory.md"
    draft.write_text(_ended(text), "utf-8", newline="")
    return draft


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


def edited(draft: Path, before: str, command: str) -> str:
    """Let an editor change a draft, and return what it left, without the line end it adds.

    Raises:
        HebbError: it cannot be started, failed, or left what is no text.
    """
    try:
        with _interrupts_left_to_the_editor():
            code = subprocess.run([*shlex.split(command), str(draft)]).returncode
        after = draft.read_bytes().decode()
    except (OSError, ValueError) as error:
        if draft.read_bytes() == _ended(before).encode():
            draft.unlink()
        why = getattr(error, "strerror", None) or error
        hint = "set EDITOR to another one"
        raise HebbError(f"cannot edit with {command!r}: {why}", hint=hint) from error
    if after == _ended(before):
        draft.unlink()
    if code:
        hint = "try again, or set EDITOR"
        raise HebbError(f"the editor ended with {code}: nothing was changed", hint=hint)
    if after == _ended(before):
        return before
    if "\r\n" not in before:
        after = after.replace("\r\n", "\n")
    return after if before.endswith("\n") else after.removesuffix("\n")


@contextmanager
def _interrupts_left_to_the_editor() -> Iterator[None]:
    """Let Ctrl-C be the editor's: a handler, unlike SIG_IGN, is not inherited by it."""
    ours = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, ours)
