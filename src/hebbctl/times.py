"""Times, dates and durations: written to milliseconds and back."""

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LAST_TIME = 253_402_300_799_999  # the last millisecond of the year 9999


def parse_time(written: str) -> int:
    """Read an ISO 8601 time. Without an offset it means UTC, whatever TZ says.

    Raises:
        ValueError: it is not a time, or outside the years 1970 to 9999.
    """
    moment = datetime.fromisoformat(written.strip())
    since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH
    time = since // timedelta(milliseconds=1)
    if not 0 <= time <= LAST_TIME:
        raise ValueError("only the years 1970 to 9999 are supported")
    return time


def format_time(time: int) -> str:
    """Write a time as RFC 3339, UTC, with milliseconds where there are any."""
    moment = EPOCH + timedelta(milliseconds=time)
    precision = "milliseconds" if time % 1000 else "seconds"
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")
