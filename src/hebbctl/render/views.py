"""The words of the longer answers: an explanation, totals and a policy, as fields and values."""

from typing import TYPE_CHECKING, Any

from hebbctl.curves import CURVES
from hebbctl.render.cells import infinity, is_far
from hebbctl.times import to_the_second

if TYPE_CHECKING:  # 5 ms that a list need not spend
    from hebbctl.reports import Explanation, PolicyView
    from hebbctl.usecases.benchmark import RecallReport
    from hebbctl.usecases.charts import Curves, Matrix, Needs

Rows = list[dict[str, Any]]
FIELD_VALUE = ("field", "value")
NEEDED = ("given", "needs", "smallest")


def pairs(fields: dict[str, Any]) -> Rows:
    """Return one row for each field; what is nested gets a row for each of its own fields."""
    rows = []
    for name, value in fields.items():
        if isinstance(value, dict) and name != "metadata":
            rows += [{"field": f"{name}.{key}", "value": one} for key, one in value.items()]
        else:
            rows.append({"field": name, "value": value})
    return rows


def explanation(found: "Explanation") -> Rows:
    """Return the arithmetic in the order a reader checks it."""
    lines = {
        "memory": f"{found.id} ({found.state}, {found.partition})",
        "content": found.content,
        "verdict": found.verdict,
        "curve": f"{found.curve}: {found.source}",
        "formula": found.formula,
        "time constant": _time_constant(found),
        "true half-life": f"{_days(found.true_half_life_days)}: half is left after it",
        "idle": _idle(found),
        "retention": _retention(found),
        **_weighed(found),
        "threshold": _threshold(found),
        "floor": f"{found.min_retention_days:g} d: no memory is forgotten sooner"
        + (" (it applies here)" if found.decided_by == "floor" else ""),
        "lifetime": "for ever"
        if found.lifetime_days is None
        else f"{_days(found.lifetime_days)} without use",
        "decided by": found.decided_by,
        **_stale(found),
        "forgotten": _forgotten(found),
        "erased": _sweeping("will be erased on", found.erased_at)
        if found.returns_at is None
        else f"not while its successor lives; live again on {to_the_second(found.returns_at)}",
        "settings": ", ".join(f"{field} {found.origins[field]}" for field in _deciding(found)),
    }
    return pairs(lines)


def _deciding(found: "Explanation") -> list[str]:
    """Return the fields of the policy that matter here."""
    reads = CURVES[found.curve].reads
    always = {"threshold", "min_retention_days", "enabled", "curve"}
    return [field for field in found.origins if field in reads or field in always]


def _retention(found: "Explanation") -> str:
    anchored = "" if found.anchor == 1 else f"{found.anchor:g} * "
    return f"{found.retention:.6g} = {anchored}{found.arithmetic}"


def _weighed(found: "Explanation") -> dict[str, str]:
    """Return what else of a memory counts under its curve, or does not although it may seem so."""
    if found.curve.startswith("cortexgraph"):
        gain = f"{found.gain:.6g} * {found.retention:.6g}"
        return {"vitality": f"{found.vitality:.6g} = {gain}: strength {found.strength:g}"}
    if found.curve == "memorybank":
        return {"strength": f"{found.strength:g} when it was stored"}
    if found.curve.startswith("jarvis") and found.frequency:
        return {"frequency": f"{found.frequency:g}: it has no effect on retention"}
    return {}


def _threshold(found: "Explanation") -> str:
    compared = "vitality" if found.curve.startswith("cortexgraph") else "retention"
    at = "at or below" if found.curve == "amnesia" else "below"
    return f"{found.threshold:g}: forgotten when {compared} is {at} it"


def _stale(found: "Explanation") -> dict[str, str]:
    if found.stale_at is None:
        return {}
    since = "since" if found.state == "stale" else "from"
    when = f"{since} {to_the_second(found.stale_at)}"
    return {"stale": f"{when}: below {found.stale_threshold:g} it is recalled, never injected"}


def _time_constant(found: "Explanation") -> str:
    if found.curve != "hebb":
        return f"{_days(found.time_constant_days)}: 37 % is left after it"
    return (
        f"{_days(found.time_constant_days)} = {found.half_life_days:g} * (1"
        f" + {found.k_importance:g} * {found.importance:g}/10"
        f" + {found.k_access:g} * {found.access_count}/10): 37 % is left after it"
    )


def _idle(found: "Explanation") -> str:
    since = to_the_second(found.idle_since_at)
    if found.last_access_in_future:
        return f"0 d: the last use, {since}, lies in the future"
    return f"{_days(found.idle_days)} since {since}"


def _forgotten(found: "Explanation") -> str:
    if found.decided_by == "archived" and found.forgotten_at is not None:
        return f"archived on {to_the_second(found.forgotten_at)}"
    if found.due and found.forgotten_at is not None:
        return f"due since {to_the_second(found.forgotten_at)}: by the next sweep"
    return _sweeping("will be forgotten on", found.forgotten_at)


def _sweeping(words: str, time: int | None) -> str:
    return (
        "never" if time is None else f"{words} {to_the_second(time)}, by the first sweep after it"
    )


def _days(days: float) -> str:
    return f"{days:.6g} d"


def policy(found: "PolicyView") -> Rows:
    """Return each field with its origin and what it would be without the override."""
    rows: Rows = [{"field": "partition", "value": found.partition, "origin": "", "inherited": ""}]
    for field, origin in found.origins.items():
        row = {"field": field, "value": getattr(found, field), "origin": origin}
        rows.append(row | {"inherited": found.inherited[field]})
    for field, value in (
        ("true_half_life_days", found.true_half_life_days),
        ("neutral_lifetime_days", found.neutral_lifetime_days),
        ("live", found.live),
    ):
        rows.append({"field": field, "value": value, "origin": "computed", "inherited": ""})
    return rows


def samples(found: "Curves") -> tuple[list[str], Rows]:
    """Return the columns and rows of curves: the day, and the retention of each."""
    columns = ["day", *(one.name or "retention" for one in found.curves)]
    days = [day for day, _ in found.curves[0].points]
    falling = [[retention for _, retention in one.points] for one in found.curves]
    return columns, [
        dict(zip(columns, row, strict=True)) for row in zip(days, *falling, strict=True)
    ]


def matrix_rows(found: "Matrix", *, ascii_only: bool) -> tuple[list[str], Rows]:
    """Return the columns and rows of a matrix; never, and what is far, as infinity."""
    columns = ["importance", *map(str, found.access_counts)]
    rows = []
    for importance, row in zip(found.importances, found.days, strict=True):
        days = [infinity(ascii_only=ascii_only) if is_far(one) else one for one in row]
        rows.append(dict(zip(columns, [importance, *days], strict=True)))
    return columns, rows


def needs_rows(found: "Needs") -> Rows:
    """Return what is given and the smallest value that is then enough."""
    return [
        {
            "given": ", ".join(f"{name} {value:.15g}" for name, value in one.given.items()),
            "needs": one.needs,
            "smallest": "none is enough" if one.smallest is None else f"{one.smallest:.15g}",
        }
        for one in found.needs
    ]


def measures(found: "RecallReport") -> tuple[list[str], Rows]:
    """Return the columns and rows of what was measured: each category, then all questions."""
    rows = [{"category": name, **one} for name, one in found.categories.items()]
    rows.append({"category": "overall", **found.overall})
    return list(rows[-1]), rows
