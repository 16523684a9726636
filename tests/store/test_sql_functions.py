"""The SQL functions: any value in, never an error out."""

import json
import math

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from stores import DAY, NOW, plain_sqlite, policy_of, using

from hebbctl.curves import CURVES
from hebbctl.store.functions import within

SQL_VALUES = st.none() | st.floats() | st.text(st.characters(codec="utf-8")) | st.binary()
SQL_VALUES |= st.integers(-(2**63), 2**63 - 1)
one_store = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def call(store, expression: str, *values):
    return tuple(store._database.connection.execute(f"SELECT {expression}", values).fetchone())


CLOCK = "?6, ?7, ?8, ?9"  # last access, renewal, anchor


@given(values=st.tuples(*[SQL_VALUES] * 11))
@example(values=("mem_notes", *["nan"] * 10))
@example(values=("mem_notes", "inf", "-inf", "1e999", math.inf, math.inf, *["inf"] * 5))
@example(values=("mem_hippocampus", b"\xff", b"1", 2**63 - 1, *[None] * 7))
@one_store
@pytest.mark.parametrize("curve", CURVES)
def test_functions_accept_any_value(path, curve, values) -> None:
    with using(path, under=lambda name: policy_of(name)._replace(curve=curve)) as store:
        retention, lifetime, faded, figures, ending, ttl, oldest, words, hashed = call(
            store,
            f"""
            retention(?1, ?2, ?3, ?4, ?5, {CLOCK}),
            lifetime_ms(?1, ?2, ?3, ?4, ?11),
            has_faded(?1, ?2, ?3, ?4, ?6, ?11),
            policy_figures(?1, ?2, ?3, ?4, ?5, {CLOCK}, ?11),
            ending(?1, ?2, ?3, ?4, ?5, {CLOCK}, ?10, ?11),
            policy_ttl_ms(?1),
            max_lifetime_ms(?1),
            index_words(?2),
            content_hash(?3)
            """,
            *values,
        )
    assert 0 <= retention <= 1
    assert lifetime is None or -1 <= lifetime < 2**63
    numbers = [one for name, one in json.loads(figures).items() if name != "curve"]
    assert all(map(math.isfinite, numbers))
    assert faded in (0, 1)
    assert ending in ("ttl", "faded", None)
    assert (ttl, oldest) == (None, None)
    assert (type(words), len(hashed)) == (str, 32)


@given(SQL_VALUES, st.floats(-1e9, 1e9), st.floats(0, 1e9))
def test_value_is_always_brought_within_its_range(value, low, width) -> None:
    assert low <= within(value, low, low + width) <= low + width


def test_functions_compute_what_the_policies_say(store) -> None:
    values = ("mem_semantic", 8, 10, NOW - 2 * DAY)
    [retention] = call(store, "retention(?, ?, ?, 1, NULL, ?, NULL, NULL, NULL)", *values)
    assert retention == pytest.approx(0.99548, abs=1e-5)
    [lifetime] = call(store, "lifetime_ms('mem_semantic', 8, 10, 1, NULL)")
    assert lifetime / DAY == pytest.approx(530.95, abs=0.005)
    [figures] = call(store, "policy_figures(?, ?, ?, 1, NULL, ?, NULL, NULL, NULL, NULL)", *values)
    found = json.loads(figures)
    assert found.pop("curve") == "hebb"
    expected = {"threshold": 0.3, "idle_days": 2, "time_constant_days": 441}
    assert found == pytest.approx(expected | {"retention": retention})


def test_given_threshold_replaces_the_policys(store) -> None:
    [longer] = call(store, "lifetime_ms('mem_semantic', 8, 10, 1, 0.1)")
    [never] = call(store, "lifetime_ms('mem_semantic', 8, 10, 1, 0)")
    assert longer / DAY == pytest.approx(441 * math.log(10), abs=0.005)
    assert never is None


@pytest.mark.parametrize("curve", CURVES)
def test_memory_has_faded_as_soon_as_its_lifetime_is_over(path, curve) -> None:
    with using(path, under=lambda name: policy_of(name)._replace(curve=curve)) as store:
        [lifetime] = call(store, "lifetime_ms('mem_notes', 5, 2, 1, 0.2)")
        for idle, expected in ((lifetime, 0), (lifetime + 1, 1)):
            faded = call(store, "has_faded('mem_notes', 5, 2, 1, ?, 0.2)", NOW - idle)
            assert faded == (expected,)


def test_last_use_in_the_future_counts_as_now(store) -> None:
    assert call(store, "retention('mem_notes', 0, 0, 1, NULL, ?, NULL, NULL, NULL)", NOW + DAY) == (
        1,
    )


def test_plain_sqlite_does_not_know_the_functions(store) -> None:
    with plain_sqlite(store.path) as db:
        names = {name for (name,) in db.execute("SELECT name FROM pragma_function_list")}
    assert not names & {"retention", "lifetime_ms", "has_faded", "policy_figures", "ending"}
