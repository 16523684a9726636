"""Recall as a use case: the order of hits, the parts of a score, neighbours in a session."""

import math
from typing import Any

import pytest

from hebbctl import policies, ranking
from hebbctl.models import Filters, Hit
from hebbctl.usecases import candidates
from hebbctl.usecases.recall import recall as recall_usecase

START = 1_767_225_600_000  # 2026-01-01T00:00:00Z


@pytest.fixture
def recall(store_at):
    """Recalls at day 0 with everything at its default but what is given."""

    def run(query: str | None, *, days: float = 0, **given: Any) -> list[Hit]:
        arguments = {"limit": 10, "min_score": 0.0, "fallback": True}
        floor = given.pop("decay_floor", 0.8)
        given.setdefault("weights", ranking.Weights(decay_floor=floor))
        filters = given.pop("filters", Filters())
        return recall_usecase(store_at(days), query, filters=filters, **arguments | given)

    return run


def ids(hits: list[Hit]) -> list[int]:
    return [hit.memory.id for hit in hits]


def old(days: float) -> dict[str, int]:
    return {"created_at": START - int(days * policies.DAY)}


TURNS = [
    "we met at the harbour",
    "the red lantern was broken",
    "so we bought a new one",
    "it rained",
    "the lantern is green now, and it stands on the shelf beside the window of the kitchen",
    "good night",
]


def conversation(session: str = "s", **fields: Any) -> list[dict]:
    return [
        {"content": turn, "session": session, "created_at": START - 1000 + number} | fields
        for number, turn in enumerate(TURNS)
    ]


@pytest.mark.parametrize("decay_floor", [0.0, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("query", ["lantern", "red lantern", "green broken harbour", "灯 lantern"])
def test_parts_of_the_explanation_give_the_score(fill, recall, query, decay_floor) -> None:
    fill(*conversation(), "a red lantern", {"content": "red lantern 灯笼", **old(40)})
    hits = recall(query, days=30, decay_floor=decay_floor)
    assert len(hits) > 3
    for hit in hits:
        assert hit.parts.retention == hit.memory.retention
        assert hit.parts.score == score_of(hit.parts._asdict())
        assert 0 <= hit.parts.score <= hit.parts.relevance <= 1


def score_of(parts: dict[str, Any]) -> float:
    """Reckon a score as the README says, from the printed parts alone."""
    weight = parts["bm25"] + parts["match_bonus"] + parts["date_bonus"] + parts["lent"]
    relevance = weight / (weight + parts["half_relevant"])
    if parts["similarity"] is not None:
        share = parts["semantic_weight"]
        relevance = (1 - share) * relevance + share * parts["similarity"]
    boosted = relevance + parts["co_occurrence_boost"] * parts["co_occurrence"]
    factor = parts["decay_floor"] + (1 - parts["decay_floor"]) * parts["retention"]
    return boosted / parts["divisor"] * factor


def test_printed_explanation_adds_up_as_well(hebb) -> None:
    hebb.bring({"content": "red lantern"}, {"content": "red", "created_at": "2025-11-01"})
    for hit in hebb.json("recall", "red lantern", "--explain", "--peek"):
        parts = hit["explanation"]
        assert hit["score"] == parts["score"] == score_of(parts)
        assert hit["relevance"] == parts["relevance"]


def test_hits_are_ordered_by_score_then_the_newest_first(fill, recall) -> None:
    fill("red green", "red lantern", "a lantern that is red", "red lantern here", "green")
    fill({"content": "red lantern", "partition": "mem_other"})
    hits = recall("red lantern")
    keys = [(hit.parts.score, hit.memory.id) for hit in hits]
    assert keys == sorted(keys, reverse=True)
    assert ids(hits)[:2] == [6, 2]


def test_all_words_side_by_side_come_before_all_words_before_some(fill, recall) -> None:
    fill(
        "lantern lantern lantern lantern",
        "a lantern, they said, that was painted red long ago",
        "here is the red lantern among a lot of other words that say nothing",
    )
    assert [(hit.memory.id, hit.match) for hit in recall("red lantern")] == [
        (3, "phrase"),
        (2, "all"),
        (1, "some"),
    ]


def test_of_equal_texts_the_better_retained_comes_first(fill, recall) -> None:
    fill(
        {"content": "red lantern", **old(50)},
        {"content": "red lantern", "partition": "mem_b", **old(1)},
        {"content": "red lantern", "partition": "mem_c", **old(100)},
        {"content": "red lantern", "partition": "mem_d", "importance": 10.0, **old(100)},
    )
    hits = recall("red lantern")
    retentions = [hit.memory.retention for hit in hits]
    assert retentions == sorted(retentions, reverse=True)
    assert ids(hits)[0] == 2
    assert ids(recall("red lantern", decay_floor=1.0)) == [4, 3, 2, 1]  # the newest first


def test_retention_moves_a_hit_by_a_fifth_at_most(fill, recall) -> None:
    fill({"content": "red lantern", **old(5000)}, "a lantern")
    hits = {hit.memory.id: hit for hit in recall("red lantern")}
    assert hits[1].parts.decay_factor == pytest.approx(0.8)
    assert hits[1].parts.score > hits[2].parts.score


@pytest.mark.parametrize("decay_floor", [0.8, 0.0])
def test_well_retained_memory_is_found_behind_many_faded_ones(fill, recall, decay_floor) -> None:
    faded = [{"content": f"lantern {number}", **old(2000)} for number in range(80)]
    fill({"content": "a lantern, and some more"}, *faded)
    assert ids(recall("lantern", decay_floor=decay_floor))[0] == 1


@pytest.mark.parametrize("limit", [1, 3, 10, 60])
def test_shorter_answer_is_the_beginning_of_a_longer_one(fill, recall, limit) -> None:
    fill(*({"content": f"lantern {'red ' * (n % 7)}{n}", **old(n % 90)} for n in range(90)))
    assert ids(recall("red lantern", limit=limit)) == ids(recall("red lantern", limit=90))[:limit]


def test_answer_is_as_long_as_is_wanted(fill, recall) -> None:
    fill(*(f"lantern {number}" for number in range(600)))
    assert len(recall("lantern", limit=600)) == 600


def test_text_with_every_word_is_relevant_in_a_store_of_any_size(fill, recall) -> None:
    fill("red lantern")
    alone = recall("red lantern")[0].parts.relevance
    fill(*(f"something else {number}" for number in range(200)))
    assert 0.5 <= alone <= recall("red lantern")[0].parts.relevance < 1


def test_hit_lends_to_its_neighbours_by_distance_and_length(fill, recall) -> None:
    fill(*conversation())
    hits = {hit.memory.id: hit for hit in recall("red")}
    assert {number: hit.match for number, hit in hits.items()} == {
        2: "all",
        1: "neighbour",
        3: "neighbour",
        4: "neighbour",
    }
    words = len(TURNS[1].encode()) / 6
    weight = hits[2].parts.bm25 + hits[2].parts.match_bonus
    lent = weight * ranking.DEFAULT_WEIGHTS.neighbour_weight / (1 + words / ranking.LENDER_WORDS)
    assert hits[1].parts.lent == hits[3].parts.lent == pytest.approx(lent, abs=1e-9)
    assert hits[4].parts.lent == pytest.approx(lent / math.sqrt(2), abs=1e-9)
    assert (hits[1].parts.bm25, hits[1].parts.match_bonus, hits[2].parts.lent) == (0.0, 0.0, 0.0)
    assert ids(recall("red")) == [2, 3, 1, 4]


def test_two_hits_lend_to_each_other_and_to_the_one_between(fill, recall) -> None:
    fill(*conversation())
    hits = {hit.memory.id: hit for hit in recall("lantern")}
    assert set(hits) == {1, 2, 3, 4, 5, 6}
    assert hits[2].parts.lent == hits[5].parts.lent == 0.0  # three turns apart
    assert hits[3].parts.lent > hits[1].parts.lent > 0


def test_neighbours_are_of_the_same_session_and_scope_in_order_of_time(fill, recall) -> None:
    fill(
        *reversed(conversation()),
        {"content": "other session", "session": "t", "created_at": START - 999},
        {"content": "no session", "created_at": START - 999},
        {"content": "other scope", "session": "s", "scope": "x", "created_at": START - 999},
    )
    contents = {hit.memory.content for hit in recall("red")}
    assert contents == {TURNS[1], TURNS[0], TURNS[2], TURNS[3]}


@pytest.mark.parametrize(
    "gone",
    [
        {"archived_at": 0, "archived_reason": "by hand"},
        {"archived_at": 0, "archived_reason": "superseded"},
        {"expires_at": START},
        {"partition": "mem_other"},
        {"kind": "other"},
    ],
    ids=lambda gone: " ".join(gone),
)
def test_neighbour_that_is_gone_or_filtered_out_is_no_hit_but_keeps_its_place(
    fill, recall, gone
) -> None:
    turns = conversation(kind="turn")
    turns[2] |= gone
    fill(*turns)
    filters = Filters(partition="mem_notes", kinds=("turn",))
    found = {hit.memory.id: hit for hit in recall("red", filters=filters, fallback=False)}
    assert set(found) == {1, 2, 4}
    assert found[4].parts.lent == pytest.approx(found[1].parts.lent / math.sqrt(2))


def test_archived_memories_fill_free_places_behind_live_ones(fill, recall) -> None:
    shelf = {"archived_at": 0, "archived_reason": "by hand"}
    fill(
        {"content": "red lantern"} | shelf,
        "a lantern in a long, long text about everything else there is",
        {"content": "the red one was superseded: lantern", "archived_at": 0}
        | {"archived_reason": "superseded"},
        {"content": "red lantern, expired", "expires_at": START} | shelf,
    )
    assert ids(recall("red lantern")) == [2, 1]
    assert ids(recall("red lantern", limit=1)) == [2]
    assert ids(recall("red lantern", fallback=False)) == [2]
    assert ids(recall("red lantern", filters=Filters(archived=True))) == [1]


def test_live_memory_below_the_least_score_leaves_its_place_free(fill, recall) -> None:
    fill(
        {"content": "red lantern", "archived_at": 0, "archived_reason": "by hand"},
        "a lantern in a long, long text about everything else there is",
    )
    live, shelved = recall("red lantern")
    assert live.parts.score < 0.4 < shelved.parts.score
    assert ids(recall("red lantern", limit=1, min_score=0.4)) == [1]


def test_query_without_a_word_finds_nothing(fill, recall) -> None:
    fill("red lantern")
    assert recall("?!") == recall("...") == []


def test_function_words_do_not_drown_the_word_that_matters(fill, recall) -> None:
    fill(*(f"what is the use of it {number}" for number in range(20)), "lanterns burn oil")
    assert ids(recall("what is the use of a lantern"))[0] in range(1, 22)
    assert ids(recall("what is a lantern"))[0] == 21
    assert len(recall("what is it")) > 0


def test_long_query_is_answered(fill, recall) -> None:
    fill("red lantern", *(f"word{number}" for number in range(50)))
    page = " ".join(f"word{number} filler{number}" for number in range(5_000))
    assert len(recall(page)) == 10
    assert recall("lantern " + "灯" * 5_000)[0].memory.id == 1


@pytest.fixture
def few_ranked(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let what ten thousand texts are to a large store be sixty."""
    monkeypatch.setattr(candidates, "MOST_RANKED", 60)
    return 60


COMMON = [f"lantern moon {number}" for number in range(80)]


def test_of_a_common_word_the_newest_are_ranked_and_it_is_said(fill, recall, few_ranked) -> None:
    fill("lantern", *COMMON)
    hits = recall("lantern", limit=60)
    assert sorted(ids(hits)) == [*range(22, 82)]
    bound = "81 texts hold the query: only the newest 60 were ranked"
    assert {hit.bound for hit in hits} == {bound}


def test_all_are_ranked_where_the_newest_are_not_enough(fill, recall, few_ranked) -> None:
    fill(*({"content": f"lantern {n}", "partition": "mem_old"} for n in range(20)), *COMMON)
    hits = recall("lantern", filters=Filters(partition="mem_old"), limit=30)
    assert sorted(ids(hits)) == [*range(1, 21)]
    assert len(recall("lantern", limit=90)) == 90


def test_rare_words_are_found_among_common_ones_however_old(fill, recall, few_ranked) -> None:
    fill("a harbour, long ago", *COMMON, *(f"heron {number}" for number in range(50)))
    [best, *rest] = recall("which heron of the moon is in a harbour")
    assert (best.memory.id, best.match) == (1, "some")
    assert {hit.memory.id > 81 for hit in rest} == {True}
    assert best.bound == (
        'common words: only texts with "harbour", "heron" were ranked, the newest 60 at most'
    )


def test_bound_changes_no_score(fill, recall, monkeypatch) -> None:
    fill("heron and moon", *COMMON, *(f"heron {number}" for number in range(50)))
    free = {hit.memory.id: hit for hit in recall("heron moon harbour", limit=50)}
    monkeypatch.setattr(candidates, "MOST_RANKED", 60)
    for hit in recall("heron moon harbour", limit=50):
        assert hit.parts.score == pytest.approx(free[hit.memory.id].parts.score)
        assert hit.bound
        assert free[hit.memory.id].bound is None


def test_bound_is_explained_on_stderr_and_in_json(hebb, few_ranked) -> None:
    hebb.bring(*({"content": text} for text in COMMON))
    [hit, *_] = hebb.json("recall", "moon", "--explain", "--peek")
    assert hit["explanation"]["bound"].startswith("80 texts hold the query")
    done = hebb("recall", "moon", "--explain", "--peek")
    assert done.err.count("only the newest 60 were ranked") == 1
    assert "newest" not in done.out + hebb("recall", "moon", "--peek").err
