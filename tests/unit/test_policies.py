"""The published numbers, how a policy is put together, and what must hold for every policy."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hebbctl import curves, policies
from hebbctl.models import Policy, Settings, Traits
from hebbctl.settings import defaults

DEFAULTS = defaults()
POLICIES = st.builds(
    Policy,
    half_life_days=st.floats(0, 3650, exclude_min=True),
    k_importance=st.floats(0, 10),
    k_access=st.floats(0, 10),
    threshold=st.floats(0, 1),
    min_retention_days=st.floats(0, 1e300),
    enabled=st.just(True),
    curve=st.sampled_from(list(curves.CURVES)),
    stale_threshold=st.floats(0, 1, exclude_max=True),
    on_forget=st.just("archive"),
    default_ttl_days=st.floats(0, 1e300),
    max_lifetime_days=st.just(0),
    beta=st.floats(0, 2),
    growth=st.sampled_from(["linear", "log", "decay"]),
    growth_factor=st.floats(0, 1, exclude_min=True),
    time_unit=st.sampled_from(list(curves.UNIT_DAYS)),
)
IMPORTANCE = st.integers(0, 10) | st.floats(0, 10)
COUNT = st.integers(0, 10**15)
IDLE = st.integers(0, policies.FOREVER)
OVERRIDES = st.fixed_dictionaries(
    {},
    optional={
        "half_life_days": st.floats(0.1, 3650),
        "k_importance": st.floats(0, 10),
        "k_access": st.floats(0, 10),
        "threshold": st.floats(0.01, 0.99),
        "enabled": st.booleans(),
    },
)


def settings(overrides: dict | None = None, **values: float) -> Settings:
    return Settings(DEFAULTS.values | values, overrides or {}, ())


def days(lifetime: int | None) -> float:
    assert lifetime is not None
    return lifetime / policies.DAY


@pytest.mark.parametrize(
    ("partition", "importance", "count", "idle_days", "constant", "retention", "lifetime_days"),
    [
        ("mem_semantic", 8, 10, 2, 441, 0.99548, 530.95),
        ("mem_episodic", 3, 1, 120, 42, 0.0574, 50.57),
    ],
)
def test_golden_numbers(
    partition, importance, count, idle_days, constant, retention, lifetime_days
) -> None:
    policy = policies.effective(partition, DEFAULTS)
    found = policies.retention(policy, Traits(importance, count), idle=idle_days * policies.DAY)
    assert curves.time_constant_days(policy, Traits(importance, count)) == pytest.approx(constant)
    assert found == pytest.approx(retention, rel=1e-3 if retention < 0.1 else 1e-5)
    lifetime = policies.lifetime(policy, Traits(importance, count))
    assert days(lifetime) == pytest.approx(lifetime_days, abs=0.005)


@pytest.mark.parametrize(
    ("partition", "figures"),
    [
        ("mem_notes", (60, 2, 1.5, 0.3)),
        ("mem_episodic", (30, 1, 1, 0.3)),
        ("mem_semantic", (90, 3, 1.5, 0.3)),
        ("mem_procedural", (90, 3, 1.5, 0.3)),
        ("mem_preference", (180, 4, 1.5, 0.3)),
        ("mem_of_the_user", (60, 2, 1.5, 0.3)),
    ],
)
def test_partition_begins_with_its_published_figures(partition, figures) -> None:
    assert policies.effective(partition, DEFAULTS) == Policy(*figures, min_retention_days=1)


def test_global_change_reaches_user_partitions_only() -> None:
    changed = settings(half_life_days=120, k_importance=0, k_access=0, forget_threshold=0.5)
    assert policies.effective("mem_notes", changed) == Policy(120, 0, 0, 0.5, 1)
    assert policies.effective("mem_semantic", changed) == Policy(90, 3, 1.5, 0.3, 1)


def test_floor_is_one_for_all_partitions() -> None:
    changed = settings(forget_min_retention_days=7)
    for partition in policies.KNOWN:
        assert policies.effective(partition, changed).min_retention_days == 7


@given(st.sampled_from(["mem_facts", "mem_episodic", "mem_preference"]), OVERRIDES)
def test_each_field_comes_from_the_override_else_from_below(partition, override) -> None:
    given_settings = settings({partition: override}, half_life_days=33)
    below = policies.inherited(partition, given_settings)
    assert below == policies.inherited(partition, settings(half_life_days=33))
    assert policies.effective(partition, given_settings) == below._replace(**override)


def test_one_partitions_override_leaves_the_others_alone() -> None:
    changed = settings({"mem_facts": {"half_life_days": 365, "enabled": False}})
    assert policies.effective("mem_notes", changed) == policies.effective("mem_notes", DEFAULTS)


def test_origins_name_where_each_field_comes_from() -> None:
    changed = settings({"mem_semantic": {"threshold": 0.5, "enabled": False}})
    found = policies.origins("mem_semantic", changed)
    assert found.pop("threshold") == found.pop("enabled") == "override"
    built_in = {name for name, origin in found.items() if origin == "built-in"}
    assert built_in == {"half_life_days", "k_importance", "k_access"}
    assert set(found.values()) == {"built-in", "global"}
    assert policies.origins("mem_facts", changed)["half_life_days"] == "global"


@given(OVERRIDES)
@example({"enabled": True, "half_life_days": 0.1})
def test_inbox_is_never_swept_whatever_its_override(override) -> None:
    changed = settings({policies.INBOX: override}, forget_min_retention_days=0)
    policy = policies.effective(policies.INBOX, changed)
    assert policies.lifetime(policy, Traits(0, 0)) is None


def test_origins_do_not_claim_an_override_the_inbox_ignores() -> None:
    changed = settings({policies.INBOX: {"enabled": True, "half_life_days": 1}})
    assert policies.origins(policies.INBOX, changed) == policies.origins(policies.INBOX, DEFAULTS)


def test_disabled_partition_forgets_nothing() -> None:
    policy = policies.effective("mem_facts", settings({"mem_facts": {"enabled": False}}))
    assert policies.lifetime(policy, Traits(0, 0)) is None
    assert not policies.is_forgotten(policy, Traits(0, 0), idle=policies.FOREVER)


def test_floor_outlasts_a_short_life_and_says_so() -> None:
    short = Policy(0.001, 0, 0, 0.3, min_retention_days=1)
    assert policies.lifetime(short, Traits(0, 0)) == policies.DAY
    assert policies.floor_applies(short, Traits(0, 0))
    assert not policies.floor_applies(short._replace(min_retention_days=0), Traits(0, 0))
    assert not policies.floor_applies(policies.effective("mem_notes", DEFAULTS), Traits(5, 0))


@given(POLICIES.filter(lambda policy: policy.threshold > 0), IMPORTANCE, COUNT)
def test_without_the_floor_a_memory_lives_shorter_only_where_it_applies(
    policy, importance, count
) -> None:
    with_floor = policies.lifetime(policy, Traits(importance, count))
    without = policies.lifetime(policy._replace(min_retention_days=0), Traits(importance, count))
    if not policies.floor_applies(policy, Traits(importance, count)):
        assert with_floor == without or abs(with_floor - without) <= with_floor * 1e-12
    elif with_floor is not None:
        assert without <= with_floor


def test_memory_stays_at_exactly_the_threshold() -> None:
    policy = Policy(60, 2, 1.5, 0.3, min_retention_days=0)
    idle = 30 * policies.DAY
    at_it = policy._replace(threshold=policies.retention(policy, Traits(5, 1), idle=idle))
    above = policy._replace(threshold=math.nextafter(at_it.threshold, 1))
    assert not policies.is_forgotten(at_it, Traits(5, 1), idle=idle)
    assert policies.is_forgotten(above, Traits(5, 1), idle=idle)


def test_memory_stays_at_exactly_the_floor() -> None:
    policy = Policy(0.001, 0, 0, 0.3, min_retention_days=2)
    assert not policies.is_forgotten(policy, Traits(0, 0), idle=2 * policies.DAY)
    assert policies.is_forgotten(policy, Traits(0, 0), idle=2 * policies.DAY + 1)


@given(POLICIES, IMPORTANCE, COUNT)
@example(Policy(5e-324, 0, 0, 0.3, 0), 0, 0)
@example(Policy(60, 2, 1.5, 1.0, 0), 5, 0)
@example(Policy(60, 2, 1.5, 0.0, 0), 5, 0)
@example(Policy(3650, 10, 10, 5e-324, 0), 10, 10**15)
@example(Policy(5e-324, 0, 0, 0.3, policies.FOREVER / policies.DAY), 0, 0)
def test_lifetime_is_the_last_millisecond_that_is_not_forgotten(policy, importance, count) -> None:
    lifetime = policies.lifetime(policy, Traits(importance, count))
    last = policies.FOREVER if lifetime is None else lifetime
    assert not policies.is_forgotten(policy, Traits(importance, count), idle=last)
    if lifetime is not None:
        assert policies.is_forgotten(policy, Traits(importance, count), idle=lifetime + 1)


@given(POLICIES, IMPORTANCE, COUNT, st.lists(IDLE, min_size=2))
@example(Policy(5e-324, 0, 0, 0.3, 0), 0, 0, [0, policies.FOREVER])
def test_retention_only_falls_with_time_and_stays_a_share(policy, importance, count, idles) -> None:
    found = [
        policies.retention(policy, Traits(importance, count), idle=idle) for idle in sorted(idles)
    ]
    assert found == sorted(found, reverse=True)
    assert all(0 <= retention <= 1 and math.isfinite(retention) for retention in found)


@given(POLICIES, st.lists(IMPORTANCE, min_size=2), COUNT, IDLE)
def test_more_important_memories_are_retained_no_less(policy, importances, count, idle) -> None:
    found = [
        policies.retention(policy, Traits(one, count), idle=idle) for one in sorted(importances)
    ]
    assert found == sorted(found)


@given(POLICIES, IMPORTANCE, st.lists(COUNT, min_size=2), IDLE)
def test_memories_used_more_often_are_retained_no_less(policy, importance, counts, idle) -> None:
    found = [
        policies.retention(policy, Traits(importance, one), idle=idle) for one in sorted(counts)
    ]
    assert found == sorted(found)


@given(POLICIES, IMPORTANCE, COUNT)
def test_time_constant_is_a_positive_number_for_every_accepted_setting(
    policy, importance, count
) -> None:
    assert 0 < curves.time_constant_days(policy, Traits(importance, count)) < math.inf
    assert policies.retention(policy, Traits(importance, count), idle=0) == 1


@pytest.mark.parametrize("name", ["mem_a", "mem_notes", "mem_2024_q1", "mem__"])
def test_partition_names_begin_with_mem(name: str) -> None:
    assert policies.is_partition(name)


@pytest.mark.parametrize("name", ["", "mem_", "notes", "mem_Notes", "mem_a\n", "mem_ä", "xmem_a"])
def test_other_names_are_no_partitions(name: str) -> None:
    assert not policies.is_partition(name)
