"""hebb bench recall: figures right to the digit, on a throw-away store, whatever the set's form."""

import json
from pathlib import Path
from typing import Any

import pytest

# Each word that is asked for stands in one turn, so that the ranks can be told beforehand: the
# turn itself, then the turns of its session next to it, the nearer first.
TALKS = (
    ("1:56 pm on 8 May, 2023", ("the kettle whistles", "oh dear", "and then", "good night")),
    ("9:05 am on 3 June, 2023", ("a lantern on the pier",)),
)
ASKED: tuple[tuple[str, list[str] | None, Any], ...] = (
    ("Which kettle?", ["D1:1"], 1),  # rank 1
    ("Where is the kettle?", ["D1:1; D1:3"], 1),  # ranks 1 and 3
    ("kettle?", ["D1:2"], 2),  # rank 2: a neighbour
    ("lantern?", ["D1:4"], 2),  # not found
    ("lantern?", ["D2:1", "D9:9"], "adversarial"),  # rank 1, one is not there
    ("Why?", [], 3),
    ("When?", None, 3),
    ("Who?", ["D7:1"], 3),
)


def talks(*asked: tuple[str, list[str] | None, Any]) -> dict[str, Any]:
    conversation: dict[str, Any] = {"speaker_a": "Ida", "speaker_b": "Bo"}
    for number, (when, said) in enumerate(TALKS, start=1):
        conversation[f"session_{number}_date_time"] = when
        conversation[f"session_{number}"] = [
            {"speaker": ("Ida", "Bo")[turn % 2], "dia_id": f"D{number}:{turn}", "text": words}
            for turn, words in enumerate(said, start=1)
        ]
    questions = [
        {"question": words, "answer": "?", "category": category}
        | ({} if evidence is None else {"evidence": evidence})
        for words, evidence, category in asked
    ]
    return {"sample_id": "talk", "conversation": conversation, "qa": questions}


@pytest.fixture
def locomo(home: Path) -> Path:
    path = home / "talks.json"
    path.write_text(json.dumps([talks(*ASKED)]))
    return path


@pytest.fixture
def lines(home: Path):
    """Writes a set in lines. Returns its path."""

    def write(name: str, *values: dict[str, Any]) -> Path:
        path = home / name
        path.write_text("".join(json.dumps(one) + "\n" for one in values))
        return path

    return write


def without_time(measures: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in measures.items() if name != "milliseconds"}


def figures(questions: int, recall: list[float], hit: list[float], mrr: float) -> dict:
    cuts = (1, 5, 10, 20)
    return {
        "questions": questions,
        **{f"recall@{cut}": value for cut, value in zip(cuts, recall, strict=True)},
        **{f"hit@{cut}": value for cut, value in zip(cuts, hit, strict=True)},
        "mrr": mrr,
    }


def test_locomo_is_measured_right_to_the_digit(hebb, locomo) -> None:
    found = hebb.json("bench", "recall", locomo)
    assert without_time(found["overall"]) == figures(
        5, [0.5, 0.8, 0.8, 0.8], [0.6, 0.8, 0.8, 0.8], 0.7
    )
    assert {name: without_time(one) for name, one in found["categories"].items()} == {
        "1": figures(2, [0.75, 1, 1, 1], [1, 1, 1, 1], 1),
        "2": figures(2, [0, 0.5, 0.5, 0.5], [0, 0.5, 0.5, 0.5], 0.25),
        "adversarial": figures(1, [1, 1, 1, 1], [1, 1, 1, 1], 1),
    }
    assert found["overall"]["milliseconds"] > 0


def test_what_was_measured_and_what_was_left_out_is_counted(hebb, locomo) -> None:
    found = hebb.json("bench", "recall", locomo)
    assert {name: found[name] for name in list(found)[:10]} == {
        "schema": 1,
        "stores": 1,
        "memories": 5,
        "questions": 5,
        "left_out": {"no_gold": 2, "gold_not_there": 1},
        "gold_missing": 1,
        "together": False,
        "without": [],
        "asked_at": None,
        "decay_floor": 0.8,
    }


def test_without_neighbours_only_what_holds_the_words_is_found(hebb, locomo) -> None:
    found = hebb.json("bench", "recall", locomo, "--no-neighbours")
    assert found["without"] == ["neighbours"]
    assert without_time(found["overall"]) == figures(
        5, [0.5, 0.5, 0.5, 0.5], [0.6, 0.6, 0.6, 0.6], 0.6
    )


def test_without_decay_an_old_memory_is_as_good_as_a_new_one(hebb, lines) -> None:
    path = lines(
        "set",
        {"uid": "old", "content": "kettle kettle blue", "created_at": "2020-01-01T00:00:00Z"},
        {"uid": "new", "content": "kettle of the blue", "created_at": "2026-01-01T00:00:00Z"},
        {"question": "kettle", "gold": ["old"]},
    )
    assert hebb.json("bench", "recall", path)["overall"]["mrr"] == 0.5
    found = hebb.json("bench", "recall", path, "--no-decay")
    assert (found["overall"]["mrr"], found["decay_floor"]) == (1, 1)


def test_ranks_are_those_of_the_command_recall(hebb, home) -> None:
    notes = [
        {"uid": f"u{number}", "content": f"{words} kettle", "session": "s", "kind": "event"}
        | {"created_at": f"2025-12-{number + 1:02}T00:00:00Z"}
        for number, words in enumerate("red blue green red-blue big old new dear".split())
    ]
    hebb.bring(*notes)
    for query in ("blue kettle", "the old kettle", "dear"):
        uids = [one["uid"] for one in hebb.json("recall", query, "--peek", "-n", 20)]
        for rank, uid in enumerate(uids, start=1):
            (home / "q").write_text(json.dumps({"question": query, "gold": [uid]}) + "\n")
            (home / "m").write_text("".join(json.dumps(one) + "\n" for one in notes))
            now = "2026-01-01T00:00:00Z"
            found = hebb.json("bench", "recall", home / "m", home / "q", "--now", now)
            assert found["overall"]["mrr"] == pytest.approx(1 / rank, abs=1e-8)
            assert found["asked_at"] == now


def test_questions_may_stand_in_a_file_of_their_own_or_come_on_stdin(hebb, lines) -> None:
    notes = lines("notes", {"uid": "a", "content": "kettle"}, {"uid": "b", "content": "lamp"})
    asked = {"question": "lamp?", "gold": ["b"]}
    path = lines("questions", asked)
    for words in ((notes, path), (path, notes), (notes, "--questions", path), (notes, "-")):
        found = hebb.json("bench", "recall", *words, stdin=json.dumps(asked))
        assert (found["memories"], found["overall"]["recall@1"]) == (2, 1)


def test_question_of_a_scope_is_asked_there_only(hebb, lines) -> None:
    notes = ({"uid": one, "content": "the kettle", "scope": one} for one in ("a", "b"))
    asked = ({"query": "kettle", "gold": ["a"], "scope": one} for one in ("a", "b"))
    found = hebb.json("bench", "recall", lines("set", *notes, *asked))
    assert found["overall"]["recall@20"] == 0.5


def test_samples_are_asked_apart_unless_together(hebb, home) -> None:
    sample = talks(("kettle?", ["D1:1"], 1))
    (home / "two.json").write_text(json.dumps([sample, sample]))
    apart = hebb.json("bench", "recall", home / "two.json")
    assert (apart["stores"], apart["memories"], apart["overall"]["recall@1"]) == (2, 10, 1)
    one = hebb.json("bench", "recall", home / "two.json", "--together")
    assert (one["stores"], one["memories"], one["together"]) == (1, 10, True)
    assert (one["overall"]["recall@1"], one["overall"]["recall@5"]) == (0.5, 1)


def test_own_settings_count_only_where_they_are_asked_for(hebb, locomo, home) -> None:
    hebb("config", "set", "decay_floor", "0.25")
    (home / "other.json").write_text('{"decay_floor": 0.5}')
    floors = [
        hebb.json("bench", "recall", locomo, *words)["decay_floor"]
        for words in ((), ("--use-settings",), ("--config", home / "other.json"))
    ]
    assert floors == [0.8, 0.25, 0.5]


def test_own_store_is_neither_made_nor_changed(hebb, locomo, contents) -> None:
    before = contents()
    assert hebb("bench", "recall", locomo).code == 0
    assert contents() == before
    hebb.bring({"content": "the kettle"})
    before = contents()
    assert hebb.json("bench", "recall", locomo)["memories"] == 5
    assert contents() == before


def test_throw_away_store_is_thrown_away(hebb, locomo, tmp_path, monkeypatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    assert hebb("bench", "recall", locomo).code == 0
    assert list(scratch.iterdir()) == []


def test_pipe_gets_a_row_for_each_category_and_one_for_all(hebb, locomo) -> None:
    done = hebb("bench", "recall", locomo)
    assert [row[:3] for row in done.rows] == [
        ["1", "2", "0.75"],
        ["2", "2", "0"],
        ["adversarial", "1", "1"],
        ["overall", "5", "0.5"],
    ]
    assert {len(row) for row in done.rows} == {12}
    assert done.err.splitlines() == [
        "5 questions asked of 5 memories in 1 store, a day after the last memory",
        "left out: 2 without gold, 1 whose gold is not there",
        "named by the others as gold, but not there: 1",
    ]


def test_verbose_tells_the_ranks_of_each_question(hebb, locomo) -> None:
    said = hebb("bench", "recall", locomo, "--verbose").err.splitlines()
    assert said[:4] == [
        "1: Which kettle?",
        "1 3: Where is the kettle?",
        "2: kettle?",
        "not in 20: lantern?",
    ]


def test_last_moment_of_all_time_has_no_day_after_it(hebb, lines) -> None:
    last = {"uid": "a", "content": "kettle", "created_at": "9999-12-31T23:59:59.999Z"}
    path = lines("set", last, {"question": "kettle", "gold": ["a"]})
    assert hebb.json("bench", "recall", path)["overall"]["recall@1"] == 1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], ": no question"),
        ([{"uid": "a", "content": "x"}], ": no question"),
        (
            [{"uid": "a", "content": "x"}, {"question": "x", "gold": ["b"]}],
            ": no question names a memory that is there",
        ),
        ([{"gold": ["a"]}], ", line 1: neither a memory nor a question"),
        (
            [{"uid": "a", "content": "x"}, {"uid": "a", "content": "y"}],
            ", line 2: the uid 'a' is there twice",
        ),
    ],
)
def test_set_that_cannot_be_measured_is_refused_in_one_line(hebb, lines, values, message) -> None:
    path = lines("set", *values)
    error = hebb.error("bench", "recall", path)
    assert (error["code"], error["message"]) == (6, f"{path}{message}")


def test_file_that_is_not_there_is_named(hebb, home) -> None:
    error = hebb.error("bench", "recall", home / "gone.json")
    assert error["code"] == 6
    assert "gone.json" in error["message"]
