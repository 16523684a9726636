"""hebb curve and matrix: drawn on a terminal, lines in a pipe, and the policy that is tried."""

import json

import pytest

BRAILLE = range(0x2801, 0x2900)


@pytest.fixture
def known(hebb) -> None:
    hebb.bring(
        {
            "content": "known",
            "partition": "mem_semantic",
            "importance": 8,
            "access_count": 10,
            "created_at": "2025-12-30",
        },
        {
            "content": "neglected",
            "partition": "mem_episodic",
            "importance": 3,
            "access_count": 1,
            "created_at": "2025-09-03",
        },
        {"content": "pinned", "pinned": True},
        {"content": "inbox", "partition": "mem_hippocampus"},
        {"content": "shelved", "archived_at": "2025-12-01", "created_at": "2025-01-01"},
    )


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("number", "constant", "forgotten", "idle", "retention"),
    [(1, 441, 530.95, 2, 0.99548), (2, 42, 50.57, 120, 0.0574)],
)
def test_curve_of_a_memory_agrees_with_explain_and_the_published_numbers(
    hebb, number, constant, forgotten, idle, retention
) -> None:
    found = hebb.json("curve", number)
    [curve] = found["curves"]
    explained = hebb.json("explain", number)
    assert curve["id"] == number
    assert curve["time_constant_days"] == pytest.approx(constant)
    assert curve["forgotten_after_days"] == pytest.approx(forgotten, abs=0.005)
    assert curve["forgotten_after_days"] == explained["lifetime_days"]
    assert curve["true_half_life_days"] == explained["true_half_life_days"]
    assert (curve["idle_days"], found["partition"]) == (idle, explained["partition"])
    assert curve["retention"] == explained["retention"] == pytest.approx(retention, abs=1e-4)
    assert found["verdict"] == explained["verdict"]
    assert found["days"] > max(idle, forgotten)


@pytest.mark.usefixtures("known")
def test_curve_of_a_memory_marks_where_it_is_now(hebb, at) -> None:
    at(40)
    drawn = hebb("curve", 1, "--color").out
    assert "@ now: idle 42 d, retention 0.909" in drawn
    assert drawn.count("@") == 2
    assert "beyond this chart" in hebb("curve", 1, "--days", 10, "--color").out


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(("number", "why"), [(3, "pinned"), (4, "disabled")])
def test_memory_that_never_ends_has_a_curve_without_an_end(hebb, number, why) -> None:
    found = hebb.json("curve", number)
    assert found["curves"][0]["forgotten_after_days"] is None
    assert found["curves"][0]["decided_by"] == why
    assert "never forgotten" in found["verdict"]
    assert f"never ({why})" in hebb("curve", number, "--color").out
    survives = {need["smallest"] for need in hebb.json("curve", 4, "--keep-days", 1000)["needs"]}
    assert survives == {0, 0.001}


@pytest.mark.usefixtures("known")
def test_archived_memory_still_has_a_curve(hebb) -> None:
    assert hebb.json("curve", 5)["verdict"].startswith("in the archive since")


@pytest.mark.parametrize(
    ("words", "threshold"), [([], 0.3), (["--threshold", 0.1, "--k-access", 0], 0.1)]
)
def test_curve_and_matrix_have_a_stable_shape(hebb, words, threshold) -> None:
    found = hebb.json("curve", *words)
    assert list(found) == "schema partition policy threshold days verdict curves".split()
    assert (found["schema"], found["threshold"], found["verdict"]) == (1, threshold, None)
    assert [one["name"] for one in found["curves"]] == ["2/1", "5/1", "8/5"]
    assert found["curves"][0]["points"][0] == [0, 1]
    found = hebb.json("matrix", *words)
    assert list(found) == "schema partition policy importances access_counts days".split()
    assert [len(row) for row in found["days"]] == [8] * 5
    found = hebb.json("curve", "--keep-days", 90, *words)
    assert list(found) == "schema partition policy threshold keep_days needs".split()
    assert [list(one) for one in found["needs"]] == [["given", "needs", "smallest"]] * 11


def test_pipe_gets_days_and_a_column_for_each_curve(hebb, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    rows = hebb("curve").rows
    assert rows[0] == ["0", "1", "1", "1"]
    assert {len(row) for row in rows} == {4}
    assert 25 <= len(rows) <= 60
    assert [float(row[0]) for row in rows][:3] == [0, 6, 12]
    assert rows[-1][0] == "300"


def test_pipe_gets_the_matrix_with_its_access_counts_first(hebb) -> None:
    rows = hebb("matrix", "--partition", "mem_semantic").rows
    assert rows[0] == ["importance", "0", "1", "2", "5", "10", "25", "50", "100"]
    assert [row[0] for row in rows[1:]] == ["10", "8", "5", "2", "0"]
    assert rows[2][5] == "530.952"


def test_matrix_is_infinite_above_ten_years_and_json_has_the_number(hebb) -> None:
    words = ("matrix", "--half-life-days", 3000)
    row = hebb(*words).rows[5]
    assert (row[:2], set(row[2:])) == (["0", "3611.92"], {"∞"})
    assert hebb.json(*words)["days"][4][1] == pytest.approx(4153.71, abs=0.01)
    assert {cell for row in hebb("matrix", "--disabled").rows[1:] for cell in row[1:]} == {"∞"}
    assert hebb.json("matrix", "--disabled")["days"] == [[None] * 8] * 5


def test_candidate_values_are_tried_and_nothing_is_saved(hebb, home) -> None:
    saved = hebb.json("matrix", "--partition", "mem_facts")
    tried = hebb.json("matrix", "--partition", "mem_facts", "--half-life-days", 120)
    assert tried["days"][4][0] == pytest.approx(2 * saved["days"][4][0])
    assert hebb.json("curve", "--partition", "mem_facts", "--threshold", 0.5)["threshold"] == 0.5
    assert list(home.iterdir()) == []
    hebb("policy", "set", "mem_facts", "--half-life-days", 120)
    assert hebb.json("matrix", "--partition", "mem_facts") == tried


@pytest.mark.usefixtures("known")
def test_candidate_values_are_tried_on_a_memory_and_its_verdict(hebb) -> None:
    found = hebb.json("curve", 1, "--half-life-days", 0.1, "--threshold", 0.9)
    assert found["curves"][0]["retention"] < 0.9
    assert found["verdict"].startswith("goes at the next sweep")
    assert hebb.json("explain", 1)["verdict"].startswith("stays")


def test_keep_days_says_what_survives(hebb) -> None:
    done = hebb("curve", "--keep-days", 90)
    assert ["importance 0", "access_count", "2"] in done.rows
    assert ["access_count 1", "importance", "0.48"] in done.rows
    assert ["importance 0, access_count 0", "half_life_days", "74.753"] in done.rows
    assert done.err == "to survive 90 idle days in mem_notes\n"
    done = hebb("curve", "--keep-days", 90, "--k-access", 0)
    assert ["importance 0", "access_count", "none is enough"] in done.rows
    assert hebb("curve", "--keep-days", 90, "--quiet").err == ""


def test_keep_days_answers_memorybanks_reverse_question(hebb) -> None:
    words = ["--keep-days", 7, "--set", "curve=memorybank", "--threshold", 0.1]
    assert hebb("curve", *words).rows == [["", "access_count", "3"], ["", "S", "3.04006137332276"]]


@pytest.mark.parametrize(
    ("curve", "needed"),
    [
        ("jarvis", {"importance", "half_life_days"}),
        ("amnesia", {"default_ttl_days"}),
        ("power", set()),
    ],
)
def test_keep_days_names_only_what_the_curve_reads(hebb, curve, needed) -> None:
    done = hebb("curve", "--keep-days", 90, "--set", f"curve={curve}")
    assert {row[1] for row in done.rows} == needed
    assert ("nothing that can be set" in done.err) == (not needed)


@pytest.mark.parametrize(
    ("curve", "rows", "columns", "title"),
    [
        ("hebb", 5, 8, "by importance (down) and accesses (across)"),
        ("jarvis", 5, 1, "by importance (down); use is not counted"),
        ("memorybank", 1, 8, "by accesses (across)"),
        ("ebbinghaus", 1, 1, "whatever the importance and the accesses"),
    ],
)
def test_matrix_has_an_axis_for_what_the_curve_reads(
    hebb, monkeypatch, curve, rows, columns, title
) -> None:
    found = hebb.json("matrix", "--set", f"curve={curve}")
    assert (len(found["importances"]), len(found["access_counts"])) == (rows, columns)
    assert [len(row) for row in found["days"]] == [columns] * rows
    monkeypatch.setenv("COLUMNS", "100")
    assert title in hebb("matrix", "--set", f"curve={curve}", "--color").out


def test_several_fields_are_tried_at_once_and_the_last_of_the_same_wins(hebb) -> None:
    words = ["--set", "curve=power", "--set", "curve=memorybank", "--set", "time_unit=hours"]
    found = hebb.json("curve", *words)
    assert (found["policy"]["curve"], found["policy"]["time_unit"]) == ("memorybank", "hours")
    assert hebb.json("matrix", "--set", "enabled=false")["policy"]["enabled"] is False


@pytest.mark.parametrize(
    ("assigned", "told"),
    [
        ("curve", "FIELD=VALUE"),
        ("curve=spiral", "one of hebb"),
        ("colour=red", "no policy field"),
        ("enabled=maybe", "true or false"),
        ("threshold=2", "(0, 1)"),
    ],
)
def test_field_that_cannot_be_set_is_one_line_and_code_2(hebb, assigned, told) -> None:
    for words in (
        ["curve"],
        ["matrix"],
        ["policy", "set", "mem_a"],
        ["policy", "preview", "mem_a"],
    ):
        error = hebb.error(*words, "--set", assigned)
        assert (error["code"], told in error["message"]) == (2, True)


def test_chart_of_a_curve_that_weighs_says_what_its_threshold_is_of(hebb) -> None:
    drawn = " ".join(hebb("curve", "--set", "curve=cortexgraph", "--color").out.split())
    assert "the threshold is one of vitality" in drawn


@pytest.mark.usefixtures("known")
def test_keep_days_of_one_memory_starts_from_what_it_is(hebb) -> None:
    needs = hebb.json("curve", 2, "--keep-days", 60)["needs"]
    assert [one["given"] for one in needs] == [
        {"importance": 3},
        {"access_count": 1},
        {"importance": 3, "access_count": 1},
    ]
    assert "it is pinned" in hebb("curve", 3, "--keep-days", 9).err
    assert "not swept" in hebb("curve", 4, "--keep-days", 9).err


def test_inbox_is_never_swept_and_has_no_values_to_try(hebb) -> None:
    found = hebb.json("curve", "--partition", "mem_hippocampus")
    assert {one["forgotten_after_days"] for one in found["curves"]} == {None}
    assert "never" in hebb("curve", "--partition", "mem_hippocampus", "--color").out
    words = ("matrix", "--partition", "mem_hippocampus", "--threshold", "0.5")
    assert hebb.error(*words)["code"] == 4


@pytest.mark.parametrize(
    "words",
    [
        *(f"--keep-days {value}" for value in ("-1", "0", "nan", "inf", "1e9", "many")),
        *(f"--days {value}" for value in ("-1", "0", "nan", "1e300", "")),
        *("--days 9 --keep-days 9", "--threshold 1", "--half-life-days 0", "--partition notes"),
        *("1 --partition mem_notes", "--importance 3"),
    ],
)
@pytest.mark.usefixtures("known")
def test_wrong_value_is_one_line_and_code_2(hebb, words) -> None:
    error = hebb.error("curve", *words.split(" "))
    assert error["code"] == 2
    assert error["message"]


def test_unknown_memory_is_code_3(hebb, home) -> None:
    assert hebb.error("curve", 99)["code"] == 3
    assert hebb.error("curve", 99, "--keep-days", 7)["code"] == 3
    assert list(home.iterdir()) == []


def test_without_an_id_no_store_is_opened(hebb, home) -> None:
    (home / "hebb.db").write_bytes(b"not a database, but long enough to look at" * 100)
    assert hebb("curve").code == hebb("matrix").code == 0
    assert hebb("curve", 1).code == 5


@pytest.mark.parametrize(
    "variables", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"}]
)
@pytest.mark.parametrize("line", ["curve --color", "matrix --color", "matrix", "curve"])
def test_chart_is_plain_ascii_where_nothing_else_can_be_shown(process, variables, line) -> None:
    done = process(*line.split(), encoding="ascii", **variables)
    assert (done.code, done.err) == (0, "")
    assert "?" not in done.out


def test_chart_has_dots_where_they_can_be_shown(process) -> None:
    drawn = process("curve", "--color", PYTHONIOENCODING="utf-8").out
    assert sum(ord(one) in BRAILLE for one in drawn) > 100
    assert "∞" in process("matrix", "--color", PYTHONIOENCODING="utf-8").out


def test_heat_map_is_coloured_only_where_colour_is_wanted(hebb) -> None:
    assert "\x1b[30;42m" in hebb("matrix", "--color").out
    assert "\x1b" not in hebb("matrix").out
    assert json.loads(hebb("matrix", "--color", "--json").out)["schema"] == 1


@pytest.mark.parametrize(
    ("options", "days", "by"),
    [
        (["--ttl", "7d"], 7, "ttl"),
        (["--expires", "9d"], 9, "expires_at"),
        (["--expires", "9d", "--pin"], 9, "expires_at"),
        (["--expires", "2099-01-01"], 144.477, "threshold"),
        (["--pin"], None, "pinned"),
    ],
)
def test_curve_of_a_memory_ends_where_the_memory_does(hebb, options, days, by) -> None:
    hebb("add", "x", *options)
    found = hebb.json("curve", 1)
    [line] = found["curves"]
    assert line["decided_by"] == by
    assert line["forgotten_after_days"] == (days and pytest.approx(days, abs=0.001))
    assert found["days"] >= (days or 1)
