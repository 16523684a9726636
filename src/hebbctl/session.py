"""One run: where things are, which policies hold, what time it is, and what comes in."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hebbctl import config, environment, places, policies, times
from hebbctl.errors import BadFile, StoreError, WrongUsage
from hebbctl.models import Policy, Settings
from hebbctl.settings import defaults

if TYPE_CHECKING:
    from hebbctl.embeddings import Embedder
    from hebbctl.store import Store


class Session:
    """Everything is looked up at first use, so that ``--help`` needs no store and no settings."""

    def __init__(
        self,
        *,
        db: Path | None = None,
        config: Path | None = None,
        imagined_now: str | None = None,
        actor: str | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.db = db
        self._actor = actor
        self._settings = settings
        self._config = config
        self.imagined_now = imagined_now
        self._opened: list[Store] = []
        self._looked_in_vain = False  # whether the store was not there
        self._scratch: list[Any] = []  # temporary folders
        self.draft: Path | None = None  # what an editor works on

    @cached_property
    def now(self) -> int:
        """The one moment this run happens at. Nothing else reads the wall clock."""
        written = environment.written_now()
        real = _exact_moment(written) if written else time.time_ns() // 1_000_000
        if self.imagined_now is None:
            return real
        return _moment("--now", self.imagined_now, now=real, ahead=True)

    def moment(
        self, option: str, written: str | None, *, ahead: bool = False, end_of_day: bool = False
    ) -> int | None:
        """Return the time an option names: a time, a local date, or a duration before now.

        With ``ahead`` a duration is one from now on; with ``end_of_day`` a date means its end.
        """
        if written is None:
            return None
        return _moment(option, written, now=self.now, ahead=ahead, end_of_day=end_of_day)

    @staticmethod
    def stopwatch() -> float:
        """Return the seconds of a clock that tells how long a thing takes, and nothing else."""
        return time.perf_counter()

    @cached_property
    def settings_place(self) -> places.Place:
        return places.settings(self._config, db=self.db)

    @cached_property
    def settings_path(self) -> Path:
        return self.settings_place.path

    @cached_property
    def changeable_settings(self) -> Path:
        self._refuse_imagined_now()
        return self.settings_path

    @cached_property
    def settings(self) -> Settings:
        if self._settings is not None:
            return self._settings
        try:
            path = self.settings_path
        except StoreError:  # no home and no file named: the store may still be named by --db
            return defaults()
        return config.load(path)

    def suppose(self, settings: Settings) -> None:
        """Go by these settings instead of the saved ones: before the store is asked for."""
        self.settings = settings

    @cached_property
    def actor(self) -> str:
        """Who the audit names: cli, cron, mcp, rest."""
        return self._actor or environment.actor()

    @cached_property
    def store_place(self) -> places.Place:
        return places.store(self.db)

    @cached_property
    def store_path(self) -> Path:
        return self.store_place.path

    def scope(self, written: str | None) -> tuple[str, str]:
        """Return the scope that is meant, and its kind: session, project or global.

        Without one it is that of HEBB_SCOPE, else the project's in a project's own store, else
        global. A dot is the project around the working directory, whichever store is in use.
        """
        written = written or self.usual_scope
        if written not in (None, "."):
            return written, "global" if written == "global" else "project"
        if written is None and self.store_place.origin != "project":
            return "global", "global"
        root = places.project()
        if root is None or not root.name:
            raise WrongUsage(
                "there is no project around the working directory",
                hint="name the scope, or make one with 'hebb init'",
            )
        return root.name, "project"

    @property
    def usual_scope(self) -> str | None:
        """The scope that HEBB_SCOPE names as the one that is meant where none is typed.

        Raises:
            WrongUsage: it is blank.
        """
        from hebbctl import fields

        written = environment.scope()
        return None if written is None else fields.words("HEBB_SCOPE", written)

    @property
    def scope_origin(self) -> str:
        """Why a memory that is added now gets the scope it gets: HEBB_SCOPE, project or default."""
        kind = self.scope(None)[1]
        return "HEBB_SCOPE" if self.usual_scope else "project" if kind == "project" else "default"

    def days_named(self, query: str, now: int | None = None) -> tuple[tuple[int, int], ...]:
        """Return the days that a question names, each from its first to its last moment.

        A day is one where the user is; one without a year is meant in each year since 1970.
        Yesterday is counted from ``now``, which is that of the run without one.
        """
        from hebbctl import text

        if not text.may_name_a_day(query):  # 5 ms that most questions need not spend
            return ()
        from hebbctl import dates

        calendar = dates.Calendar(
            environment.local_day(self.now if now is None else now), first_year=1970
        )
        midnight = environment.local_midnight
        return tuple(
            (midnight(max(span.since, times.FIRST_DAY)), midnight(span.until))
            for span in dates.spans(query, calendar)
        )

    def another(self, settings: Settings | None = None, *, actor: str) -> "Session":
        """Return a run like this one, at the moment it is used: nothing of this one's is kept.

        ``settings`` are those of an earlier one, to keep instead of the file's.
        """
        self._refuse_imagined_now()
        db = self.store_path.absolute()
        return Session(db=db, config=self._config, actor=actor, settings=settings)

    @property
    def options(self) -> list[str]:
        """The options by which a process started anywhere uses this store and these settings."""
        places = {"--db": self.store_path, "--config": self.settings_path}
        return [word for name, path in places.items() for word in (name, str(path.absolute()))]

    @property
    def store_maker(self) -> Callable[[Path], None]:
        """How to make a store at another place, or bring the one there up to date.

        What forbids it is found at once, before anything is made.
        """
        self._refuse_imagined_now()
        policy_of, now, actor = self.policy_of, self.now, self.actor
        return lambda path: self._opened.append(
            _store(path, policy_of, now=now, writable=True, actor=actor)
        )

    @cached_property
    def reader(self) -> "Store":
        return self._open(self.policy_of, writable=False)

    @cached_property
    def writer(self) -> "Store":
        self._refuse_imagined_now()
        return self._open(self.policy_of, writable=True)

    @cached_property
    def changer(self) -> "Store":
        """The store to change what is in it: none is made only to find nothing there."""
        missing = not self.store_path.exists()
        self._refuse_imagined_now()
        return self.reader if missing else self.writer

    @property
    def missing_store(self) -> Path | None:
        """The store that was named, if this run has looked into it in vain."""
        looked = "reader" in self.__dict__ and self.store_place.origin in ("--db", "HEBB_DB")
        return self.store_path if looked and not self.store_path.exists() else None

    @property
    def overlooked_store(self) -> Path | None:
        """The user's own store, if this run was sent to one that was not there yet."""
        if not self._looked_in_vain or self.store_place.origin == "project":
            return None
        return places.overlooked_store(self.store_path)

    @cached_property
    def strengthener(self) -> "Store":
        """The reader's own connection, now for writing: a second one would cost 2 ms.

        A store of an older schema stays so: counting a use is no reason to migrate it.
        """
        self.reader.allow_writing()
        return self.reader

    @cached_property
    def writer_without_settings(self) -> "Store | None":
        """The store under default settings, for what does not ask how it forgets; None of none.

        It opens beside a damaged settings file, too, so that the file can be mended.
        """
        self._refuse_imagined_now()
        if not self.store_path.is_file():
            return None
        return self._open(_policy_of(defaults()), writable=True)

    def reader_at(self, now: int) -> "Store":
        """Open the store for reading as at another moment; whoever asks for it closes it."""
        return _store(self.store_path, self.policy_of, now=now, writable=False)

    def reader_under(self, settings: Settings) -> "Store":
        """Open the store for reading as if these settings were saved."""
        return self._open(_policy_of(settings), writable=False)

    def scratch(self, settings: Settings) -> "tuple[Callable[[int], Store], policies.PolicyOf]":
        """Return how to open a throw-away store at a moment, and the policies it runs under."""
        from tempfile import TemporaryDirectory

        folder = TemporaryDirectory(prefix="hebb-scratch-")
        self._scratch.append(folder)
        policy_of = _policy_of(settings)

        @cache
        def store_at(now: int) -> "Store":
            store = _store(Path(folder.name, "hebb.db"), policy_of, now=now, writable=True)
            self._opened.append(store)
            return store

        return store_at, policy_of

    @cached_property
    def policy_of(self) -> policies.PolicyOf:
        return _policy_of(self.settings)

    @cached_property
    def embedder(self) -> "Embedder | None":
        """What the settings choose to make vectors, not yet loaded; None for none."""
        from hebbctl import embeddings

        return embeddings.chosen(self.settings)

    @property
    def settings_if_named(self) -> Settings:
        """The settings of the file that ``--config`` names, else the default ones."""
        return defaults() if self._config is None else self.settings

    @property
    def missing_settings(self) -> Path | None:
        """The file that ``--config`` names, if this run has looked for settings in vain."""
        looked = self._config is not None and "settings" in self.__dict__
        return self._config if looked and not self.settings_path.exists() else None

    @property
    def unknown_settings(self) -> tuple[str, ...]:
        """Keys of the settings file that mean nothing here, if this run has read it."""
        return self.settings.unknown if "settings" in self.__dict__ else ()

    @property
    def interactive(self) -> bool:
        """Say whether somebody sits at stdin who can be asked."""
        return sys.stdin is not None and sys.stdin.isatty()

    def answer(self) -> str:
        """Return the line somebody types; it has no end where the input ends, by Ctrl-D."""
        return sys.stdin.readline()

    def lines_of(self, path: Path) -> Iterator[bytes]:
        """Return the lines of a file, or of stdin for ``-``, one by one.

        Raises:
            BadFile: it cannot be opened or read.
        """
        try:
            if str(path) == "-":
                yield from standard_input()
            else:
                with path.open("rb") as file:
                    yield from file
        except OSError as error:
            raise BadFile(
                f"cannot read {path}: {error.strerror}", hint="check the path; - reads stdin"
            ) from error

    def ask(
        self, command: str, lines: Sequence[bytes], timeout_seconds: float
    ) -> tuple[list[bytes], str | None]:
        """Return the lines a program of the user's answers with, and what went wrong with it."""
        from hebbctl import programs

        return programs.asked(command, lines, timeout_seconds=timeout_seconds)

    def edit(self, before: str, folder: Callable[[], Path]) -> str:
        """Return a text as the user's editor left it; the draft is kept until the run succeeds.

        ``folder`` makes a private one for it.

        Raises:
            WrongUsage: no editor is named, and nobody is there to use the usual one.
            HebbError: the editor failed.
        """
        from hebbctl import editing

        command = environment.variable("VISUAL") or environment.variable("EDITOR")
        if command is None and not self.interactive:
            raise WrongUsage("nothing to change", hint="give a text or an option, or set EDITOR")
        self.draft = editing.draft_of(before, folder())
        return editing.edited(self.draft, before, command or "vi")

    def kept_draft(self) -> Path | None:
        """Return what an editor worked on in vain, if there is anything in it to be kept."""
        if self.draft is not None and not self.draft.exists():
            self.drop_draft()
            return None
        return self.draft

    def drop_draft(self) -> None:
        """Remove what the editor worked on, with all that it left beside it."""
        if self.draft is not None:
            from shutil import rmtree

            rmtree(self.draft.parent, ignore_errors=True)

    def close(self) -> None:
        for store in self._opened:
            store.close()
        for folder in self._scratch:
            folder.cleanup()

    def _open(self, policy_of: policies.PolicyOf, *, writable: bool) -> "Store":
        self._looked_in_vain = self._looked_in_vain or not self.store_path.exists()
        store = _store(
            self.store_path, policy_of, now=self.now, writable=writable, actor=self.actor
        )
        self._opened.append(store)
        return store

    def _refuse_imagined_now(self) -> None:
        if self.imagined_now is not None:
            raise WrongUsage(
                "--now is for reading commands and dry runs only", hint="leave it out to change"
            )


def _exact_moment(written: str) -> int:
    """Read HEBB_NOW: scripts set it, so it means the same whatever TZ says."""
    try:
        return times.parse_time(written)
    except (ValueError, OverflowError) as error:
        raise WrongUsage(
            f"HEBB_NOW must be a time, not {written!r}", hint="write it like 2026-01-31T09:00:00Z"
        ) from error


def _moment(
    option: str, written: str, *, now: int, ahead: bool = False, end_of_day: bool = False
) -> int:
    midnight = environment.local_midnight
    try:
        return times.parse_moment(
            written, now=now, midnight=midnight, ahead=ahead, end_of_day=end_of_day
        )
    except (ValueError, OverflowError, OSError) as error:
        raise WrongUsage(
            f"{option} must be a time, a date or a duration, not {written!r}",
            hint="write it like 2026-01-31T09:00:00Z, 2026-01-31 or 7d (s, m, h, d, w)",
        ) from error


def _store(
    path: Path, policy_of: policies.PolicyOf, *, now: int, writable: bool, actor: str = "cli"
) -> "Store":
    from hebbctl.store import Store  # 7 ms that --help and --version need not spend

    return Store(path, policy_of, now=now, writable=writable, actor=actor)


def _policy_of(settings: Settings) -> policies.PolicyOf:
    @cache
    def policy_of(partition: str) -> Policy:
        return policies.effective(partition, settings)

    return policy_of


def standard_input() -> Iterator[bytes]:
    """Return the lines of stdin as bytes; none where the caller closed it."""
    if sys.stdin is not None:
        yield from sys.stdin.buffer


def standard_text() -> str:
    """Return the text on stdin: no byte-order mark, CRLF as LF, without its last line end.

    Raises:
        WrongUsage: it is not UTF-8.
    """
    try:
        written = b"".join(standard_input()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WrongUsage("what came on stdin is not UTF-8", hint="convert it first") from error
    return written.replace("\r\n", "\n").removesuffix("\n")
