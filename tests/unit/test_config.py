"""Settings: their ranges, where a value comes from, and what the rest of the file goes through."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from hebbctl import config
from hebbctl.errors import BadFile, WrongUsage
from hebbctl.settings import SETTINGS, defaults, setting

NUMBERS = [name for name, row in SETTINGS.items() if row.is_number]
RANGES = [
    ("half_life_days", [5e-324, 60, 3650], [0, -1, math.nextafter(3650, 4000)]),
    ("k_importance", [0, 10], [-5e-324, math.nextafter(10, 11)]),
    ("k_access", [0, 10], [-5e-324, math.nextafter(10, 11)]),
    ("forget_threshold", [5e-324, 0.3, math.nextafter(1, 0)], [0, 1, -0.1]),
    ("forget_min_retention_days", [0, 1e300], [-5e-324]),
    ("stale_threshold", [0, math.nextafter(1, 0)], [-5e-324, 1]),
    ("default_ttl_days", [0, 30, 1e300], [-5e-324]),
    ("max_lifetime_days", [0, 90, 1e300], [-5e-324]),
    ("beta", [0, 2], [-5e-324, math.nextafter(2, 3)]),
    ("growth_factor", [5e-324, 1], [0, math.nextafter(1, 2)]),
    ("restore_anchor", [5e-324, 1], [0, math.nextafter(1, 2)]),
    ("inject_max_tokens", [0, 2000, 1e9], [-1, 1e9 + 1]),
    ("inject_renewal_cooldown_hours", [0, 6, 1e300], [-5e-324]),
    ("forget_interval_seconds", [5e-324, 1800, 1e300], [0, -1]),
    ("archive_days", [0, 30, 1e300], [-5e-324]),
    ("move_after_accesses", [0, 5, 1e300], [-5e-324]),
    ("promote_at_vitality", [0, 0.65, math.nextafter(1e6, 0)], [-5e-324, 1e6]),
    ("promote_uses", [0, 5, 1e300], [-5e-324]),
    ("promote_within_days", [0, 14, 1e300], [-5e-324]),
    ("promote_after_accesses", [0, 3, 1e300], [-5e-324]),
    ("consolidate_timeout_seconds", [5e-324, 60, 86_400], [0, math.nextafter(86_400, 1e6)]),
    ("max_store_bytes", [0, 262_144, 1e300], [-5e-324]),
    ("max_item_bytes", [1, 1e9], [0, 0.5, 1e9 + 1]),
    ("audit_max_rows", [0, 100, 1e300], [-1]),
    ("gc_max_share", [0, 1], [-5e-324, math.nextafter(1, 2)]),
    ("neighbour_weight", [0, 1], [-5e-324, math.nextafter(1, 2)]),
    ("semantic_weight", [0, 1], [-5e-324, math.nextafter(1, 2)]),
    ("co_occurrence_boost", [0, 10], [-5e-324, math.nextafter(10, 11)]),
    ("graph_pairs_per_recall", [0, 10_000], [-1, 10_001]),
    ("graph_edges_per_memory", [1, 10_000], [0, 10_001]),
    ("session_edge_weight", [0, 1], [-5e-324, math.nextafter(1, 2)]),
    ("decay_floor", [0, 1], [-5e-324, math.nextafter(1, 2)]),
    ("embed_timeout_seconds", [5e-324, 10, 600], [0, math.nextafter(600, 700)]),
]
NO_NUMBERS = [math.nan, math.inf, -math.inf, True, False, "high", "", None, [], {}, [1], "1,5"]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings file of a run whose environment sets nothing."""
    for name in SETTINGS:
        monkeypatch.delenv(f"HEBB_{name.upper()}", raising=False)
    return tmp_path / "hebb.json"


def write(path: Path, stored: Any) -> Path:
    path.write_text(json.dumps(stored), "utf-8")
    return path


def stored(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_every_number_has_its_range_tested() -> None:
    assert [name for name, _, _ in RANGES] == NUMBERS


@pytest.mark.parametrize(("name", "inside", "outside"), RANGES, ids=NUMBERS)
def test_number_is_accepted_up_to_its_bounds_and_not_beyond(name, inside, outside) -> None:
    row = setting(name)
    assert [row.read(value) for value in inside] == inside
    assert [row.read(repr(value)) for value in inside] == inside
    for value in outside:
        with pytest.raises(WrongUsage, match=f"{name} must be a number in "):
            row.read(value)


@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_finite_number_is_no_setting(name: str) -> None:
    for value in NO_NUMBERS:
        with pytest.raises(WrongUsage):
            setting(name).read(value)


def test_choice_is_one_of_its_words() -> None:
    row = setting("on_forget")
    assert (row.read("archive"), row.read("erase")) == ("archive", "erase")
    for value in ("Erase", "keep", "", 1, True, None, ["erase"]):
        with pytest.raises(WrongUsage, match="one of archive, erase"):
            row.read(value)


def test_flag_is_true_or_false_in_json_or_in_words() -> None:
    row = setting("restorable")
    assert [row.read(value) for value in (True, "true", "TRUE")] == [True] * 3
    assert [row.read(value) for value in (False, "false")] == [False] * 2
    for value in ("yes", "", 1, 0, None, [], "0"):
        with pytest.raises(WrongUsage, match="restorable must be one of true, false"):
            row.read(value)


def test_text_is_any_that_is_not_blank() -> None:
    row = setting("consolidate_command")
    assert row.read(" sort -r ") == "sort -r"
    for value in ("", "  ", 1, None, True, ["sort"], "a\0b"):
        with pytest.raises(WrongUsage, match="must be a text, or none"):
            row.read(value)


def test_rules_are_an_object_or_the_json_of_one() -> None:
    row, rules = setting("consolidation_rules"), {"tag:a b": "mem_work", "kind:idea": "mem_x"}
    assert row.read(rules) == row.read(json.dumps(rules)) == rules
    assert row.read({}) == {}
    for value in ("", "[]", "{", 1, None, ["tag:a"], "tag:a=mem_a"):
        with pytest.raises(WrongUsage, match="must be an object"):
            row.read(value)


@pytest.mark.parametrize(
    ("rules", "hint"),
    [
        ({"tags:a": "mem_a"}, "did you mean 'tag'?"),
        ({"work": "mem_a"}, "begin it with tag: or kind:"),
        ({"tag:": "mem_a"}, "did you mean 'tag'?"),
        ({"tag:a": "notes"}, "names begin with mem_"),
        ({"tag:a": None}, "names begin with mem_"),
    ],
)
def test_rule_that_can_never_fit_is_refused_with_the_next_step(rules, hint) -> None:
    with pytest.raises(WrongUsage) as caught:
        setting("consolidation_rules").read(rules)
    assert hint in (caught.value.hint or "")


def test_whole_number_is_kept_as_one() -> None:
    assert str(setting("half_life_days").read("120.0")) == "120"


@pytest.mark.parametrize("written", ["half_life_days", "half-life-days", "HALF_LIFE-Days"])
def test_setting_is_found_by_any_spelling(written: str) -> None:
    assert setting(written).name == "half_life_days"


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("half_live_days", "did you mean 'half_life_days'?"),
        ("threshold", "did you mean 'forget_threshold'?"),
        ("colour", "see 'hebb config list'"),
    ],
)
def test_unknown_setting_names_the_closest(written: str, hint: str) -> None:
    with pytest.raises(WrongUsage, match=f"no setting '{written}'") as caught:
        setting(written)
    assert caught.value.hint == hint


def test_environment_wins_over_the_file_and_the_file_over_the_default(path, monkeypatch) -> None:
    def found() -> tuple[Any, str]:
        now = config.value(path, "k_access")
        assert config.load(path).values["k_access"] == now.value
        assert now in config.listing(path)
        return now.value, now.origin

    assert found() == (1.5, "default")
    write(path, {"k_access": 2})
    assert found() == (2, "file")
    monkeypatch.setenv("HEBB_K_ACCESS", "3")
    assert found() == (3, "environment")
    monkeypatch.setenv("HEBB_K_ACCESS", "")
    assert found() == (2, "file")


def test_null_in_the_file_means_the_default(path: Path) -> None:
    write(path, {"k_access": None})
    assert config.value(path, "k_access")[1:3] == (1.5, "default")


def test_wrong_environment_variable_is_named(path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HEBB_DECAY_FLOOR", "2")
    with pytest.raises(WrongUsage, match=r"HEBB_DECAY_FLOOR: decay_floor must be .* not '2'"):
        config.load(path)


def test_missing_file_means_all_defaults(path: Path) -> None:
    assert config.load(path) == defaults()
    assert not path.exists()


def test_setting_the_value_answers_with_what_holds_now(path: Path, monkeypatch) -> None:
    assert config.change(path, "K-ACCESS", "2.5")[:3] == ("k_access", 2.5, "file")
    monkeypatch.setenv("HEBB_K_ACCESS", "3")
    assert config.change(path, "k_access", "4")[1:3] == (3, "environment")
    assert config.stored(path)["k_access"] == 4


def test_refused_value_changes_nothing(path: Path) -> None:
    write(path, {"k_access": 2})
    before = path.read_bytes()
    with pytest.raises(WrongUsage):
        config.change(path, "k_access", "11")
    assert path.read_bytes() == before


def test_removed_setting_is_the_default_again(path: Path) -> None:
    write(path, {"k_access": 99, "decay_floor": 0.5})  # also one that is out of range
    assert config.remove(path, "k_access")[1:3] == (1.5, "default")
    assert config.remove(path, "k_access")[1:3] == (1.5, "default")
    assert stored(path) == {"decay_floor": 0.5}


def test_unknown_keys_are_reported_in_their_order(path: Path) -> None:
    override = {"threshold": 0.5, "colour": "red", "k_acess": 1}
    overrides = {"mem_a": override, "mem_b": {"": None}}
    write(path, {"zeta": 1, "k_access": 2, config.OVERRIDES: overrides, "alpha": None})
    found = config.load(path)
    inside = [f"{config.OVERRIDES}.{name}" for name in ("mem_a.colour", "mem_a.k_acess", "mem_b.")]
    assert found.unknown == ("zeta", "alpha", *inside)
    assert found.overrides == {"mem_a": {"threshold": 0.5}, "mem_b": {}}


def test_null_fields_and_missing_ones_are_left_to_inherit(path: Path) -> None:
    override = {"half_life_days": None, "k_access": 0, "enabled": None}
    write(path, {config.OVERRIDES: {"mem_a": override}})
    assert config.load(path).overrides == {"mem_a": {"k_access": 0}}


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"k_access": 11}, "k_access"),
        ({"k_access": True}, "k_access"),
        ({"on_forget": "hide"}, "on_forget"),
        ({config.OVERRIDES: []}, config.OVERRIDES),
        ({config.OVERRIDES: {"mem_a": 5}}, "mem_a"),
        ({config.OVERRIDES: {"mem_a": {"threshold": 1}}}, "mem_a.threshold"),
        ({config.OVERRIDES: {"mem_a": {"half_life_days": 0}}}, "mem_a.half_life_days"),
        ({config.OVERRIDES: {"mem_a": {"enabled": "no"}}}, "mem_a.enabled"),
    ],
)
def test_wrong_value_in_the_file_is_the_files_fault_and_names_the_key(path, wrong, named) -> None:
    write(path, wrong)
    with pytest.raises(BadFile, match=named) as caught:
        config.load(path)
    assert str(path) in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[1]", b"null", b'{"a": \xff}', b'"text"', b"[" * 100_000, b'{"a": 1} x']
)
def test_file_that_holds_no_object_is_refused_by_name_and_left_alone(path, raw) -> None:
    path.write_bytes(raw)
    for act in (
        lambda: config.load(path),
        lambda: config.change(path, "k_access", "2"),
        lambda: config.remove(path, "k_access"),
        lambda: config.change_override(path, "mem_a", {"threshold": 0.5}),
    ):
        with pytest.raises(BadFile) as caught:
            act()
        assert str(path) in str(caught.value)
    assert path.read_bytes() == raw


def test_folder_in_place_of_the_file_is_refused(path: Path) -> None:
    path.mkdir()
    for act in (lambda: config.load(path), lambda: config.change(path, "k_access", "2")):
        with pytest.raises(BadFile, match=r"hebb\.json"):
            act()


def test_byte_order_mark_is_no_text(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf{"k_access": 2}')
    assert config.value(path, "k_access").value == 2


def test_override_merges_with_what_is_there(path: Path) -> None:
    config.change_override(path, "mem_a", {"threshold": 0.5, "enabled": False})
    config.change_override(path, "mem_a", {"half_life_days": 7})
    config.change_override(path, "mem_b", {"k_access": 0})
    assert config.load(path).overrides == {
        "mem_a": {"threshold": 0.5, "enabled": False, "half_life_days": 7},
        "mem_b": {"k_access": 0},
    }


def test_override_beside_a_wrong_one_is_refused(path: Path) -> None:
    write(path, {config.OVERRIDES: {"mem_b": {"threshold": 2}}})
    with pytest.raises(BadFile, match=r"mem_b\.threshold"):
        config.change_override(path, "mem_a", {"threshold": 0.5})


def test_fields_of_an_override_are_cleared_one_by_one_or_all_at_once(path: Path) -> None:
    config.change_override(path, "mem_a", {"threshold": 0.5, "k_access": 1, "k_importance": 1})
    config.remove_override(path, "mem_a", ["threshold"])
    config.remove_override(path, "mem_a", ["threshold", "enabled"])
    assert config.load(path).overrides == {"mem_a": {"k_access": 1, "k_importance": 1}}
    config.remove_override(path, "mem_a", [])
    assert stored(path) == {config.OVERRIDES: {}}
    config.remove_override(path, "mem_a", [])


def test_clearing_removes_a_wrong_field_but_keeps_an_unknown_one(path: Path) -> None:
    write(path, {config.OVERRIDES: {"mem_a": {"threshold": 5, "colour": "red"}}})
    config.remove_override(path, "mem_a", ["threshold"])
    assert stored(path) == {config.OVERRIDES: {"mem_a": {"colour": "red"}}}
