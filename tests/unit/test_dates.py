"""Dates in questions: read as people write them, in English and Chinese, and never in error."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebbctl.dates import Calendar, Span, spans

TODAY = date(2026, 11, 30)  # a Monday
CALENDAR = Calendar(TODAY, first_year=2025)
DAY = timedelta(days=1)


def written(query: str) -> str:
    """Return the days a query names as 2026-05-02, or from the first to the last of several."""
    found = []
    for span in spans(query, CALENDAR):
        last = span.until - DAY
        found.append(f"{span.since}" if last == span.since else f"{span.since}..{last}")
    return " ".join(found)


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("2026-03-05", "2026-03-05"),
        ("notes of 2026/3/5", "2026-03-05"),
        ("what was decided on May 8, 2023?", "2023-05-08"),
        ("8 May 2023", "2023-05-08"),
        ("the 2nd of May, 2024", "2024-05-02"),
        ("2023年5月8日", "2023-05-08"),
        ("2023年五月二十三号", "2023-05-23"),
        ("2026-03", "2026-03-01..2026-03-31"),
        ("March 2026", "2026-03-01..2026-03-31"),
        ("2024年12月", "2024-12-01..2024-12-31"),
        ("in 2023", "2023-01-01..2023-12-31"),
        ("2023年", "2023-01-01..2023-12-31"),
        ("在5月2号我买了什么", "2025-05-02 2026-05-02"),
        ("on May 2nd", "2025-05-02 2026-05-02"),
        ("十二月", "2025-12-01..2025-12-31 2026-12-01..2026-12-31"),
        ("in May", "2025-05-01..2025-05-31 2026-05-01..2026-05-31"),
        ("last May", "2026-05-01..2026-05-31"),
        ("last December", "2025-12-01..2025-12-31"),
        ("去年5月", "2025-05-01..2025-05-31"),
        ("去年5月2号", "2025-05-02"),
        ("today", "2026-11-30"),
        ("昨天", "2026-11-29"),
        ("yesterday", "2026-11-29"),
        ("the day before yesterday", "2026-11-28"),
        ("前天", "2026-11-28"),
        ("大前天", "2026-11-27"),
        ("3 days ago", "2026-11-27"),
        ("三天前", "2026-11-27"),
        ("last week", "2026-11-23..2026-11-29"),
        ("上周", "2026-11-23..2026-11-29"),
        ("上上个星期", "2026-11-16..2026-11-22"),
        ("two weeks ago", "2026-11-16..2026-11-22"),
        ("上周五", "2026-11-27"),
        ("上上周五", "2026-11-20"),
        ("last Friday", "2026-11-27"),
        ("last Monday", "2026-11-23"),
        ("on Monday", "2026-11-30"),
        ("last month", "2026-10-01..2026-10-31"),
        ("上个月", "2026-10-01..2026-10-31"),
        ("3个月前", "2026-08-01..2026-08-31"),
        ("last year", "2025-01-01..2025-12-31"),
        ("前年", "2024-01-01..2024-12-31"),
        ("the last 3 days", "2026-11-27..2026-11-30"),
        ("最近三天", "2026-11-27..2026-11-30"),
        ("from May 2 to May 5, 2026", "2026-05-02..2026-05-05"),
        ("from 2026-05-02 to 2026-05-05", "2026-05-02..2026-05-05"),
        ("between 2026-05-02 and 2026-05-05", "2026-05-02..2026-05-05"),
        ("from December 30 to January 2, 2026", "2025-12-30..2026-01-02"),
        ("May 2-5", "2025-05-02..2025-05-05 2026-05-02..2026-05-05"),
        ("5月1日到3日", "2025-05-01..2025-05-03 2026-05-01..2026-05-03"),
        ("5月1-3日", "2025-05-01..2025-05-03 2026-05-01..2026-05-03"),
        ("since March 2026", "2026-03-01..2026-11-30"),
        ("3月以来", "2025-03-01..2026-11-30 2026-03-01..2026-11-30"),
        ("before 2024", "0001-01-01..2023-12-31"),
        ("yesterday and on May 2", "2026-11-29 2025-05-02 2026-05-02"),
    ],
)
def test_date_is_read_as_the_days_it_means(query: str, days: str) -> None:
    assert written(query) == days


@pytest.mark.parametrize(
    "query",
    [
        *("", "may I ask", "march on", "the second decision", "version 2.0.2024", "Feb 30"),
        *("2024-13", "room 12", "3 GB/s", "一个月亮", "日月", "2024 files", "May", "sun cream"),
        *("二十三号", "on the sunny side", "9999999999-99-99", "99月99日", "2月30日"),
    ],
)
def test_what_is_no_date_is_not_taken_for_one(query: str) -> None:
    assert spans(query, CALENDAR) == []


def test_leap_day_is_meant_only_in_the_years_that_have_it() -> None:
    found = spans("February 29", Calendar(TODAY, first_year=2019))
    assert [span.since.year for span in found] == [2020, 2024]


@given(
    st.dates(date(1900, 1, 1), date(2099, 12, 30)), st.sampled_from(["%Y-%m-%d", "%Y年%m月%d日"])
)
def test_day_in_full_is_found_in_any_sentence(day: date, form: str) -> None:
    assert spans(f"what happened {day.strftime(form)}?", CALENDAR) == [Span(day, day + DAY)]


WORDS = st.sampled_from(
    "may last 5 2 2023 - 月 日 年 号 to from since before ago week 上 周 五 十 2nd 前 天".split()
)
TODAYS = st.dates(date(1970, 1, 1), date(9998, 12, 31))


@given(st.lists(WORDS | st.text(max_size=5)), st.sampled_from(["", " "]), TODAYS)
def test_any_text_gives_days_in_order_and_never_an_error(words, gap: str, today: date) -> None:
    found = spans(gap.join(words), Calendar(today, first_year=1970))
    assert all(span.since < span.until for span in found)
