"""Recall under preset cortexgraph: edges and ranking as published, to the last digit."""

import random
import sqlite3
from contextlib import closing

import pytest

MONTH = 30  # days in which an edge halves
PRESETS = ("cortexgraph", "cortexgraph-power", "cortexgraph-two")


@pytest.fixture(params=PRESETS)
def seed(hebb, request):
    """Hebb under one of the three presets."""
    assert hebb("config", "preset", request.param).code == 0
    return hebb


@pytest.fixture
def cortexgraph(hebb):
    assert hebb("config", "preset", "cortexgraph").code == 0
    return hebb


def weights(home) -> dict[tuple[int, int], float]:
    with closing(sqlite3.connect(home / "hebb.db")) as db:
        rows = db.execute("SELECT memory_a, memory_b, weight FROM edge")
        return {(one, other): weight for one, other, weight in rows}


def explained(hebb, query: str, *options: object) -> dict[int, dict[str, float]]:
    """Return the parts of each hit's score by id, the best first; it counts as no use."""
    found = hebb.json("recall", query, "--peek", "--explain", *options)
    return {one["id"]: one["explanation"] for one in found}


def test_stored_weight_is_brought_to_now_before_one_is_added(seed, home, at) -> None:
    seed.bring({"content": "alpha tea"}, {"content": "beta tea"})
    expected, before = 0.0, 0.0
    for day in (0, 10, 10, 25, 115):
        at(day)
        seed("recall", "tea")
        expected = expected * 2 ** (-(day - before) / MONTH) + 1
        before = day
        assert weights(home) == {(1, 2): pytest.approx(expected, rel=1e-15)}


def test_final_score_is_relevance_and_co_occurrence_times_decay(seed, at) -> None:
    seed.bring(
        {"content": "alpha tea", "kind": "event"},
        {"content": "beta tea in a pot", "kind": "fact"},
        {"content": "gamma tea", "kind": "event"},
        {"content": "used", "access_count": 1, "last_accessed_at": "2026-01-01"},
        {"content": "used, too", "access_count": 1, "last_accessed_at": "2026-01-01"},
    )
    seed("link", 1, 4, "--weight", 3)
    seed("link", 1, 5, "--weight", 1.5)
    seed("link", 2, 4, "--weight", 0.25)
    at(2)
    left = 2 ** (-2 / MONTH)
    found = explained(seed, "tea")
    for memory_id, total in ((1, 4.5), (2, 0.25), (3, 0.0)):
        parts = found[memory_id]
        decay = seed.json("explain", memory_id)["retention"]
        co_occurrence = total * left / (total * left + 1)  # neither damped nor seeded
        assert parts["co_occurrence"] == pytest.approx(co_occurrence, rel=1e-15, abs=0)
        assert parts["retention"] == pytest.approx(decay, rel=1e-8)
        final = (parts["relevance"] + 0.3 * parts["co_occurrence"]) * parts["retention"]
        assert parts["score"] == final
    scores = [parts["score"] for parts in found.values()]
    assert scores == sorted(scores, reverse=True)


def test_twice_as_many_as_wanted_are_ranked_the_most_relevant(cortexgraph) -> None:
    cortexgraph.bring(
        {"content": "tea"},
        {"content": "tea and water"},
        {"content": "tea and water and sugar and milk and more"},
        {"content": "used", "access_count": 1},
    )
    cortexgraph("link", 3, 4, "--weight", 1000)
    assert list(explained(cortexgraph, "tea", "--no-graph")) == [1, 2, 3]
    assert next(iter(explained(cortexgraph, "tea", "-n", 2))) == 3
    assert 3 not in explained(cortexgraph, "tea", "-n", 1)


def test_context_is_the_five_live_ones_used_last(cortexgraph, at) -> None:
    cortexgraph.bring(
        {"content": "tea a"}, {"content": "tea b"}, *({"content": f"n{n}"} for n in range(3, 11))
    )
    for day, number in enumerate(range(3, 11), start=1):
        at(day / 100)
        cortexgraph("touch", number)
    cortexgraph("archive", 10)
    cortexgraph("link", 1, 5, "--weight", 1)  # 9, 8, 7, 6, 5 are the last
    cortexgraph("link", 2, 4, "--weight", 1)
    cortexgraph("link", 2, 10, "--weight", 1)
    found = explained(cortexgraph, "tea", "-n", 2)
    assert [parts["co_occurrence"] > 0 for _, parts in sorted(found.items())] == [True, False]


def test_without_the_graph_it_is_a_plain_search(seed, at) -> None:
    seed.bring({"content": "alpha tea"}, {"content": "beta tea"}, {"content": "used"})
    seed("touch", 1, 3)
    at(1)
    assert explained(seed, "tea")[1]["co_occurrence"] > 0
    plain = explained(seed, "tea", "--no-graph")
    for parts in plain.values():
        assert parts["co_occurrence"] == 0
        assert parts["score"] == parts["relevance"] * parts["retention"]


def test_totals_tell_the_mean_degree_from_the_edges_for_each_memory(cortexgraph) -> None:
    source = random.Random(803)
    uids = [f"memory {number:03}" for number in range(366)]
    ring = {(uids[number - 1], uids[number]) for number in range(1, 366)}
    pairs = {tuple(sorted(pair)) for pair in ring}
    while len(pairs) < 803:
        pairs.add(tuple(sorted(source.sample(uids, 2))))
    at = "2026-01-01T00:00:00Z"
    cortexgraph.bring(
        *(
            {
                "uid": uid,
                "content": uid,
                "edges": [
                    {"uid": one, "weight": 1, "last_updated_at": at}
                    for one, other in sorted(pairs)
                    if other == uid
                ],
            }
            for uid in uids
        ),
        *({"content": f"alone {number}"} for number in range(34)),
    )
    found = cortexgraph.json("stats")["graph"]
    assert (found["edges"], found["connected"]) == (803, 366)
    assert round(found["mean_degree"], 2) == 4.39
    assert round(found["edges_per_connected"], 2) == 2.19
    assert found["edges_per_memory"] == 803 / 400


def test_edge_of_what_has_expired_counts_no_more_than_it_is_shown(cortexgraph, at) -> None:
    cortexgraph("add", "passing", "--expires", "2d")
    cortexgraph("add", "lasting")
    cortexgraph("touch", 1, 2)
    assert cortexgraph.json("stats")["graph"]["edges"] == 1
    at(3)
    assert cortexgraph.json("graph")["edges"] == []
    assert cortexgraph.json("stats")["graph"]["edges"] == 0
