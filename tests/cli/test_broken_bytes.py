"""Bytes that are no UTF-8, which a shell passes on as half characters, in names and settings."""

import json
import sqlite3

import pytest

HALF = "\udcff"


@pytest.mark.parametrize(
    "line",
    [
        *("show {}", "touch {}", "pin {}", "trust {}", "tag {} +x", "forget {}", "archive {}"),
        *("restore {}", "promote {}", "edit {} x", "explain {}", "compare {}", "related {}"),
        *("graph {}", "link 1 {}", "unlink {} 1", "recall note --context {}"),
        *("add x --replaces {}", "edit 1 --replaces {}", "consolidate --merge 1 {}"),
    ],
)
def test_reference_with_broken_bytes_is_no_memory(hebb, line) -> None:
    hebb("add", "note")
    for reference in (HALF, f"abc{HALF}", f"1{HALF}"):
        failure = hebb.error(*(word.format(reference) for word in line.split()))
        assert (failure["code"], failure["kind"]) == (3, "memory_not_found")
    assert hebb("audit", f"abc{HALF}").code in (0, 3)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("embed_model", f"m{HALF}"),
        ("embed_command", f"/bin/{HALF}"),
        ("embed_url", f"http://localhost/{HALF}"),
        ("consolidate_command", f"/bin/{HALF}"),
        ("consolidation_rules", json.dumps({"tag:x\ud83d": "mem_x"})),
    ],
)
def test_setting_with_broken_bytes_is_refused_and_later_runs_write(
    hebb, home, monkeypatch, name, value
) -> None:
    failure = hebb.error("config", "set", name, value)
    assert (failure["code"], name in failure["message"]) == (2, True)
    assert not (home / "hebb.json").exists()
    if not name.startswith("consolidation"):
        monkeypatch.setenv(f"HEBB_{name.upper()}", value)
        assert hebb.error("stats")["code"] == 2
        monkeypatch.delenv(f"HEBB_{name.upper()}")
    assert hebb("add", "note").code == 0


def test_broken_bytes_written_into_the_settings_by_hand_stop_no_later_write(hebb, home) -> None:
    hebb("add", "first")
    file = home / "hebb.json"
    file.write_text(json.dumps({"embed_model": "half \ud83d"}))
    assert hebb.error("add", "note")["code"] == 6
    assert hebb("config", "unset", "embed_model").code == 0
    assert hebb("add", "note").code == 0
    [row] = hebb.json("audit")
    assert (row["action"], "half \ufffd" in row["reason"]) == ("setting", True)


def test_change_of_settings_noted_with_broken_bytes_is_reported_by_the_next_run(hebb, home) -> None:
    hebb("config", "set", "beta", 1)
    hebb("add", "note")
    with sqlite3.connect(home / "hebb.db") as store:
        [audited] = store.execute("SELECT count(*) FROM audit").fetchone()
        noted = {"file": str(home / "none"), "digest": None, "at": 0, "actor": "cli"}
        noted["change"] = f"embed_model: unset -> {HALF}"
        store.execute("INSERT INTO state VALUES ('setting_pending', ?)", [json.dumps(noted)])
    store.close()
    assert hebb("config", "set", "beta", 1.5).code == 0
    assert len(hebb.json("audit")) == audited + 2
