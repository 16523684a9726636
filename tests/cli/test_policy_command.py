"""hebb policy: merged field by field, cleared field by field, and tried before it is saved."""

import json

import pytest

INBOX = "mem_hippocampus"


def policy(hebb, partition: str) -> dict:
    return hebb.json("policy", "show", partition)


def test_two_partial_sets_are_merged(hebb, home) -> None:
    hebb("policy", "set", "mem_facts", "--half-life-days", 365)
    found = hebb.json("policy", "set", "mem_facts", "--k-access", "2.0", "--threshold", 0.2)
    assert found["override"] == {"half_life_days": 365, "k_access": 2, "threshold": 0.2}
    assert policy(hebb, "mem_facts") == found
    assert json.loads((home / "hebb.json").read_text()) == {
        "forgetting_overrides": {"mem_facts": found["override"]}
    }


def test_setting_one_field_does_not_enable_a_disabled_partition(hebb) -> None:
    hebb("policy", "set", "mem_facts", "--disabled")
    assert hebb.json("policy", "set", "mem_facts", "--threshold", 0.9)["enabled"] is False
    hebb.bring({"content": "x", "partition": "mem_facts", "created_at": "2020-01-01"})
    assert hebb.ids("gc", "--threshold", 1) == []
    assert hebb.json("policy", "set", "mem_facts", "--enabled")["threshold"] == 0.9
    assert hebb.ids("gc") == [1]


def test_disabled_partition_still_lets_fixed_expiry_end_a_memory(hebb, at) -> None:
    hebb("policy", "set", "mem_facts", "--disabled")
    hebb.bring({"content": "x", "partition": "mem_facts", "expires_at": "2026-01-02"})
    at(2)
    assert hebb.json("gc")["memories"][0]["reason"] == "expired"


def test_each_field_shows_its_origin_and_what_it_would_inherit(hebb) -> None:
    hebb("config", "set", "half_life_days", 90)
    hebb("policy", "set", "mem_episodic", "--half-life-days", 14)
    found = policy(hebb, "mem_episodic")
    assert found["half_life_days"] == 14
    assert found["inherited"]["half_life_days"] == 30
    assert (found["origins"]["half_life_days"], found["origins"]["k_access"]) == (
        "override",
        "built-in",
    )
    rows = {row[0]: row[1:] for row in hebb("policy", "show", "mem_episodic").rows}
    assert rows["half_life_days"] == ["14", "override", "30"]
    assert rows["true_half_life_days"][0] == "9.70406"
    assert policy(hebb, "mem_anything")["half_life_days"] == 90
    assert policy(hebb, "mem_anything")["origins"]["half_life_days"] == "global"


def test_list_has_what_is_built_in_used_or_overridden(hebb) -> None:
    built_in = ["mem_episodic", INBOX, "mem_notes", "mem_preference", "mem_procedural"]
    names = [one["partition"] for one in hebb.json("policy", "list")]
    assert names == [*built_in, "mem_semantic"]
    hebb("add", "x", "--partition", "mem_used")
    hebb("policy", "set", "mem_overridden", "--k-access", 1)
    names = [row[0] for row in hebb("policy", "list").rows]
    assert set(names) - {*built_in, "mem_semantic"} == {"mem_used", "mem_overridden"}


@pytest.mark.parametrize("words", [["set", INBOX, "--k-access", "1"], ["set", INBOX, "--enabled"]])
def test_inbox_has_no_policy_to_change(hebb, home, words) -> None:
    error = hebb.error("policy", *words)
    assert (error["code"], INBOX in error["message"]) == (4, True)
    assert not (home / "hebb.json").exists()
    assert policy(hebb, INBOX)["enabled"] is False
    assert hebb.error("policy", "preview", INBOX, "--half-life-days", "1")["code"] == 4
    assert hebb.json("policy", "preview", INBOX)["forgotten"] == 0


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("--half-life-days", "0", "(0, 3650]"),
        ("--half-life-days", "-5", "(0, 3650]"),
        ("--half-life-days=4000", None, "(0, 3650]"),
        ("--k-importance", "11", "[0, 10]"),
        ("--k-access", "-1", "[0, 10]"),
        ("--threshold", "1", "(0, 1)"),
        ("--threshold", "0", "(0, 1)"),
        ("--threshold", "nan", ""),
        ("--k-access", "many", ""),
    ],
)
@pytest.mark.parametrize("verb", ["set", "preview"])
def test_field_out_of_range_names_the_range_and_writes_nothing(
    hebb, home, verb, option, value, allowed
) -> None:
    error = hebb.error("policy", verb, "mem_facts", option, *([value] if value else []))
    assert error["code"] == 2
    assert allowed in error["message"]
    assert not (home / "hebb.json").exists()


def test_clear_takes_back_one_field_or_all(hebb, home) -> None:
    hebb("config", "set", "decay_floor", 0.7)
    hebb("policy", "set", "mem_facts", "--half-life-days", 365, "--k-access", 2, "--disabled")
    found = hebb.json("policy", "clear", "mem_facts", "half_life_days")
    assert (found["half_life_days"], found["override"]) == (60, {"k_access": 2, "enabled": False})
    assert hebb.json("policy", "clear", "mem_facts", "threshold")["override"] == found["override"]
    assert hebb.error("policy", "clear", "mem_facts", "half_live")["code"] == 2
    assert hebb.json("policy", "clear", "mem_facts")["override"] == {}
    assert hebb("policy", "clear", "mem_facts").code == 0
    assert hebb.json("config", "get", "decay_floor")["value"] == 0.7
    left = json.loads((home / "hebb.json").read_text())
    assert left.pop("forgetting_overrides", {}) == {}
    assert left == {"decay_floor": 0.7}


def test_clear_keeps_fields_hebb_does_not_know(hebb, home) -> None:
    written = {"forgetting_overrides": {"mem_facts": {"colour": "red", "k_access": 1}, "x": {}}}
    (home / "hebb.json").write_text(json.dumps(written))
    hebb("policy", "clear", "mem_facts", "k_access")
    hebb("policy", "set", "mem_facts", "--threshold", 0.2)
    assert json.loads((home / "hebb.json").read_text())["forgetting_overrides"] == {
        "mem_facts": {"colour": "red", "threshold": 0.2},
        "x": {},
    }


@pytest.fixture
def aged(hebb) -> None:
    """Ten memories in each of two partitions, idle for 1, 4, … 28 days; one pinned, one expired."""
    for partition in ("mem_facts", "mem_other"):
        hebb.bring(
            *(
                {
                    "content": f"note {number}",
                    "partition": partition,
                    "created_at": f"2025-12-{31 - 3 * number:02d}",
                    "importance": number % 3,
                    "access_count": number % 2,
                }
                for number in range(10)
            ),
            {"content": "p", "partition": partition, "pinned": True, "created_at": "2020-01-01"},
            {"content": "e", "partition": partition, "expires_at": "2025-12-31", "uid": partition},
        )


CANDIDATES = [
    [],
    ["--half-life-days", "7"],
    ["--half-life-days", "7", "--k-importance", "10", "--k-access", "0"],
    ["--threshold", "0.8"],
    ["--threshold", "0.0001"],
    ["--disabled"],
]


@pytest.mark.usefixtures("aged")
@pytest.mark.parametrize("candidate", CANDIDATES, ids=" ".join)
@pytest.mark.parametrize("saved", [[], ["--half-life-days", "10"]], ids=" ".join)
def test_preview_names_exactly_what_gc_then_takes_and_writes_nothing(
    hebb, contents, saved, candidate
) -> None:
    if saved:
        hebb("policy", "set", "mem_facts", *saved)
    before = contents()
    now = len(hebb.ids("gc", "--dry-run", "--partition", "mem_facts"))
    preview = hebb.json("policy", "preview", "mem_facts", *candidate)
    assert contents() == before
    assert (preview["partition"], preview["live"]) == ("mem_facts", 12)
    assert (preview["forgotten"], preview["forgotten_now"]) == (len(preview["memories"]), now)
    if candidate:
        hebb("policy", "set", "mem_facts", *candidate)
    assert (
        hebb.json("gc", "--dry-run", "--partition", "mem_facts")["memories"]
        == (preview["memories"])
    )
    taken = hebb.json("gc")["memories"]
    assert [one for one in taken if one["partition"] == "mem_facts"] == preview["memories"]


@pytest.mark.usefixtures("aged")
def test_candidates_of_the_preview_differ(hebb) -> None:
    counts = [hebb.json("policy", "preview", "mem_facts", *one)["forgotten"] for one in CANDIDATES]
    assert counts[0] < counts[2] < counts[1]
    assert counts[3] > counts[0] >= counts[4] >= counts[5] == 1


@pytest.mark.usefixtures("aged")
def test_preview_is_said_in_words(hebb) -> None:
    done = hebb("policy", "preview", "mem_facts", "--disabled")
    assert [row[:3] for row in done.rows] == [["12", "archived", "expired"]]
    assert done.err == "1 of 12 live memories would be forgotten, 1 under the saved policy\n"


def test_change_of_a_policy_is_in_the_audit_once_there_is_a_store(hebb, home) -> None:
    hebb("policy", "set", "mem_facts", "--k-access", 1)
    assert not (home / "hebb.db").exists()
    hebb("add", "x")
    hebb("policy", "set", "mem_facts", "--k-access", 2)
    assert policy(hebb, "mem_facts")["k_access"] == 2


def test_override_out_of_range_can_be_cleared(hebb, home) -> None:
    (home / "hebb.json").write_text('{"forgetting_overrides": {"mem_a": {"threshold": 7}}}')
    assert hebb("policy", "show", "mem_a").code == 6
    assert hebb("policy", "clear", "mem_a").code == 0
    assert hebb("policy", "show", "mem_a").code == 0
