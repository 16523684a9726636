"""hebb audit: what was done, also to what is gone, without a word of its text."""

import json

import pytest


@pytest.fixture
def lived(hebb, at):
    """A store in which six things were done."""
    for text in ("the red fox", "a blue whale", "the red fox lives"):
        hebb("add", text)
    at(1)
    hebb("archive", 1)
    at(2)
    hebb("restore", 1)
    hebb("promote", 2)
    at(3)
    hebb("edit", 3, "the grey wolf")
    hebb("forget", 2)
    hebb("config", "set", "k_access", 2)
    return hebb


def actions(found: list[dict]) -> list[str]:
    return [one["action"] for one in found]


def test_audit_lists_what_was_done_newest_first(lived) -> None:
    found = lived.json("audit")
    assert actions(found) == ["setting", "erase", "edit", "promote", "restore", "archive"]
    assert {one["actor"] for one in found} == {"cli"}
    assert [one["memory_id"] for one in found] == [None, 2, 3, 2, 1, 1]
    assert found[1]["done_at"] == "2026-01-04T00:00:00Z"
    assert found[1]["policy"]["threshold"] == 0.3
    assert found[0]["reason"] == "k_access: unset -> 2"
    rows = lived("audit").rows
    assert rows[1][:3] == ["2026-01-04T00:00:00Z", "erase", "2"]


def test_audit_of_one_memory_reaches_beyond_its_end(lived) -> None:
    uid = lived.json("audit", 2)[0]["uid"]
    for reference in (2, uid, uid[:30]):
        assert actions(lived.json("audit", reference)) == ["erase", "promote"]
    assert lived.json("audit", 99) == lived.json("audit", "nobody") == []
    assert lived.json("audit", "9" * 30) == []


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--action", "edit"], ["edit"]),
        (["--since", "2026-01-04"], ["setting", "erase", "edit"]),
        (["--until", "2026-01-02"], ["archive"]),
        (["--since", "1d", "-n", 2], ["setting", "erase"]),
        (["-n", 1], ["setting"]),
        (["--action", "fix"], []),
        (["--text", "the red fox"], ["restore", "archive"]),
        (["--text", "the red fox lives"], ["edit"]),
        (["--text", "the red"], []),
    ],
)
def test_audit_is_narrowed_by_options(options, expected, lived) -> None:
    assert actions(lived.json("audit", *options)) == expected


@pytest.mark.parametrize("words", [["--action", "nothing"], [""], [" "]])
def test_action_or_id_that_cannot_be_is_refused(words, lived) -> None:
    assert lived.error("audit", *words)["code"] == 2


def test_beginning_of_a_uid_has_three_characters_here_too(lived) -> None:
    uid = lived.json("audit", 2)[0]["uid"]
    assert lived.json("audit", uid[:2]) == []
    assert lived.json("audit", uid[:3]) != []


def test_audit_holds_no_text(lived) -> None:
    assert not [
        word for word in ("fox", "whale", "wolf") if word in json.dumps(lived.json("audit"))
    ]


def test_reading_an_audit_makes_no_key_and_no_store(hebb, home) -> None:
    assert hebb.json("audit") == hebb.json("audit", "--text", "x") == []
    assert list(home.iterdir()) == []
    hebb("add", "x")
    hebb("audit", "--text", "x")
    assert not (home / "hebb.key").exists()


def test_moved_key_leaves_texts_unfound(lived, home) -> None:
    (home / "hebb.key").rename(home / "elsewhere")
    assert lived.json("audit", "--text", "the red fox") == []
    (home / "hebb.key").write_bytes(b"short")
    assert lived.error("audit", "--text", "the red fox")["code"] == 5


def test_sweep_trims_the_audit_but_not_what_was_erased(hebb, at) -> None:
    hebb.bring(*({"uid": f"u{n:04}", "content": f"note {n}"} for n in range(1200)))
    hebb("forget", "--all", "--yes")
    assert len(hebb.json("audit")) == 1200
    hebb("add", "fades", "--ttl", "1d")
    hebb("config", "set", "audit_max_rows", 100)
    at(2)
    assert hebb.ids("gc") == [1201]
    found = hebb.json("audit")
    assert len(found) == 101  # with what this sweep itself did
    assert [one["action"] for one in found[:3]] == ["archive", "setting", "erase"]
    assert hebb.json("stats")["tombstones"] == 1200
    assert hebb("add", "goes on").code == 0
