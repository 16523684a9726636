"""Times, dates and durations, read and written."""

import contextlib
import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hebbctl import times

TIMES = st.integers(0, times.LAST_TIME)


@given(TIMES)
@example(0)
@example(times.LAST_TIME)
def test_any_time_survives_being_written_and_read(moment: int) -> None:
    assert times.parse_time(times.format_time(moment)) == moment


@given(st.datetimes(datetime(1970, 1, 1), datetime(9999, 12, 31)))
def test_time_without_an_offset_means_utc(moment: datetime) -> None:
    assert times.parse_time(moment.isoformat()) == times.parse_time(f"{moment.isoformat()}Z")


def test_time_without_an_offset_means_utc_whatever_the_machine_says(monkeypatch) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "UTC-9")
        time.tzset()
        read = times.parse_time("1970-01-01")
    time.tzset()
    assert read == 0


@given(TIMES.filter(lambda time: time < times.LAST_TIME - 86_400_000), st.integers(-1439, 1439))
def test_the_same_moment_in_any_offset_is_the_same_time(time: int, minutes: int) -> None:
    utc = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=1, milliseconds=time)
    elsewhere = utc.astimezone(timezone(timedelta(minutes=minutes)))
    assert times.parse_time(elsewhere.isoformat()) == times.parse_time(utc.isoformat())


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ("1970-01-01", 0),
        (" 1970-01-02 ", 86_400_000),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1970-01-01 00:00:00.0019", 1),
        ("9999-12-31T23:59:59.999Z", times.LAST_TIME),
    ],
)
def test_known_times_are_read(written: str, time: int) -> None:
    assert times.parse_time(written) == time


@pytest.mark.parametrize(
    "written",
    [
        *("", "soon", "2026-13-01", "2026-02-30", "1969-12-31T23:59:59Z", "0001-01-01"),
        *("9999-12-31T23:59:59-01:00", "12:30", "1700000000"),
    ],
)
def test_what_is_no_time_of_ours_is_refused(written: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - most of the words are Python's
        times.parse_time(written)


def test_milliseconds_are_written_only_where_there_are_any() -> None:
    assert times.format_time(0) == "1970-01-01T00:00:00Z"
    assert times.format_time(1_500) == "1970-01-01T00:00:01.500Z"


@pytest.mark.parametrize(
    ("written", "duration"),
    [
        ("7d", 7 * times.DAY),
        ("12h", 12 * times.HOUR),
        ("2w", 14 * times.DAY),
        ("1h30m", 90 * times.MINUTE),
        ("1h 30m", 90 * times.MINUTE),
        ("7天", 7 * times.DAY),
        ("７天", 7 * times.DAY),
        ("2周3天", 17 * times.DAY),
        ("90 分钟", 90 * times.MINUTE),
        ("3 Days", 3 * times.DAY),
        ("1 week", 7 * times.DAY),
        ("1.5h", 90 * times.MINUTE),
        (" 30s ", 30 * times.SECOND),
    ],
)
def test_known_durations_are_read(written: str, duration: int) -> None:
    assert times.parse_duration(written) == duration


@pytest.mark.parametrize(
    "written",
    [
        *(
            "",
            " ",
            "d",
            "7",
            "-7d",
            "7d-",
            "0d",
            "0.0000001s",
            "7x",
            "7 d d",
            "1y",
            "nan d",
            "1e3d",
        ),
        *("1M", "9" * 400 + "d", "99999999d", "7d, 3h", "d7", "--7d", "infd"),
    ],
)
def test_what_is_no_duration_is_refused(written: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the words differ
        times.parse_duration(written)


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused_as_a_value_error(written: str) -> None:
    for read in (
        times.parse_duration,
        lambda one: times.parse_moment(one, now=0, midnight=lambda day: 0),
    ):
        with contextlib.suppress(ValueError):
            assert 0 <= read(written) <= times.LAST_TIME


@given(st.integers(0, 99), st.integers(0, 23), st.integers(1, 59))
def test_parts_of_a_duration_add_up(days: int, hours: int, minutes: int) -> None:
    total = days * times.DAY + hours * times.HOUR + minutes * times.MINUTE
    assert times.parse_duration(f"{days}d{hours}h{minutes}m") == total


def test_moment_is_a_time_a_date_or_a_duration_away() -> None:
    def midnight(day: date) -> int:
        return times.parse_time(f"{day}T00:00:00+09:00")

    def read(written: str, **how: bool) -> str:
        now = times.parse_time("2026-01-10T12:00:00Z")
        return times.format_time(times.parse_moment(written, now=now, midnight=midnight, **how))

    assert read("2026-01-05T09:00:00Z") == "2026-01-05T09:00:00Z"
    assert read("2026-01-05") == "2026-01-04T15:00:00Z"
    assert read("2026-01-05", end_of_day=True) == "2026-01-05T15:00:00Z"
    assert read("3d12h") == "2026-01-07T00:00:00Z"
    assert read("3d", ahead=True) == "2026-01-13T12:00:00Z"
    assert read("20260105") == read("2026-01-05")
    for wrong in (
        "yesterday",
        "2026-W05",
        "2026-W05-1",
        "-3d",
        "99999w",
        "2026-02-30",
        "9999-12-31T23:59:59-01:00",
    ):
        with pytest.raises(ValueError):  # noqa: PT011 - the words differ
            read(wrong)
