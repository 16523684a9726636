"""Every failure a user can cause or meet, each with its exit code."""

import errno
from collections.abc import Iterable, Sequence
from enum import IntEnum

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class ExitCode(IntEnum):
    """Process exit codes. Scripts rely on them: never renumber."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    NOT_FOUND = 3
    REFUSED = 4
    STORE = 5
    INPUT = 6
    MISSING_EXTRA = 7
    INTERRUPTED = 130
    TERMINATED = 143


class HebbError(Exception):
    """A failure to report in one line. ``kind`` is part of the JSON contract."""

    code = ExitCode.FAILURE
    kind = "failure"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class WrongUsage(HebbError):
    code = ExitCode.USAGE
    kind = "usage"


class MemoryNotFound(HebbError):
    code = ExitCode.NOT_FOUND
    kind = "memory_not_found"

    def __init__(self, reference: str) -> None:
        super().__init__(
            f"no memory {reference!r}",
            hint=f"'hebb list' shows the ids, 'hebb audit {reference}' what became of one",
        )


class SweepNotFound(HebbError):
    code = ExitCode.NOT_FOUND
    kind = "sweep_not_found"


class Refused(HebbError):
    """What was asked is clear but not done: it needs a confirmation, or is protected."""

    code = ExitCode.REFUSED
    kind = "refused"


class Ambiguous(Refused):
    """A uid prefix fits several memories."""

    kind = "ambiguous"

    def __init__(self, prefix: str, uids: Sequence[str]) -> None:
        more = " and more" if len(uids) > 5 else ""
        fits = ", ".join(uids[:5])
        super().__init__(f"{prefix!r} fits {fits}{more}", hint="give more of the uid, or the id")


class StoreError(HebbError):
    """The database cannot be opened, read or written."""

    code = ExitCode.STORE
    kind = "store"


class StoreBusy(StoreError):
    """Another process held the store for longer than this one waits."""


class DiskFull(StoreError):
    """There is no room for what had to be written."""

    def __init__(self, path: object) -> None:
        super().__init__(
            f"{path} cannot grow: the disk is full", hint="free some space, then try again"
        )


class StoreDamaged(StoreError):
    """The file is no database, or one whose pages do not fit together."""


class Interrupted(HebbError):
    """A signal ended what had been done in part."""

    kind = "interrupted"

    def __init__(self, number: int, done: str) -> None:
        super().__init__(f"interrupted {done}")
        self.code = ExitCode(128 + number)


class Unsound(HebbError):
    """The doctor's report names problems."""

    kind = "unsound"


class BadFile(HebbError):
    """A file given to hebb cannot be read as what it should be."""

    code = ExitCode.INPUT
    kind = "bad_file"


class EmbedderError(HebbError):
    """An embedder is set up wrongly, fails, or answers nonsense; what needs no meaning goes on."""

    kind = "embedder"


class EmbedderMissing(EmbedderError):
    """The embedder comes with an extra that is not installed."""

    code = ExitCode.MISSING_EXTRA
    kind = "missing_extra"


def did_you_mean(word: str, known: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return a hint that names the closest known word, if one is close; ``cutoff`` is 0..1."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return f"did you mean {close[0]!r}?" if close else None
