"""Memories used together: the arithmetic of edges, their bounds, and what becomes of them."""

import json
import random
from collections import Counter

import pytest


def edges(hebb, *of: object) -> dict[tuple[int, int], float]:
    found = hebb.json("graph", *of)["edges"]
    return {(one["memory_a"], one["memory_b"]): one["weight"] for one in found}


@pytest.fixture
def three(hebb):
    """Three memories, of which the first two hold a word."""
    hebb.bring({"content": "alpha tea"}, {"content": "beta tea"}, {"content": "gamma"})
    return hebb


def test_common_use_adds_one_to_what_is_left_of_the_edge(three, at) -> None:
    three("recall", "tea")
    assert edges(three) == {(1, 2): 1}
    at(30)
    assert edges(three) == {(1, 2): 0.5}
    three("touch", 2, 1)
    assert edges(three) == {(1, 2): 1.5}
    at(45)
    assert edges(three)[1, 2] == pytest.approx(1.5 * 2**-0.5, rel=1e-8)


def test_looking_joins_nothing(three, contents) -> None:
    before = contents()
    for command in (["recall", "tea", "--peek"], ["list"], ["graph"], ["related", 1], ["show", 1]):
        assert three(*command).code == 0
    assert contents() == before


def test_what_is_related_comes_strongest_first(three, at) -> None:
    three("link", 3, 1, "--weight", 3.5)
    three("touch", 1, 2)
    found = three.json("related", 1)
    assert [(one["id"], one["weight"]) for one in found] == [(3, 3.5), (2, 1)]
    assert three("related", 3).rows == [["1", "3.5", "yes", "mem_notes", "alpha tea"]]
    assert [one["id"] for one in three.json("related", 1, "-n", 1)] == [3]


def test_edge_is_bridging_where_its_ends_share_no_tag_and_no_kind(hebb) -> None:
    hebb.bring(
        {"content": "a", "tags": ["music"], "kind": "fact"},
        {"content": "b", "tags": ["music", "code"]},
        {"content": "c", "kind": "fact", "tags": ["code"]},
        {"content": "d"},
    )
    hebb("touch", 1, 2, 3, 4)
    bridging = {
        (one["memory_a"], one["memory_b"]): one["bridging"] for one in hebb.json("graph")["edges"]
    }
    shared = {(1, 2), (1, 3), (2, 3)}
    assert bridging == {pair: pair not in shared for pair in bridging}
    assert len(bridging) == 6


def test_link_sets_a_weight_and_unlink_takes_it_away(three) -> None:
    assert three.json("link", 2, 1, "--weight", 2)["action"] == "linked"
    assert three.json("link", 1, 2, "--weight", 3)["action"] == "changed"
    assert edges(three) == {(1, 2): 3}
    assert three.json("unlink", 2, 1)["action"] == "unlinked"
    assert three.json("unlink", 2, 1)["action"] == "unchanged"
    assert edges(three) == {}


@pytest.mark.parametrize("command", ["link", "unlink"])
def test_memory_is_not_joined_with_itself_or_with_none(three, command) -> None:
    assert three.error(command, 1, 1)["code"] == 2
    assert three.error(command, 1, 9)["code"] == 3
    assert three.error("link", 1, 2, "--weight", "-1")["code"] == 2
    assert three.error("link", 1, 2, "--weight", "nan")["code"] == 2


def test_archived_memory_hides_its_edges_and_brings_them_back(three) -> None:
    three("link", 1, 2, "--weight", 3.5)
    before = three.json("graph")["edges"]
    three("archive", 1)
    assert (edges(three), three.json("related", 2)) == ({}, [])
    three("archive", 2)
    three("restore", 1)
    assert edges(three) == {}
    three("restore", 2)
    assert three.json("graph")["edges"] == before


def test_erased_memory_leaves_no_edge(three) -> None:
    three("touch", 1, 2, 3)
    three("forget", 1)
    assert edges(three) == {(2, 3): 1}
    assert [one["id"] for one in three.json("graph")["nodes"]] == [2, 3]


def test_hundreds_of_recalls_stay_within_the_bounds(hebb) -> None:
    source = random.Random(1)
    words = [f"word{number}" for number in range(60)]
    hebb.bring(
        *({"content": " ".join(source.sample(words, 6)) + f" {number}"} for number in range(600))
    )
    hebb("config", "set", "graph_edges_per_memory", 12)
    for _ in range(200):
        hebb("recall", " ".join(source.sample(words, 2)), "-n", 50)
    found = edges(hebb)
    degree = Counter(one for pair in found for one in pair)
    assert max(degree.values()) == 12
    assert sum(found.values()) <= 200 * 45
    assert all(one < other for one, other in found)


def test_totals_name_each_figure_of_the_graph(three) -> None:
    three("touch", 1, 2)
    found = three.json("stats")["graph"]
    assert found == {
        "edges": 1,
        "connected": 2,
        "mean_degree": 1.0,
        "edges_per_connected": 0.5,
        "edges_per_memory": 0.333333333,
    }


def test_memory_is_joined_lightly_with_the_one_before_it_in_its_session(hebb) -> None:
    hebb("add", "first", "--session", "s")
    hebb("add", "elsewhere", "--session", "t")
    hebb("add", "second", "--session", "s")
    hebb("add", "alone")
    assert edges(hebb) == {(1, 3): 0.1}
    hebb("config", "preset", "cortexgraph")
    hebb("add", "third", "--session", "s")
    assert edges(hebb) == {(1, 3): 0.1}


def test_context_lifts_what_was_used_with_it_and_finds_it_without_its_words(three) -> None:
    three.bring({"content": "delta tea"})
    three("link", 3, 1, "--weight", 1)
    three("link", 3, 4, "--weight", 9)
    plain = three.json("recall", "tea", "--peek", "--explain")
    assert [one["id"] for one in plain] == [4, 2, 1]
    found = three.json("recall", "alpha", "--context", 3, "--peek", "--explain")
    assert [(one["id"], one["match"]) for one in found] == [(1, "all"), (4, "related")]
    first, second = (one["explanation"] for one in found)
    assert first["co_occurrence"] == pytest.approx((1 / 2**0.5) / (1 + 1 / 2**0.5))
    assert second["co_occurrence"] == pytest.approx((9 / 2**0.5) / (1 + 9 / 2**0.5))
    assert [one["id"] for one in three.json("recall", "--context", 3, "--peek")] == [4, 1]
    off = three.json("recall", "alpha", "--context", 3, "--no-graph", "--peek", "--explain")
    assert [one["explanation"]["co_occurrence"] for one in off] == [0]


def test_cortexgraph_goes_out_from_what_was_used_last_and_ranks_by_its_formula(hebb, at) -> None:
    hebb("config", "preset", "cortexgraph")
    hebb.bring({"content": "alpha tea"}, {"content": "beta tea"}, {"content": "gamma cup"})
    hebb("touch", 1, 3)
    at(3)
    for one in hebb.json("recall", "tea", "--peek", "--explain"):
        parts = one["explanation"]
        boosted = parts["relevance"] + 0.3 * parts["co_occurrence"]
        assert one["score"] == boosted * parts["retention"]
        assert (parts["co_occurrence"] > 0) == (one["id"] == 1)


def test_dot_is_a_graph_whatever_the_texts_hold(hebb) -> None:
    hebb.bring({"content": 'say "hi" \\ \n}; evil [label=x]'}, {"content": "日本語" * 30})
    hebb("touch", 1, 2)
    drawn = hebb("graph", "--dot").out
    assert drawn.startswith("graph hebb {\n")
    assert drawn.endswith("}\n")
    assert '[label="1: say \\"hi\\" \\\\ \\\\n}; evil [label=x]"]' in drawn
    assert "  1 -- 2 [" in drawn
    assert hebb.error("graph", "--dot")["code"] == 2


def test_graph_of_an_empty_store_is_empty(hebb) -> None:
    assert hebb.json("graph") == {"schema": 1, "nodes": [], "edges": []}
    assert hebb("graph").out == ""
    assert json.loads(hebb("related", 1, "--json").err)["error"]["code"] == 3
