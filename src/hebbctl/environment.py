"""The environment: the only reader of variables, the home folder and the working directory."""

import os
import sys
from datetime import date, datetime
from pathlib import Path

from hebbctl.errors import WrongUsage

ACTORS = ("cli", "cron", "mcp", "rest")


def variable(name: str) -> str | None:
    """Return a variable; None where it is unset or empty."""
    return os.environ.get(name) or None


def written_now() -> str | None:
    """Return ``HEBB_NOW``, which moves the clock of writing commands, too."""
    return variable("HEBB_NOW")


def actor() -> str:
    """Return who the audit names, by ``HEBB_ACTOR``: lines of a crontab set it.

    Raises:
        WrongUsage: the audit knows no such actor.
    """
    written = variable("HEBB_ACTOR") or "cli"
    if written not in ACTORS:
        raise WrongUsage(f"HEBB_ACTOR must be one of {', '.join(ACTORS)}, not {written!r}")
    return written


def scope() -> str | None:
    """Return ``HEBB_SCOPE``: what is meant where a command names no scope."""
    return variable("HEBB_SCOPE")


def debugging() -> bool:
    return variable("HEBB_DEBUG") == "1"


def crash_wanted() -> bool:
    """Say whether hebb is to fail from inside, so that one can see how it reports that."""
    return variable("HEBB_TEST_CRASH") == "1"


def busy_timeout() -> float | None:
    """Return the seconds of ``HEBB_BUSY_TIMEOUT`` to wait for another writer, None for the usual.

    Raises:
        WrongUsage: it is no number of seconds up to an hour.
    """
    written = variable("HEBB_BUSY_TIMEOUT")
    if written is None:
        return None
    try:
        seconds = float(written)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 3600:
        raise WrongUsage(f"HEBB_BUSY_TIMEOUT must be seconds from 0 to 3600, not {written!r}")
    return seconds


def color_forced() -> bool | None:
    """Return what the environment says of colour: True forces it, False forbids it, None neither.

    Source: no-color.org and force-color.org. NO_COLOR wins; empty counts as unset.
    """
    if variable("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    forced = any(variable(name) not in (None, "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE"))
    return True if forced else None


def working_folder() -> Path | None:
    """Return the working directory; None where it has been removed or cannot be entered."""
    try:
        return Path.cwd()
    except OSError:
        return None


def ascii_wanted() -> bool:
    """Say whether the locale asks for ASCII. Python itself writes UTF-8 there."""
    return variable("LC_ALL") in ("C", "POSIX")


def home_folder() -> Path:
    """Return the user's home.

    Raises:
        RuntimeError: neither HOME nor the user database names one.
    """
    if "HOME" in os.environ and not os.environ["HOME"]:  # empty, which expanduser takes for /
        import pwd

        try:
            return Path(pwd.getpwuid(os.getuid()).pw_dir)
        except KeyError as error:
            raise RuntimeError("no home directory") from error
    return Path.home()


def local_midnight(day: date) -> int:
    """Return when a day begins in the user's time zone (TZ), Unix milliseconds."""
    return local_hour(day, 0)


def local_hour(day: date, hour: int) -> int:
    """Return when it is that hour of a day in the user's time zone, Unix milliseconds."""
    return int(datetime(day.year, day.month, day.day, hour).astimezone().timestamp() * 1000)


def local_day(time: int) -> date:
    """Return the day in the user's time zone at a moment in Unix milliseconds."""
    return datetime.fromtimestamp(time / 1000).date()


def program() -> list[str]:
    """Return the words that start this very hebb from anywhere."""
    started = Path(sys.argv[0])
    if started.name == "hebb" and started.is_file():
        return [str(started.absolute())]
    return [sys.executable, "-m", "hebbctl"]
