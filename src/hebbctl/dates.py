"""Dates and ranges as people write them in a question, in English and Chinese, as days."""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple


class Span(NamedTuple):
    """Some days: the first, and the one after the last."""

    since: date
    until: date


class Calendar(NamedTuple):
    """What a date without a year, or a word such as yesterday, is counted from.

    A date without a year is meant in each year from ``first_year`` to that of ``today``.
    """

    today: date
    first_year: int

    def years(self) -> range:
        return range(self.first_year, self.today.year + 1)


class Named(NamedTuple):
    """The days that one date means, and where it stands in the query."""

    start: int
    end: int
    days: list[Span]


Groups = dict[str, str]
Reader = Callable[[Groups, Calendar], list[Span]]
DAY = timedelta(days=1)
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
WEEKDAYS = "mon tue wed thu fri sat sun".split()
FEW = {"a": 1, "an": 1, "couple of": 2} | {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten".split(), start=1
    )
}
HAN = {digit: number for number, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
HAN_WEEKDAYS = {**dict(zip("一二三四五六日", range(7), strict=True)), "天": 6}

MONTH = (
    "(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
WEEKDAY = r"(?P<weekday>mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b"
NTH = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
YEAR = r"(?P<year>(?:19|20)\d\d)"
COUNT = rf"(?P<count>\d{{1,4}}|{'|'.join(FEW)})"
HAN_COUNT = "(?P<count>[0-9]{1,4}|[一二两三四五六七八九十]{1,3})"
HAN_MONTH = "(?P<month>[0-9]{1,2}|[一二三四五六七八九十]{1,2})月份?"
HAN_DAY = "(?P<day>[0-9]{1,2}|[一二三四五六七八九十]{1,3})[日号號]?"
# A month's name is a word, too. Without a day or a year it is one only after one of these.
BEFORE_A_MONTH = "in|of|last|this|since|during|early|late|mid|until|before|after|around"
UNITS = {
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "年": "year",
}
JOINING = re.compile(r"\s*(?:-|–|—|~|～|to|until|till|through|and|到|至|和)\s*")


def spans(query: str, calendar: Calendar) -> list[Span]:
    """Return the days that a question names, in their order; none where it names none.

    Two dates may be joined: from May 2 to May 5, 5月1日到3日. ``since`` and ``before`` open a range
    at one end.
    """
    found: list[Named] = []
    for named in _named(query, calendar):
        if found and JOINING.fullmatch(query[found[-1].end : named.start]):
            first = found.pop()
            named = Named(first.start, named.end, _joined(first.days, named.days))
        found.append(named)
    return [span for named in found for span in _opened(query, named, calendar)]


def _named(query: str, calendar: Calendar) -> Iterator[Named]:
    """Yield each date; where several readings begin, the one that reads most of the text."""
    at, last = 0, 0  # last: the month to which a bare 3日 of a range belongs
    while True:
        matches = [
            (match, read) for pattern, read in _readers() if (match := pattern.search(query, at))
        ]
        if not matches:
            return
        match, read = min(matches, key=lambda one: (_start(one[0]), -one[0].end()))
        groups = {name: text for name, text in match.groupdict().items() if text}
        at = match.end()
        if "month" in groups:
            last = _month(groups["month"])
        elif "day" in groups and last:
            groups["month"] = str(last)
        try:
            days = read(groups, calendar)
        except (ValueError, OverflowError, KeyError):  # February 30; a bare day without a month
            continue
        yield Named(_start(match), match.end(), days)


def _start(match: re.Match[str]) -> int:
    """Return where a date begins: the word before it only says that it is one."""
    return match.end("before") if "before" in match.re.groupindex else match.start()


@cache
def _readers() -> list[tuple[re.Pattern[str], Reader]]:
    """Return the patterns, each with how it is read. Compiled at the first query with a date."""
    return [(re.compile(pattern, re.IGNORECASE), read) for pattern, read in READERS]


def _joined(first: list[Span], second: list[Span]) -> list[Span]:
    """Return the days from one date to another: of several years, from the latest before it."""
    found = []
    for last in second:
        if before := [one.since for one in first if one.since < last.until]:
            found.append(Span(before[-1], last.until))
    return found


def _opened(query: str, named: Named, calendar: Calendar) -> Iterator[Span]:
    """Yield the days of a date, or all from it on or up to it where a word says so."""
    before, after = query[: named.start].lower(), query[named.end :]
    for span in named.days:
        if re.search(r"\b(?:since|after)\s+(?:the\s+)?$", before) or re.match(
            "以来|之后|以后", after
        ):
            yield Span(span.since, calendar.today + DAY)
        elif re.search(r"\b(?:before|until)\s+(?:the\s+)?$", before) or re.match(
            "之前|以前", after
        ):
            yield Span(date.min, span.since)
        else:
            yield span


def _number(written: str) -> int:
    """Read 12, 十二, 二十, a, or one."""
    if written.isdigit():
        return int(written)
    if written.lower() in FEW:
        return FEW[written.lower()]
    tens, ten, ones = written.rpartition("十")
    if not ten:
        return int("".join(str(HAN[digit]) for digit in written))
    return 10 * (HAN[tens] if tens else 1) + (HAN[ones] if ones else 0)


def _month(written: str) -> int:
    name = written.lower()[:3]
    return MONTHS.index(name) + 1 if name in MONTHS else _number(written)


def _one_day(day: date) -> list[Span]:
    return [Span(day, day + DAY)]


def _whole_month(year: int, month: int) -> Span:
    """Return a month; 0 is the December before, 13 the January after."""
    start, after = year * 12 + month - 1, year * 12 + month
    return Span(date(start // 12, start % 12 + 1, 1), date(after // 12, after % 12 + 1, 1))


def _whole_year(year: int) -> Span:
    return Span(date(year, 1, 1), date(year + 1, 1, 1))


def _monday(day: date) -> date:
    return day - day.weekday() * DAY


def _week(monday: date) -> list[Span]:
    return [Span(monday, monday + 7 * DAY)]


def _full(groups: Groups, calendar: Calendar) -> list[Span]:
    return _one_day(date(int(groups["year"]), _month(groups["month"]), _number(groups["day"])))


def _day_of_any_year(groups: Groups, calendar: Calendar) -> list[Span]:
    month, day = _month(groups["month"]), _number(groups["day"])
    date(2000, month, day)  # a leap year: no such day in any
    years = [year for year in calendar.years() if (month, day) != (2, 29) or _is_leap(year)]
    return [span for year in years for span in _one_day(date(year, month, day))]


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _month_of_year(groups: Groups, calendar: Calendar) -> list[Span]:
    return [_whole_month(int(groups["year"]), _checked_month(groups))]


def _month_of_any_year(groups: Groups, calendar: Calendar) -> list[Span]:
    return [_whole_month(year, _checked_month(groups)) for year in calendar.years()]


def _checked_month(groups: Groups) -> int:
    return date(2000, _month(groups["month"]), 1).month


def _last_month_named(groups: Groups, calendar: Calendar) -> list[Span]:
    """Read "last May": the latest one that is over."""
    month = _checked_month(groups)
    return [_whole_month(calendar.today.year - (month >= calendar.today.month), month)]


def _some_days(groups: Groups, calendar: Calendar) -> list[Span]:
    """Read "May 2-5"."""
    last = _day_of_any_year(groups | {"day": groups["last"]}, calendar)
    return _joined(_day_of_any_year(groups, calendar), last)


def _of_a_year_back(groups: Groups, calendar: Calendar) -> list[Span]:
    """Read 去年5月 and 去年5月2号."""
    year = calendar.today.year - YEARS_BACK[groups["back"]]
    reader = _full if "day" in groups else _month_of_year
    return reader(groups | {"year": str(year)}, calendar)


def _year(groups: Groups, calendar: Calendar) -> list[Span]:
    return [_whole_year(int(groups["year"]))]


def _ago(groups: Groups, calendar: Calendar) -> list[Span]:
    """Read "3 days ago" as that day, of weeks, months and years as the whole one."""
    unit = groups["unit"].lower()
    return _back(UNITS.get(unit, unit.removesuffix("s")), _number(groups["count"]), calendar.today)


def _back(unit: str, count: int, today: date) -> list[Span]:
    if unit == "day":
        return _one_day(today - count * DAY)
    if unit == "week":
        return _week(_monday(today) - 7 * count * DAY)
    if unit == "month":
        months = today.year * 12 + today.month - 1 - count
        return [_whole_month(months // 12, months % 12 + 1)]
    return [_whole_year(today.year - count)]


def _last_few(groups: Groups, calendar: Calendar) -> list[Span]:
    """Read "the last 3 days" as all of them up to today."""
    unit = UNITS.get(groups["unit"].lower(), groups["unit"].lower().removesuffix("s"))
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[unit] * _number(groups["count"])
    return [Span(calendar.today - days * DAY, calendar.today + DAY)]


def _whole(unit: str, count: int) -> Reader:
    return lambda groups, calendar: _back(unit, count, calendar.today)


def _weekday(groups: Groups, calendar: Calendar) -> list[Span]:
    """Read "on Friday" as the latest one before today, today itself included."""
    number = WEEKDAYS.index(groups["weekday"].lower()[:3])
    return _one_day(calendar.today - (calendar.today.weekday() - number) % 7 * DAY)


def _last_weekday(groups: Groups, calendar: Calendar) -> list[Span]:
    """Read "last Friday" as the latest one before today."""
    number = WEEKDAYS.index(groups["weekday"].lower()[:3])
    return _one_day(calendar.today - ((calendar.today.weekday() - number - 1) % 7 + 1) * DAY)


def _han_weekday(groups: Groups, calendar: Calendar) -> list[Span]:
    """Read 周五 as the latest one, 上周五 as that of the week before, which begins on Monday."""
    number, weeks = HAN_WEEKDAYS[groups["weekday"]], groups.get("back", "").count("上")
    if not groups.get("back"):
        return _one_day(calendar.today - (calendar.today.weekday() - number) % 7 * DAY)
    return _one_day(_monday(calendar.today) + (number - 7 * weeks) * DAY)


def _han_week(groups: Groups, calendar: Calendar) -> list[Span]:
    return _week(_monday(calendar.today) - 7 * groups["back"].count("上") * DAY)


YEARS_BACK = {"今年": 0, "去年": 1, "前年": 2}
WEEK_NAME = "(?:个|個)?(?:周|週|星期|礼拜|禮拜)"
READERS: list[tuple[str, Reader]] = [
    (rf"\b{YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})\b", _full),
    (rf"{YEAR}年{HAN_MONTH}{HAN_DAY}", _full),
    (rf"\b{MONTH}\s*{NTH},?\s+{YEAR}\b", _full),
    (rf"\b{NTH}\s+(?:of\s+)?{MONTH},?\s+{YEAR}\b", _full),
    (
        rf"(?P<back>{'|'.join(YEARS_BACK)})的?{HAN_MONTH}(?:{HAN_DAY}(?<=[日号號]))?",
        _of_a_year_back,
    ),
    (rf"{HAN_MONTH}{HAN_DAY}[-~到至](?P<last>\d{{1,2}})[日号號]", _some_days),
    (rf"\b{MONTH}\s*{NTH}\s*[-–]\s*(?P<last>\d{{1,2}})\b(?![-/])", _some_days),
    (rf"{HAN_MONTH}{HAN_DAY}(?<=[日号號])", _day_of_any_year),
    (r"(?<=[-到至~和])\s*(?P<day>\d{1,2})[日号號]", _day_of_any_year),
    (rf"\b{MONTH}\s*{NTH}\b", _day_of_any_year),
    (rf"\b{NTH}\s+(?:of\s+)?{MONTH}", _day_of_any_year),
    (rf"\b{YEAR}[-/](?P<month>\d{{1,2}})\b(?![-/]\d)", _month_of_year),
    (rf"{YEAR}年{HAN_MONTH}", _month_of_year),
    (rf"\b{MONTH},?\s+(?:of\s+)?{YEAR}\b", _month_of_year),
    (rf"\blast\s+{MONTH}", _last_month_named),
    (rf"(?P<before>\b(?:{BEFORE_A_MONTH})\s+){MONTH}", _month_of_any_year),
    (
        rf"(?<![0-9一二三四五六七八九十]){HAN_MONTH}(?![0-9一二三四五六七八九十])",
        _month_of_any_year,
    ),
    (rf"{YEAR}年", _year),
    (rf"(?P<before>\b(?:in|since|during|of|before|after|until|year)\s+){YEAR}\b(?!-)", _year),
    (r"\bday before yesterday\b|(?<!大)前天|前日", _whole("day", 2)),
    (r"大前天", _whole("day", 3)),
    (r"(?<!before )\byesterday\b|\blast night\b|昨[天日晚]", _whole("day", 1)),
    (
        r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|今[天日早晚]",
        _whole("day", 0),
    ),
    (r"\b(?:the )?week before last\b", _whole("week", 2)),
    (r"\blast week\b", _whole("week", 1)),
    (r"\bthis week\b", _whole("week", 0)),
    (r"\blast month\b|上(?:个|個)?月", _whole("month", 1)),
    (r"\bthis month\b|(?:这|這|本)(?:个|個)?月", _whole("month", 0)),
    (r"\blast year\b|去年", _whole("year", 1)),
    (r"\bthis year\b|今年", _whole("year", 0)),
    (r"前年", _whole("year", 2)),
    (rf"\b(?:last|past)\s+{WEEKDAY}", _last_weekday),
    (rf"(?P<before>\b(?:on|this|since)\s+){WEEKDAY}", _weekday),
    (rf"\b{COUNT}\s+(?P<unit>days?|weeks?|months?|years?) ago\b", _ago),
    (rf"{HAN_COUNT}(?:个|個)?(?P<unit>天|日|周|星期|礼拜|月|年)(?:之前|以前|前)", _ago),
    (rf"\b(?:last|past)\s+{COUNT}\s+(?P<unit>days|weeks|months|years)\b", _last_few),
    (rf"(?:最近|过去|近){HAN_COUNT}(?:个|個)?(?P<unit>天|日|周|星期|礼拜|月|年)", _last_few),
    (rf"(?P<back>上{{1,4}}|这|這|本){WEEK_NAME}(?P<weekday>[一二三四五六日天])", _han_weekday),
    (r"(?:周|週|星期|礼拜|禮拜)(?P<weekday>[一二三四五六日天])", _han_weekday),
    (rf"(?P<back>上{{1,4}}|这|這|本){WEEK_NAME}(?![一二三四五六日天])", _han_week),
]
