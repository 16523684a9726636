"""max_store_bytes: a store takes so many bytes of text, and refuses more by every door."""

import json
import sqlite3

import pytest


@pytest.fixture
def small(hebb) -> None:
    """A store of 20 bytes at most, with 15 in it: 9 live and 6 archived."""
    hebb("add", "九字节")
    hebb("archive", hebb.json("add", "nights")["id"])
    hebb("config", "set", "max_store_bytes", 20)


@pytest.mark.usefixtures("small")
def test_store_is_filled_to_the_last_byte_and_no_further(hebb) -> None:
    error = hebb.error("add", "sixsix")
    assert (error["code"], error["kind"]) == (4, "refused")
    assert "21 bytes, more than max_store_bytes 20 (15 now)" in error["message"]
    assert "hebb gc --purge" in error["hint"]
    assert hebb("add", "fives").code == 0
    assert hebb.error("add", "x")["code"] == 4
    assert hebb.json("add", "fives")["existing"]
    assert hebb.json("stats")["total"] == 3


@pytest.mark.usefixtures("small")
def test_edit_may_use_what_is_left_and_always_shorten(hebb) -> None:
    assert hebb.error("edit", 1, "x" * 15)["code"] == 4
    assert hebb.json("show", 1)["content"] == "九字节"
    assert hebb("edit", 1, "x" * 14).code == 0
    hebb("config", "set", "max_store_bytes", 10)
    assert hebb("edit", 1, "x" * 13).code == 0
    assert hebb("edit", 1, "--importance", 9).code == 0


@pytest.mark.usefixtures("small")
def test_import_takes_what_fits_and_names_the_rest(hebb) -> None:
    lines = "".join(json.dumps({"content": text}) + "\n" for text in ("abc", "defg", "hi", "j"))
    done = hebb("import", "-", "--json", stdin=lines)
    found = json.loads(done.out)
    assert (done.code, found["stored"]) == (6, 2)
    assert [number for number, _ in found["rejected"]] == [2, 4]
    assert "max_store_bytes 20 (18 now)" in found["rejected"][0][1]
    assert hebb("import", "-", stdin='{"content": "九字节"}').code == 0


@pytest.mark.usefixtures("small")
def test_replacing_counts_what_it_replaces(hebb) -> None:
    uid = hebb.json("show", 1)["uid"]

    def replaced(text: str) -> int:
        line = json.dumps({"uid": uid, "content": text})
        return hebb("import", "--replace", "-", stdin=line).code

    assert replaced("x" * 15) == 6
    assert hebb.json("show", 1)["content"] == "九字节"
    assert replaced("x" * 14) == 0


@pytest.mark.usefixtures("small")
def test_purging_makes_room(hebb) -> None:
    hebb("gc", "--purge", "--yes")
    assert hebb("add", "sixsix").code == 0


def test_without_a_limit_nothing_is_summed_up(hebb, monkeypatch) -> None:
    statements: list[str] = []
    connect = sqlite3.connect

    def traced(*arguments, **options) -> sqlite3.Connection:
        db = connect(*arguments, **options)
        db.set_trace_callback(statements.append)
        return db

    monkeypatch.setattr(sqlite3, "connect", traced)
    hebb("add", "x")
    assert any("INSERT INTO memory" in one for one in statements)
    assert not any("sum(" in one for one in statements)
    hebb("config", "set", "max_store_bytes", 99)
    hebb("add", "y")
    assert any("sum(" in one for one in statements)


def test_amnesia_holds_a_quarter_of_a_megabyte(hebb) -> None:
    hebb("config", "preset", "amnesia")
    assert hebb.json("config", "get", "max_store_bytes")["value"] == 262_144
