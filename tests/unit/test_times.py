"""Times, dates and durations, read and written."""

import time
from datetime import UTC, datetime, timedelta, timezone

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
