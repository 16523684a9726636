"""hebb config: set, get, unset, list, path; and that each setting changes something."""

import json
import sqlite3

import pytest

from hebbctl.settings import SETTINGS

OLD = {"created_at": "2020-01-01"}


def test_setting_is_read_back_as_a_number_with_its_origin(hebb) -> None:
    assert hebb("config", "get", "half_life_days").out == "half_life_days\t60\tdefault\n"
    assert hebb("config", "set", "half_life_days", 120).out == "half_life_days\t120\tfile\n"
    found = hebb.json("config", "get", "half_life_days")
    assert (found["value"], found["origin"], found["default"]) == (120, "file", 60)
    assert hebb("config", "unset", "half_life_days").out == "half_life_days\t60\tdefault\n"


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("config set half_life_days 120", 120),
        ("config set forget_threshold 0.5", 0.5),
        ("config set forget_interval_seconds 3600", 3600),
        ("config set forget-interval-seconds 3600", 3600),
        ("config set HALF_LIFE_DAYS 7.5", 7.5),
        ("config set on_forget erase", "erase"),
    ],
)
def test_setting_is_set_as_typed_in_any_spelling(hebb, home, line, value) -> None:
    assert hebb(*line.split()).code == 0
    name = line.split()[2].lower().replace("-", "_")
    assert json.loads((home / "hebb.json").read_text()) == {name: value}
    assert hebb.json("config", "get", name)["value"] == value


def test_overrides_written_by_hand_count_field_by_field(hebb, home) -> None:
    overrides = {
        "mem_facts": {"half_life_days": 365, "k_access": 2.0, "threshold": None, "enabled": True},
        "mem_scratch": {"half_life_days": 7, "enabled": True},
        "mem_pinned": {"enabled": False},
    }
    (home / "hebb.json").write_text(json.dumps({"forgetting_overrides": overrides}))
    hebb.bring(*({"content": "x", "partition": name, "importance": 0} for name in overrides))
    facts, scratch, pinned = (hebb.json("explain", number) for number in (1, 2, 3))
    assert (facts["half_life_days"], facts["k_access"], facts["threshold"]) == (365, 2.0, 0.3)
    assert (facts["origins"]["k_access"], facts["origins"]["threshold"]) == ("override", "global")
    assert (scratch["half_life_days"], scratch["forgotten_at"][:10]) == (7, "2026-01-09")
    assert (pinned["decided_by"], pinned["forgotten_at"]) == ("disabled", None)
    assert hebb.ids("gc", "--dry-run", "--now", "2028-01-01") == [1, 2]
    assert hebb.json("config", "get", "half_life_days")["origin"] == "default"
    hebb("config", "set", "half_life_days", 120)
    assert json.loads((home / "hebb.json").read_text())["forgetting_overrides"] == overrides


def test_set_says_what_a_change_reaches_and_what_keeps_its_own(hebb, home) -> None:
    hebb("policy", "set", "mem_facts", "--half-life-days", 365, "--threshold", 0.2)
    note = hebb("config", "set", "half_life_days", 120).err
    for partition in ("mem_episodic", "mem_semantic", "mem_procedural", "mem_preference"):
        assert partition in note
    assert "hebb policy set" in note
    assert note.endswith("overridden in mem_facts\n")
    assert "overridden in mem_facts" in hebb("config", "set", "forget_threshold", 0.4).err
    assert "overridden" not in hebb("config", "set", "k_access", 1).err
    assert hebb("config", "set", "half_life_days", 90, "--quiet").err == ""


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        *(
            ("half_life_days", value, "(0, 3650]")
            for value in ("0", "-5", "3650.1", "nan", "x", "")
        ),
        *(("forget_threshold", value, "(0, 1)") for value in ("0", "1", "-0.1", "true")),
        *(("k_importance", value, "[0, 10]") for value in ("-1", "10.1", "inf")),
        ("k_access", "-0.5", "[0, 10]"),
        ("forget_min_retention_days", "-1", "[0, no limit)"),
        ("forget_interval_seconds", "0", "(0, no limit)"),
        ("archive_days", "-inf", "[0, no limit)"),
        ("gc_max_share", "2", "[0, 1]"),
        ("decay_floor", "-1", "[0, 1]"),
        ("on_forget", "burn", "archive, erase"),
        ("stale_last", "1", "true, false"),
    ],
)
def test_value_out_of_range_names_the_range_and_writes_nothing(
    hebb, home, name, value, allowed
) -> None:
    error = hebb.error("config", "set", name, value)
    assert (error["code"], error["kind"]) == (2, "usage")
    assert allowed in error["message"]
    assert not (home / "hebb.json").exists()


@pytest.mark.parametrize("verb", ["set", "get", "unset"])
@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("half_life_day", "half_life_days"),
        ("halflife_days", "half_life_days"),
        ("forget_treshold", "forget_threshold"),
        ("banana", "hebb config list"),
    ],
)
def test_unknown_setting_gets_a_suggestion_and_writes_nothing(
    hebb, home, verb, name, meant
) -> None:
    error = hebb.error("config", verb, name, *(["1"] if verb == "set" else []))
    assert error["code"] == 2
    assert name in error["message"]
    assert meant in error["hint"]
    assert not (home / "hebb.json").exists()


def test_list_names_each_setting_its_origin_and_its_meaning(hebb, monkeypatch) -> None:
    hebb("config", "set", "k_access", 3)
    monkeypatch.setenv("HEBB_DECAY_FLOOR", "0.5")
    found = {one["name"]: one for one in hebb.json("config", "list")}
    assert list(found) == list(SETTINGS)
    assert (found["k_access"]["origin"], found["k_access"]["value"]) == ("file", 3)
    assert (found["decay_floor"]["origin"], found["decay_floor"]["value"]) == ("environment", 0.5)
    assert {found[name]["origin"] for name in set(found) - {"k_access", "decay_floor"}} == {
        "default"
    }
    assert all(one["help"] for one in found.values())
    assert len(hebb("config", "list").rows) == len(SETTINGS)


def test_environment_wins_over_the_file_and_an_empty_variable_is_none(hebb, monkeypatch) -> None:
    hebb("config", "set", "k_access", 3)
    monkeypatch.setenv("HEBB_K_ACCESS", "4")
    assert hebb.json("config", "get", "k_access")["value"] == 4
    monkeypatch.setenv("HEBB_K_ACCESS", "")
    assert hebb.json("config", "get", "k_access")["value"] == 3


def test_change_keeps_what_hebb_does_not_know_and_the_order(hebb, home) -> None:
    (home / "hebb.json").write_text('{"theirs": {"b": 1, "a": [2]}, "k_access": 2, "x": "é"}')
    hebb("config", "set", "k_access", 3)
    hebb("config", "set", "decay_floor", 0.5)
    written = (home / "hebb.json").read_text("utf-8")
    assert list(json.loads(written).items()) == [
        ("theirs", {"b": 1, "a": [2]}),
        ("k_access", 3),
        ("x", "é"),
        ("decay_floor", 0.5),
    ]
    assert "é" in written


def test_value_out_of_range_in_the_file_can_be_unset_and_set(hebb, home) -> None:
    (home / "hebb.json").write_text('{"k_access": -1, "decay_floor": 9}')
    assert hebb.error("config", "get", "k_access")["code"] == 6
    assert hebb("config", "unset", "k_access").code == 0
    assert hebb("config", "set", "decay_floor", 0.5).code == 0
    assert hebb("config", "list").code == 0


@pytest.mark.parametrize("depth", [600, 100_000])
def test_file_that_is_nested_too_deeply_to_be_written_stays_as_it_is(hebb, home, depth) -> None:
    content = f'{{"later": {"[" * depth}{"]" * depth}}}'
    (home / "hebb.json").write_text(content)
    for line in ("set k_access 2", "unset k_access", "preset jarvis"):
        done = hebb("config", *line.split())
        assert (done.code, "too deeply" in done.err) == (6, True), done.err
    assert (home / "hebb.json").read_text() == content


def test_link_to_a_settings_file_stays_a_link(hebb, home) -> None:
    (home / "dotfiles").mkdir()
    (home / "dotfiles" / "mine.json").write_text("{}")
    (home / "hebb.json").symlink_to(home / "dotfiles" / "mine.json")
    hebb("config", "set", "k_access", 3)
    assert (home / "hebb.json").is_symlink()
    assert json.loads((home / "dotfiles" / "mine.json").read_text()) == {"k_access": 3}


def test_path_is_where_set_writes(hebb, home) -> None:
    assert hebb("config", "path").out == f"{home}/hebb.json\n"
    assert hebb.json("config", "path") == {"path": f"{home}/hebb.json"}
    assert not (home / "hebb.json").exists()


def dry(hebb, day: float, *words) -> list[int]:
    return hebb.ids("gc", "--dry-run", "--now", f"{day}", *words)


def lifetime(hebb) -> float:
    return hebb.json("explain", 1)["lifetime_days"]


def sweep_outcome(hebb) -> str:
    return hebb.json("gc", "--dry-run")["memories"][0]["outcome"]


def erased_at(hebb) -> str:
    return hebb.json("explain", 1)["erased_at"]


def refused(hebb) -> int:
    return hebb("gc").code


def score(hebb) -> float:
    return hebb.json("recall", "note", "--peek")[0]["score"]


def get_interval(hebb) -> float:
    return hebb.json("config", "get", "forget_interval_seconds")["value"]


def promoted(hebb) -> list[int]:
    return hebb.ids("promote", "--dry-run")


def promoted_fresh(hebb) -> list[int]:
    hebb("touch", 1)
    return promoted(hebb)


def promoted_early(hebb) -> list[int]:
    hebb("config", "set", "promote_uses", 2)
    return promoted_fresh(hebb)


def consolidated(hebb) -> object:
    hebb("add", "new", "--partition", "mem_hippocampus", "--kind", "own")
    return hebb("consolidate", "--dry-run").rows


def consolidated_in_time(hebb) -> object:
    hebb("config", "set", "consolidate_command", "sh -c 'sleep 0.2; exit 1'")
    hebb("add", "new", "--partition", "mem_hippocampus")
    return hebb("consolidate", "--dry-run").err


def found_again(hebb) -> object:
    hebb("archive", 1)
    hebb("recall", "note")
    return hebb.json("show", 1)["state"]


def restored_after_all(hebb) -> object:
    hebb("forget", hebb.json("add", "x")["id"])
    return hebb("restore", 2).code, hebb("restore", 3).code


def filled(hebb) -> int:
    return hebb("add", "more", "--force").code


def longest(hebb) -> list[int]:
    return [hebb("add", "x" * size).code for size in (9, 11)]


def audited(hebb) -> int:
    for number in range(3):
        hebb("add", f"kept {number}")
        hebb("archive", hebb.json("add", f"shelved {number}", "--force")["id"])
    hebb("gc", "--quiet")
    return len(hebb.json("audit"))


def recalled_under_use(hebb) -> object:
    hebb("config", "set", "curve", "cortexgraph")
    return hebb.json("explain", 1)["gain"]


def curve_named(hebb) -> object:
    return hebb.json("explain", 1)["curve"]


def stale(hebb) -> object:
    return hebb.json("explain", 1)["stale_at"]


def found_first(hebb) -> object:
    """Observe what a recall shows first: an old memory that fits well, or a new one."""
    hebb("config", "set", "stale_threshold", "0.5")
    hebb("add", "a new notebook, or a note of it", "--force")
    return hebb.ids("recall", "note", "--peek")


def forgotten(hebb) -> object:
    return hebb.json("explain", 1)["forgotten_at"]


def anchored(hebb) -> object:
    hebb("archive", 1)
    hebb("restore", 1)
    return hebb.json("show", 1)["anchor_value"]


def recalled_twice(field: str, growth: str):
    """Observe a field of a memory that was used twice under memorybank's curve."""

    def observe(hebb) -> object:
        hebb("config", "set", "curve", "memorybank")
        if growth != "linear":
            hebb("config", "set", "growth", growth)
        return hebb.json("explain", 1)[field]

    return observe


def quarantined(hebb) -> int:
    hebb("import", "-", stdin='{"content": "from elsewhere"}')
    found = len(hebb.ids("list", "--untrusted"))
    hebb("forget", "--query", "elsewhere", "--yes")
    return found


def injected(hebb) -> int:
    hebb("add", "a new note", "--force")
    return len(hebb.json("inject")["items"])


def renewed(hebb) -> object:
    hebb("pin", 1)
    hebb("inject")
    return hebb.json("show", 1)["renewed_at"]


def lent(hebb) -> object:
    hebb("add", "red lantern", "--session", "s")
    hebb("add", "it was broken", "--session", "s")
    return [one["score"] for one in hebb.json("recall", "lantern", "--peek")]


def boosted(hebb) -> object:
    hebb("add", "red lantern")
    hebb("link", 1, 2)
    return [one["score"] for one in hebb.json("recall", "lantern", "--context", 1, "--peek")]


def ranked(hebb) -> object:
    return hebb.json("recall", "note", "--peek")[0]["score"]


def weighed(hebb) -> object:
    found = hebb.json("recall", "note", "--peek", "--explain")
    return found[0]["explanation"]["semantic_weight"]


def joined(hebb) -> object:
    before = len(hebb.json("list"))
    for number in range(5):
        hebb("add", f"lantern{before} {number}")
    hebb("recall", f"lantern{before}")
    return len([one for one in hebb.json("graph")["edges"] if one["memory_a"] > before])


def followed(hebb) -> object:
    for text in ("first", "second"):
        hebb("add", text, "--session", "s", "--force")
    return max(one["weight"] for one in hebb.json("graph")["edges"])


def embedding(embedder: str, command: str = ""):
    """Observe what embedding a note answers, with such an embedder."""

    def observe(hebb) -> object:
        hebb("config", "set", "embedder", embedder)
        if command:
            hebb("config", "set", "embed_command", command)
        return hebb("embed", "--dry-run").out, hebb.error("embed")["message"]

    return observe


def dry_embedding(hebb) -> object:
    return hebb.json("embed", "--dry-run")["model"] if hebb("embed", "--dry-run").out else None


def embedding_on_write(hebb) -> bool:
    hebb("config", "set", "embedder", "command")
    return "no vector was made" in hebb("add", "another", "--force").err


OBSERVED = {
    "embedder": (dry_embedding, "none"),
    "embed_command": (embedding("command"), "no-such-program"),
    "embed_url": (embedding("url"), "ftp://localhost/"),
    "embed_model": (embedding("url"), "mine"),
    "embed_on_write": (embedding_on_write, "true"),
    "embed_timeout_seconds": (embedding("command", "sleep 0.3"), "0.01"),
    "neighbour_weight": (lent, "0.1"),
    "semantic_weight": (weighed, "0.5"),
    "ranking": (ranked, "cortexgraph"),
    "co_occurrence_boost": (boosted, "1"),
    "graph_pairs_per_recall": (joined, "3"),
    "graph_edges_per_memory": (joined, "1"),
    "session_edge_weight": (followed, "0.5"),
    "trust_imports": (quarantined, "false"),
    "curve": (curve_named, "power"),
    "stale_threshold": (stale, "0.5"),
    "stale_last": (found_first, "true"),
    "default_ttl_days": (forgotten, "3"),
    "max_lifetime_days": (forgotten, "3"),
    "beta": (recalled_under_use, "1"),
    "growth": (recalled_twice("time_constant_days", "linear"), "log"),
    "growth_factor": (recalled_twice("time_constant_days", "decay"), "0.9"),
    "time_unit": (recalled_twice("time_constant_days", "linear"), "hours"),
    "restore_anchor": (anchored, "0.8"),
    "half_life_days": (lifetime, "3650"),
    "k_importance": (lifetime, "0"),
    "k_access": (lifetime, "0"),
    "forget_threshold": (lifetime, "0.5"),
    "forget_min_retention_days": (lifetime, "2000"),
    "forget_interval_seconds": (get_interval, "3600"),
    "on_forget": (sweep_outcome, "erase"),
    "archive_days": (erased_at, "1"),
    "gc_max_share": (refused, "0"),
    "decay_floor": (score, "0.1"),
    "move_after_accesses": (promoted, "2"),
    "promote_at_vitality": (promoted_fresh, "0.65"),
    "promote_uses": (promoted, "2"),
    "promote_within_days": (promoted_early, "3000"),
    "promote_after_accesses": (promoted, "2"),
    "consolidation_rules": (consolidated, '{"kind:own": "mem_own"}'),
    "consolidate_command": (consolidated, "false"),
    "consolidate_timeout_seconds": (consolidated_in_time, "0.05"),
    "on_fallback": (found_again, "restore"),
    "restorable": (restored_after_all, "true"),
    "max_store_bytes": (filled, "10"),
    "max_item_bytes": (longest, "10"),
    "inject_max_tokens": (injected, "0"),
    "inject_renewal_cooldown_hours": (renewed, "6"),
    "audit_max_rows": (audited, "2"),
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("way", ["file", "environment"])
def test_change_of_each_setting_is_observable(hebb, home, monkeypatch, name, way) -> None:
    observe, value = OBSERVED[name]
    if observe is refused:
        (home / "hebb.json").write_text('{"on_forget": "erase"}')
        hebb.bring(*({"content": f"note {number}"} | OLD for number in range(25)))
        hebb.bring(*({"content": f"new {number}"} for number in range(75)))
        monkeypatch.setenv("HEBB_GC_MAX_SHARE", "1")
        assert hebb.json("gc", "--dry-run")["erased"] == 25
        monkeypatch.delenv("HEBB_GC_MAX_SHARE")
        before = 0  # 25 of 100 are within the half that is allowed
    else:
        hebb.bring({"content": "note", "access_count": 2} | OLD)
        before = observe(hebb)
    if way == "file":
        assert hebb("config", "set", name, value).code == 0
    else:
        monkeypatch.setenv(f"HEBB_{name.upper()}", value)
    assert observe(hebb) != before


def test_global_setting_reaches_notes_and_own_partitions_but_no_built_in_one(hebb) -> None:
    partitions = ["mem_notes", "mem_facts", "mem_episodic", "mem_semantic"]
    hebb.bring(*({"content": "x", "partition": name} for name in partitions))
    before = [hebb.json("explain", number)["half_life_days"] for number in (1, 2, 3, 4)]
    hebb("config", "set", "half_life_days", 120)
    after = [hebb.json("explain", number)["half_life_days"] for number in (1, 2, 3, 4)]
    assert (before, after) == ([60, 60, 30, 90], [120, 120, 30, 90])


def test_longer_half_life_shrinks_what_the_next_sweep_takes(hebb, at) -> None:
    hebb("add", "x", "--importance", 0)
    at(100)
    assert hebb.ids("gc", "--dry-run") == [1]
    hebb("config", "set", "half_life_days", 3650)
    assert hebb.ids("gc", "--dry-run") == []


def test_store_that_is_locked_keeps_the_settings_as_they_are(hebb, home, monkeypatch) -> None:
    monkeypatch.setattr("hebbctl.store.connection.BUSY_TIMEOUT_MS", 50)
    hebb("add", "x")
    writer = sqlite3.connect(home / "hebb.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    assert hebb.error("config", "set", "k_access", "3")["code"] == 5
    assert hebb.error("policy", "set", "mem_facts", "--k-access", "3")["code"] == 5
    writer.close()
    assert hebb.json("config", "get", "k_access")["origin"] == "default"


def test_variable_that_wins_over_the_file_is_said(hebb, monkeypatch) -> None:
    monkeypatch.setenv("HEBB_K_ACCESS", "4")
    done = hebb("config", "set", "k_access", 3)
    assert (done.code, done.rows) == (0, [["k_access", "4", "environment"]])
    assert done.err == "HEBB_K_ACCESS is set to 4 and wins over the file\n"


def test_change_beside_a_broken_value_is_written_and_says_so(hebb, home) -> None:
    (home / "hebb.json").write_text('{"forgetting_overrides": {"mem_a": {"threshold": 7}}}')
    done = hebb("config", "set", "k_access", 3)
    assert done.code == 0
    assert "no command can use the file yet" in done.err
    assert "mem_a.threshold" in done.err
    assert json.loads((home / "hebb.json").read_text())["k_access"] == 3


def test_settings_file_that_is_named_but_not_there_is_said(hebb, home) -> None:
    done = hebb("stats", "--config", home / "typo.json")
    assert done.code == 0
    assert done.err == f"there is no {home / 'typo.json'}: every setting has its default\n"
    assert hebb("config", "set", "k_access", 3, "--config", home / "new.json").code == 0
    assert hebb("stats", "--config", home / "new.json").err == ""
