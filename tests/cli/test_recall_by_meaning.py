"""Recall by meaning: added by weight, explained, and never in the way of recall by words."""

import json
import sys
from pathlib import Path

import pytest

# Whole words that mean the same share a number; the rest of a vector is noise by length.
PROGRAM = """
import json, sys
SAME = {"car": 0, "automobile": 0, "tea": 1, "kettle": 1, "rain": 2, "weather": 2}
for line in sys.stdin:
    text = json.loads(line)["text"].lower()
    vector = [0.0, 0.0, 0.0, 0.05]
    for word in text.split():
        if word in SAME:
            vector[SAME[word]] += 1.0
    print(json.dumps({"vector": vector}))
"""


@pytest.fixture
def meaning(hebb, tmp_path: Path):
    """A store of four memories with vectors, made by a program of ours."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    hebb("config", "set", "embedder", "command")
    hebb("config", "set", "embed_command", f"{sys.executable} {program}")
    hebb.bring(
        {"content": "the automobile stands outside"},
        {"content": "a kettle for tea"},
        {"content": "rain all day"},
        {"content": "nothing of the kind"},
    )
    assert hebb.json("embed")["made"] == 4
    return hebb


def test_what_means_the_same_is_found_without_its_words(meaning) -> None:
    first = meaning.json("recall", "car", "--peek")[0]
    assert (first["id"], first["match"]) == (1, "similar")
    assert meaning.json("recall", "weather", "--peek")[0]["id"] == 3


def test_parts_with_meaning_give_the_score_to_the_last_digit(meaning) -> None:
    for hit in meaning.json("recall", "car in the rain", "--peek", "--explain"):
        parts = hit["explanation"]
        weight = parts["bm25"] + parts["match_bonus"] + parts["date_bonus"] + parts["lent"]
        relevance = weight / (weight + parts["half_relevant"])
        share = parts["semantic_weight"]
        relevance = (1 - share) * relevance + share * parts["similarity"]
        boosted = relevance + parts["co_occurrence_boost"] * parts["co_occurrence"]
        factor = parts["decay_floor"] + (1 - parts["decay_floor"]) * parts["retention"]
        assert hit["score"] == boosted / parts["divisor"] * factor


def test_memory_without_a_vector_is_ranked_by_its_words_as_before(meaning) -> None:
    meaning("add", "a car of my own")
    found = {hit["id"]: hit for hit in meaning.json("recall", "car", "--peek", "--explain")}
    assert found[5]["explanation"]["similarity"] is None
    assert found[1]["explanation"]["similarity"] > 0.9


@pytest.mark.parametrize(
    "body",
    [
        "import sys; sys.exit(3)",
        "print('nonsense')",
        "print('{\"vector\": [1, 2]}')",
        "print('[]')",
    ],
)
def test_recall_goes_by_words_alone_where_the_embedder_fails_and_says_so_once(
    meaning, tmp_path, body
) -> None:
    (tmp_path / "program.py").write_text(body)
    done = meaning("recall", "kettle", "--peek", "--json")
    assert [one["id"] for one in json.loads(done.out)] == [2]
    assert (done.code, done.err.count("by words alone: ")) == (0, 1)


def test_query_is_embedded_once_although_the_archive_is_looked_at_as_well(
    meaning, tmp_path
) -> None:
    meaning("archive", 3)
    counting = PROGRAM + f"open({str(tmp_path / 'runs')!r}, 'a').write('x')\n"
    (tmp_path / "program.py").write_text(counting)
    found = meaning.json("recall", "weather", "--peek")
    assert 3 in [one["id"] for one in found]
    assert (tmp_path / "runs").read_text() == "x"


def test_without_vectors_no_embedder_is_asked(hebb, tmp_path) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"open({str(tmp_path / 'asked')!r}, 'w')")
    hebb("config", "set", "embedder", "command")
    hebb("config", "set", "embed_command", f"{sys.executable} {program}")
    hebb("add", "a kettle")
    assert hebb("recall", "kettle").err == ""
    assert not (tmp_path / "asked").exists()


def test_injection_goes_by_meaning_as_well(meaning) -> None:
    assert meaning.json("inject", "car")["items"][0]["id"] == 1


def test_benchmark_measures_meaning_and_its_weight(meaning, tmp_path) -> None:
    lines = [
        {"uid": "a", "content": "the automobile"},
        {"uid": "b", "content": "a kettle"},
        {"question": "which car", "gold": ["a"]},
    ]
    file = tmp_path / "set.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    measured = ["bench", "recall", file, "--use-settings"]
    assert meaning.json(*measured)["overall"]["recall@1"] == 0
    assert meaning.json(*measured, "--meaning")["overall"]["recall@1"] == 1
    assert meaning.json(*measured, "--semantic-weight", 0.9)["overall"]["recall@1"] == 1
