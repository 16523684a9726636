"""Curves, the matrix and the reverse question: their numbers, and how they are drawn."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rich.cells import cell_len

from hebbctl import fields, policies
from hebbctl.curves import CURVES
from hebbctl.models import Settings, Traits
from hebbctl.render import charts as drawing
from hebbctl.render.canvas import Canvas, between
from hebbctl.settings import defaults
from hebbctl.usecases import charts

DEFAULTS = defaults()
PARTITIONS = st.sampled_from(policies.KNOWN)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "half_life_days": st.floats(1e-6, 3650),
        "k_importance": st.floats(0, 10),
        "k_access": st.floats(0, 10),
        "threshold": st.floats(0.001, 0.999),
        "enabled": st.booleans(),
        "curve": st.sampled_from(list(CURVES)),
        "default_ttl_days": st.floats(1e-3, 1e5),
    },
)
SETTINGS = st.builds(
    lambda override, floor: Settings(
        DEFAULTS.values | {"forget_min_retention_days": floor},
        dict.fromkeys(policies.KNOWN, override),
        (),
    ),
    FIELDS,
    st.floats(0, 400),
)
DAYS = st.floats(charts.SHORTEST, charts.LONGEST)
SCREENS = st.builds(drawing.Screen, st.integers(20, 200), st.booleans(), st.booleans())
PLAIN = drawing.Screen(80, True, False)


def written(lines) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines]


def lifetime_days(policy, importance, count) -> float | None:
    lifetime = policies.lifetime(policy, Traits(importance, count))
    return None if lifetime is None else lifetime / policies.DAY


def test_typical_memories_are_those_of_the_specification_with_both_numbers() -> None:
    found = charts.typical(DEFAULTS, "mem_notes", days=None)
    assert [(one.name, one.importance, one.access_count) for one in found.curves] == [
        ("2/1", 2, 1),
        ("5/1", 5, 1),
        ("8/5", 8, 5),
    ]
    assert [one.time_constant_days for one in found.curves] == pytest.approx([93, 129, 201])
    assert found.curves[0].true_half_life_days == pytest.approx(64.4627, abs=1e-4)
    assert found.days == 300


@given(SETTINGS, PARTITIONS, st.none() | DAYS)
def test_points_of_a_curve_are_the_policy_s_own_and_reach_its_end(settings, partition, days):
    found = charts.typical(settings, partition, days=days)
    policy = policies.effective(partition, settings)
    for one in found.curves:
        retention = [
            policies.retention(
                policy, Traits(one.importance, one.access_count), idle=day * policies.DAY
            )
            for day, _ in one.points
        ]
        assert [share for _, share in one.points] == pytest.approx(retention)
        assert retention == sorted(retention, reverse=True)
        assert one.forgotten_after_days == lifetime_days(policy, one.importance, one.access_count)
        first, last = one.points[0][0], one.points[-1][0]
        assert (first, last) == (0, pytest.approx(found.days))
        assert 25 <= len(one.points) <= 60
        if days is None and one.forgotten_after_days is not None:
            assert one.forgotten_after_days <= found.days or found.days == charts.LONGEST


@given(SETTINGS, PARTITIONS)
def test_every_cell_of_the_matrix_is_the_lifetime_of_such_a_memory(settings, partition):
    found = charts.matrix(settings, partition)
    policy = policies.effective(partition, settings)
    reads = CURVES[policy.curve].reads
    assert found.importances == ((10, 8, 5, 2, 0) if "importance" in reads else (0,))
    assert found.access_counts == (
        (0, 1, 2, 5, 10, 25, 50, 100) if "access_count" in reads else (0,)
    )
    assert found.days == tuple(
        tuple(lifetime_days(policy, importance, count) for count in found.access_counts)
        for importance in found.importances
    )


@pytest.mark.parametrize(("row", "column", "days"), [(1, 4, 530.95), (4, 0, 108.36)])
def test_known_cells_of_the_matrix(row, column, days) -> None:
    found = charts.matrix(DEFAULTS, "mem_semantic")
    assert found.days[row][column] == pytest.approx(days, abs=0.005)


STEPS = {"access_count": 1, "importance": 0.01, "half_life_days": 0.001, "default_ttl_days": 0.001}
LEAST = STEPS | {"access_count": 0, "importance": 0}
MOST = {
    "access_count": fields.MOST_ACCESSES,
    "importance": 10,
    "half_life_days": 3650,
    "default_ttl_days": 365_000,
}


@given(SETTINGS, PARTITIONS, DAYS)
def test_what_is_needed_is_enough_and_a_little_less_is_not(settings, partition, keep_days):
    policy = policies.effective(partition, settings)
    idle = keep_days * policies.DAY

    def survives(importance=0.0, access_count=0, **parameters):
        tried = policy._replace(**parameters)
        ttl = parameters.get("default_ttl_days")
        if ttl is not None and idle >= ttl * policies.DAY:
            return False
        return not policies.is_forgotten(tried, Traits(importance, access_count), idle=idle)

    found = charts.needs(settings, partition, None, keep_days=keep_days)
    for need in (one for one in found.needs if one.needs != "S"):
        if need.smallest is None:
            assert not survives(**need.given | {need.needs: MOST[need.needs]})
            continue
        assert LEAST[need.needs] <= need.smallest <= MOST[need.needs]
        assert survives(**need.given | {need.needs: need.smallest})
        if need.smallest > LEAST[need.needs]:
            less = round(need.smallest - STEPS[need.needs], 3)
            assert not survives(**need.given | {need.needs: less})


@pytest.mark.parametrize("curve", CURVES)
def test_nothing_is_given_or_needed_that_a_curve_does_not_read(curve) -> None:
    settings = DEFAULTS._replace(values=DEFAULTS.values | {"curve": curve})
    found = charts.needs(settings, "mem_notes", None, keep_days=90).needs
    named = {name for one in found for name in (*one.given, one.needs)} - {"S"}
    can_be_set = {"importance", "access_count", "half_life_days", "default_ttl_days"}
    assert named == can_be_set & {*CURVES[curve].reads}


def test_week_at_a_tenth_needs_the_published_strength() -> None:
    settings = DEFAULTS._replace(overrides={"mem_notes": {"threshold": 0.1}})
    *_, half_life = charts.needs(settings, "mem_notes", None, keep_days=7).needs
    assert (half_life.needs, half_life.smallest) == ("half_life_days", 3.041)


def test_week_at_a_tenth_takes_three_recalls_in_memorybank() -> None:
    override = {"curve": "memorybank", "threshold": 0.1}
    settings = DEFAULTS._replace(overrides={"mem_notes": override})
    recalls, strength = charts.needs(settings, "mem_notes", None, keep_days=7).needs
    assert (recalls.given, recalls.needs, recalls.smallest) == ({}, "access_count", 3)
    assert (strength.needs, round(strength.smallest, 2)) == ("S", 3.04)


def test_no_access_count_is_enough_where_accesses_do_not_count() -> None:
    settings = DEFAULTS._replace(overrides={"mem_notes": {"k_access": 0}})
    needs = charts.needs(settings, "mem_notes", None, keep_days=100).needs
    found = {need.given["importance"]: need.smallest for need in needs[:5]}
    assert found == {10: 0, 8: 0, 5: 0, 2: 0 if 60 * 1.4 * 1.204 > 100 else None, 0: None}


@given(SETTINGS, PARTITIONS, st.none() | DAYS, SCREENS)
def test_no_line_is_wider_than_the_screen_and_ascii_stays_ascii(settings, partition, days, screen):
    lines = [
        *written(drawing.curves(charts.typical(settings, partition, days=days), screen)),
        *written(drawing.matrix(charts.matrix(settings, partition), screen)),
    ]
    assert max(map(cell_len, lines)) <= screen.width
    assert "\n" not in "".join(lines)
    assert "".join(lines).isascii() or not screen.ascii_only


def test_chart_in_ascii_is_readable_without_colour() -> None:
    lines = written(drawing.curves(charts.typical(DEFAULTS, "mem_notes", days=None), PLAIN))
    plot = lines[1:14]
    assert plot[0].startswith("   1 |c")
    [row] = [line for line in plot if line.startswith(" 0.3 |")]
    margin = len(" 0.3 |")
    marked = [row.index(letter) - margin for letter in "ABC"]
    columns = 80 - margin
    assert marked == [round(day / 300 * (columns - 1)) for day in (111.969, 155.312, 241.999)]
    assert row.count("-") > 30
    assert lines[15].split() == ["0", "50", "100", "150", "200", "250", "300"]
    assert lines[17].split() == "A 2 1 93 d 64.46 d 112 d".split()


def test_curve_that_ends_beyond_the_chart_keeps_a_small_letter() -> None:
    plot = written(drawing.curves(charts.typical(DEFAULTS, "mem_notes", days=60), PLAIN))[1:14]
    assert not set("ABC") & set("".join(plot))
    assert sorted(line[-1] for line in plot if line[-1] in "abc") == ["a", "b", "c"]


def test_same_curves_have_their_letters_side_by_side() -> None:
    settings = DEFAULTS._replace(overrides={"mem_notes": {"k_access": 0, "k_importance": 0}})
    lines = written(drawing.curves(charts.typical(settings, "mem_notes", days=None), PLAIN))
    assert any("ABC" in line for line in lines[1:14])


@pytest.mark.parametrize(
    ("override", "told"),
    [({"enabled": False}, "never (disabled)"), ({"half_life_days": 0.001}, "1 d (floor)")],
)
def test_legend_says_what_else_decides(override, told) -> None:
    settings = DEFAULTS._replace(overrides={"mem_notes": override})
    lines = written(drawing.curves(charts.typical(settings, "mem_notes", days=None), PLAIN))
    assert sum(told in line for line in lines) == 3


@given(st.floats(0.01, 36_500), st.integers(12, 200))
def test_ticks_are_ascending_numbers_that_do_not_touch(days, columns):
    canvas = Canvas(columns, 13, ascii_only=True)
    ticks = drawing._ticks(days, canvas)
    labels = drawing._tick_labels(ticks, columns)
    assert labels.split() in (list(ticks.values()), list(ticks.values())[:-1])
    assert ticks[0] == "0"
    assert len(labels) <= columns
    assert all(float(label) <= days * (1 + 1e-6) for label in labels.split())


@pytest.mark.parametrize(
    ("days", "ascii_only", "shown"),
    [
        (72.2383, False, "72.2"),
        (99.96, False, "100"),
        (144.5001, False, "145"),
        (3650, False, "3650"),
        (3650.1, False, "∞"),
        (None, False, "∞"),
        (None, True, "inf"),
    ],
)
def test_days_in_the_matrix_are_short_and_infinite_when_far(days, ascii_only, shown) -> None:
    assert drawing.short_days(days, ascii_only=ascii_only) == shown


def test_heat_falls_from_days_to_years_without_repeating_a_colour() -> None:
    styles = [drawing.heat(days) for days in (1, 20, 60, 120, 300, 900, 3000, 4000)]
    assert len(set(styles)) == len(styles)
    assert drawing.heat(None) == styles[-1]


def test_narrow_matrix_drops_columns_and_keeps_every_row() -> None:
    found = charts.matrix(DEFAULTS, "mem_notes")
    wide, narrow = (written(drawing._heat_map(found, PLAIN._replace(width=w))) for w in (80, 20))
    assert wide[0].split() == ["0", "1", "2", "5", "10", "25", "50", "100"]
    assert narrow[0].split() == ["0", "10", "100"]
    assert [line.split()[0] for line in narrow[1:]] == ["10", "8", "5", "2", "0"]


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_between_two_points_a_curve_is_straight(low, high, x):
    assume(low >= high)
    assert between([(0, low), (1, high)], x) == pytest.approx(low + x * (high - low), abs=1e-9)
    assert between([(0, low), (0.5, high), (1, high)], 0.5) == pytest.approx(high)


def test_dots_of_a_cell_form_one_braille_character() -> None:
    canvas = Canvas(1, 1, ascii_only=False)
    canvas.curve([(0, 1), (1, 0)], until=1, letter="a", style="cyan")
    assert canvas.line(0) == [("⢱", "cyan")]
