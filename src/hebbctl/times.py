"""Times, dates and durations: written to milliseconds and back."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
FIRST_DAY = date(1970, 1, 2)  # whole in every time zone
LAST_TIME = 253_402_300_799_999  # the last millisecond of the year 9999
SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000  # milliseconds
UNITS = {
    SECOND: "s sec secs second seconds 秒 秒钟",
    MINUTE: "m min mins minute minutes 分 分钟",
    HOUR: "h hr hrs hour hours 时 小时 個小時 个小时 小時",
    DAY: "d day days 天 日",
    7 * DAY: "w week weeks 周 星期 个星期 礼拜 週",
}
UNIT_OF = {spelling: unit for unit, spellings in UNITS.items() for spelling in spellings.split()}
# Of a duration: a number and its unit. Compiled at first use, as most runs read none.
PART = r"(\d+(?:\.\d+)?)\s*([^\W\d_]+)\s*"
DATE = r"\d{4}-\d{2}-\d{2}|\d{8}"


def parse_time(written: str) -> int:
    """Read an ISO 8601 time. Without an offset it means UTC, whatever TZ says.

    Raises:
        ValueError: it is not a time, or outside the years 1970 to 9999.
    """
    moment = datetime.fromisoformat(written.strip())
    since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH
    return _in_range(since // MILLISECOND)


def _in_range(time: int) -> int:
    if not 0 <= time <= LAST_TIME:
        raise ValueError("only the years 1970 to 9999 are supported")
    return time


def format_time(time: int) -> str:
    """Write a time as RFC 3339, UTC, with milliseconds where there are any."""
    moment = EPOCH + timedelta(milliseconds=time)
    precision = "milliseconds" if time % 1000 else "seconds"
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")


def to_the_second(time: int) -> str:
    """Write a time as people read it: without its milliseconds."""
    return format_time(time - time % 1000)


def stamp(time: int) -> str:
    """Write a time for the name of a file: 20260131T090000Z."""
    return to_the_second(time).replace("-", "").replace(":", "")


def parse_duration(written: str) -> int:
    """Read a length of time such as 7d, 12h, 2w, 1h30m, "3 days" or 7天, in milliseconds.

    Raises:
        ValueError: it is none, is zero, or longer than all years up to 9999.
    """
    parts = re.findall(PART, written)
    if not parts or re.sub(PART, "", written.strip()):
        raise ValueError(f"not a duration: {written!r}")
    try:
        # A capital M may be meant as months, which have no length.
        spelled = [(number, unit if unit == "M" else unit.lower()) for number, unit in parts]
        duration = sum(float(number) * UNIT_OF[unit] for number, unit in spelled)
    except KeyError as error:
        raise ValueError(f"no unit of time: {error.args[0]!r}") from error
    if not 1 <= duration <= LAST_TIME:
        raise ValueError(f"a duration of {written} is out of range")
    return int(duration)


def parse_moment(
    written: str,
    *,
    now: int,
    midnight: Callable[[date], int],
    ahead: bool = False,
    end_of_day: bool = False,
) -> int:
    """Read what a person writes for a time: a time, a date, or a duration before now.

    A date alone is that day where the user is: its beginning, or its end with ``end_of_day``;
    ``midnight`` says when a day begins there. With ``ahead`` a duration counts from now on.

    Raises:
        ValueError: it is nothing of these, or outside the years 1970 to 9999.
    """
    bare = written.strip()
    if re.fullmatch(DATE, bare):
        day = date.fromisoformat(bare)
        if end_of_day and day == date.max:
            return LAST_TIME
        return _in_range(midnight(day + timedelta(days=1) if end_of_day else day))
    if bare and not re.sub(PART, "", bare):
        duration = parse_duration(bare)
        return _in_range(now + duration if ahead else now - duration)
    if not re.search(r"\d[T ]\d", bare):  # a week: neither a day nor a moment
        raise ValueError(f"neither a time, a date nor a duration: {written!r}")
    return parse_time(bare)
