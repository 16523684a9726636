"""hebb consolidate --similar and --merge: found for a decision, made one by hand."""

import pytest


@pytest.fixture
def alike(hebb) -> None:
    hebb.bring(
        {"content": "the deploy key lives in vault", "tags": ["a"], "access_count": 1},
        {
            "content": "deploy key lives in the vault now",
            "tags": ["b"],
            "access_count": 3,
            "importance": 8,
            "last_accessed_at": "2026-01-01T00:00:00Z",
            "created_at": "2025-12-01",
        },
        {"content": "lunch with Ann"},
        {"content": "the deploy key lives in vault", "partition": "mem_other"},
        {"content": "a deploy key lives in vault", "archived_at": "2026-01-01"},
    )


@pytest.mark.usefixtures("alike")
def test_similar_memories_are_listed_with_the_command_and_nothing_changes(hebb) -> None:
    [found] = hebb.json("consolidate", "--similar")
    assert (found["keep"], found["merge"], found["together"]) == (2, 1, 0)
    assert 0.5 <= found["overlap"] < 1
    assert found["command"] == "hebb consolidate --merge 2 1"
    assert hebb.json("stats")["by_state"]["live"] == 4


@pytest.mark.usefixtures("alike")
def test_merging_keeps_the_first_with_what_all_had(hebb) -> None:
    assert hebb("consolidate", "--merge", 1, 2, "--dry-run").err == "2 would be merged\n"
    assert hebb.ids("list") != [4, 3, 1]
    assert hebb("consolidate", "--merge", 1, 2).err == "2 merged\n"
    first, other = hebb.json("show", 1), hebb.json("show", 2)
    assert (sorted(first["tags"]), first["access_count"], first["importance"]) == (["a", "b"], 4, 8)
    assert first["content"] == "the deploy key lives in vault"
    assert (other["state"], other["archived_reason"]) == ("archived", "superseded")
    assert other["superseded_by"] == first["uid"]
    assert hebb.json("audit", 2)[0]["reason"] == "merged into 1"
    assert hebb.json("consolidate", "--similar") == []
    assert hebb.error("restore", 2)["code"] == 4
    assert hebb.ids("restore", 2, "--force") == [2]


def test_what_must_not_be_merged_is_refused(hebb) -> None:
    hebb.bring(
        {"content": "a", "trusted": False},
        {"content": "b"},
        {"content": "c", "pinned": True},
        {"content": "d", "archived_at": "2026-01-01"},
    )
    for ids in ((1, 2), (2, 3), (2, 4)):
        assert hebb.error("consolidate", "--merge", *ids)["code"] == 4
    assert hebb.error("consolidate", "--merge", 2, 9)["code"] == 3
    assert hebb.ids("consolidate", "--merge", 3, 1) == [3, 1]


@pytest.mark.parametrize("words", [["1"], ["--merge"], ["--similar", "1"], ["--merge", "1"]])
def test_what_is_unclear_is_refused(hebb, words) -> None:
    hebb("add", "x")
    assert hebb.error("consolidate", *words)["code"] == 2
