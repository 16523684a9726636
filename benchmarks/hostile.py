"""Values nobody expects: texts, numbers, times, names, paths, files and settings for the fuzzer."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

from hebbctl import config
from hebbctl.documents import jsonl
from hebbctl.presets import PRESETS
from hebbctl.settings import OVERRIDE_FIELDS, SETTINGS

TEXTS = (
    *("tabs", "deploy key", "用制表符", "部署密钥在保险箱里", "ひらがな 한국어", "c++ c# 👩‍👩‍👧‍👦"),
    *("", " ", "\u3000\u00a0", "\ufeffbom", "\x85\u2028\u2029", "a\tb\nc\rd\x0b\x0c", "\n\n\n"),
    *(
        "\x1b[31mred\x1b[0m\x07\x08",
        "\u202eright to left\u2066",
        "\u200b\u200e\u061c",
        "\x7f\x9b2J",
    ),
    *("\udc80\udcff", "half \udcff a byte", "\ufffe\U0010ffff", "e\u0301" * 40, "İıßſKﬁ", "\u0f3e"),
    *("'; DROP TABLE memory; --", '"', "'", "\\", "''\"\"", "%s %d {0} {}", "$(touch evil) `id`"),
    *("a OR b", "NEAR(a b)", "content:*", '"unclosed', "^a* AND NOT", "(((", "a-b", "*", "?"),
    *("[bold red]x[/]", "[/nothing]", "[link=x", "<b>&amp;</b>", "{{7*7}}", "| a | b |"),
    *("-", "--", "-n", "-x", "--json", "--db", "--no-such", "-qn5", "--limit=5", "- buy milk"),
    *("+x", "none", "null", "true", "nan", ".", "@file", "=1+1", "#", "x" * 300, "部" * 200),
)
# Rare: they slow a run down. The first two are longer than max_item_bytes.
GIANTS = (
    "x" * 1_000_000,
    "部署" * 100_000,
    "a " * 30_000,
    "\n" * 60_000,
    "(" * 50_000,
    "9" * 5_000,
)
# What no argument can hold, but a pipe and a file can.
BYTES = (
    b"\0",
    b"a\0b",
    b"\xff\xfe",
    b"\xef\xbb\xbfx",
    b"\xed\xa0\x80",
    b"\r\n",
    b"\r",
    b"\x80" * 99,
)

NUMBERS = (
    *("0", "1", "2", "5", "10", "0.3", "0.5", "60", "365", "3650"),
    *("nan", "-nan", "inf", "-inf", "Infinity", "1e308", "1e309", "-0", "-0.0", "5e-324", "-1"),
    *(
        "10" + "0" * 29,
        "9" * 400,
        "9" * 5_000,
        "0x10",
        "0b1",
        "1_000",
        "１２",
        "٣",
        "1,5",
        "½",
        "²",
    ),
    *("1e", ".5", "5.", "+5", " 5 ", "1e-400", "9223372036854775807", "9223372036854775808", "5\n"),
)
WHENS = (
    *(
        "2026-01-31T09:00:00Z",
        "2026-01-31",
        "20260131",
        "7d",
        "2w",
        "1h30m",
        "7天",
        "3 days",
        "30d",
    ),
    *("1970-01-01", "1969-12-31", "9999-12-31", "9999-12-31T23:59:59.999Z", "0000-00-00", "now"),
    *("2026-02-30", "2026-01-31T25:00", "2026-W05-1", "2026-01-31T09:00:00+99:99", "24:00", "0d"),
    *("2026-01-31T09:00:00.123456789Z", "2026-01-31 09:00+23:59", "1970-01-01T00:00+14:00", "-7d"),
    *(
        "999999999999d",
        "1e9d",
        "7M",
        "7",
        "d",
        "0.0000001s",
        "1d1d1d",
        "７d",
        "9" * 400 + "d",
        "٧d",
    ),
    *("9999-12-31T23:59:59-23:59", "２０２６-01-31", "2026-01-31T09:00:00Z\n", "1.d", "inf d"),
)
IDS = (
    *("1", "2", "3", "5", "8", "13", "20", "u-1", "u-2", "u-", "019", "01", "0", "00", "-1", "1.0"),
    *(
        "9223372036854775807",
        "9223372036854775808",
        "9" * 5_000,
        "u%",
        "u_1",
        "*",
        "１",
        "+1",
        "1 ",
    ),
)
PARTITIONS = (
    *("mem_notes", "mem_episodic", "mem_semantic", "mem_preference", "mem_hippocampus", "mem_x"),
    *("mem_", "MEM_NOTES", "mem_ü", "mem_a\n", "mem_" + "x" * 5_000, "notes", "mem_０"),
)
LABELS = ("home", "work", "Home", "fact", "event", "a,b", ".", "global", "部署")
NAMED_PRESETS = (*PRESETS, "Jarvis", "amnesia ", "")
MODELS = ("others", "all", "packaged", "command", "none", "")
# What a program may be: one that makes vectors, one that moves memories, and what is neither.
EMBEDDER = """sed 's/.*/{"vector": [0.5, -1]}/'"""
ANSWER = """sed 's/"content".*/"partition": "mem_x", "tags": [%s], "importance": %s}/'"""
MOVER = ANSWER % ('"work"', 3)
PROGRAMS = (
    *(EMBEDDER, MOVER, "cat", "true", "false", "no-such-program", "'unclosed", "none", "", " "),
    *("head -n 1", "head -c 100000 /dev/urandom", "head -c 3000000 /dev/zero", "folder", "/"),
    *("sh -c 'kill -9 $$'", "sh -c 'echo [[[[ >&2; exit 9'", "sed 's/.*/{\"vector\": [NaN]}/'"),
    *("sed 's/.*/{\"vector\": []}/'", "sed p", "sed 's/^{/{\"id\": 99, /'"),
    *(ANSWER % (r'"\\ud800"', 5), ANSWER % ("{}", "1e999"), ANSWER % ("", "9" * 5_000)),
)
URLS = ("http://127.0.0.1:9/", "http://[", "file:///etc/passwd", "127.0.0.1", "https://", "none")
RULES = (
    *('{"tag:work": "mem_x"}', '{"kind:event": "mem_episodic", "tag:部署": "mem_semantic"}', "{}"),
    *('{"tag:": "mem_x"}', '{"tag:a": "x"}', '{"tag:a": null}', "[]", "{", "[" * 100_000),
)
PATHS = (
    *("notes.jsonl", "notes.jsonl", "empty.jsonl", "binary.bin", "folder", "missing", "copy.db"),
    *("copy.db", "plain.db", "link", "loop", "missing/deep/new.db", "notes.jsonl/x", "new.db", "-"),
    *("x" * 300, "a\nb", "\udcff.db", "部署.db", "file:copy.db?mode=ro", "a?b#c%20.db", ":memory:"),
)
JSON: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 5, 10**30, -0.0, 1e308, 0.5, "", " ", "5", "x", [], {}, [[]]),
    *({"a": [None, {"\ud800": "\0"}]}, ["home", "work"], ["a", 1], "\ud800", "x" * 2_000, "部"),
)
BROKEN_LINES = (
    *(b"{", b"[]", b"null", b"{}", b"  ", b'{"content": 1}', b'{"content": "x"} {}', b"\xff\xfe{}"),
    *(
        b"[" * 100_000,
        b'{"content":' * 3_000,
        b"9" * 5_000,
        b'{"content": "\\ud800\\u0000"}',
        b"\0",
    ),
    *(
        b'{"content": "x", "importance": NaN}',
        b'{"content": "x", "strength": 1e999}',
        b"\xef\xbb\xbf",
    ),
    *(
        b'{"content": "a", "content": "b"}',
        b"<<<<<<< HEAD",
        b"x" * 200_000,
        b"\xef\xbb\xbf{}",
        b"{'a': 1}",
    ),
    *(b'{"content": "x", "uid": 1}', b'{"content": "x", "access_count": ' + b"9" * 4_000 + b"}"),
)
BROKEN_SETTINGS = (
    *(b"", b"{", b"[]", b"null", b"\xff", b"\0" * 20, b"\xef\xbb\xbf{}", b"[" * 100_000, b"NaN"),
    *(b'{"half_life_days": 1, "half_life_days": 2}', b'{"k_access": ' + b"9" * 5_000 + b"}"),
)
KNOWN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("consolidate_command", "embed_command"), PROGRAMS),
    **{"embed_url": URLS, "embed_model": LABELS, "consolidation_rules": RULES},
}
# Setting -> what is written for it: numbers, of which some fit, or words, of which some do.
VALUES = {
    name: KNOWN.get(name) or (row.choices * 3 + NUMBERS[:3] if row.choices else NUMBERS)
    for name, row in SETTINGS.items()
}


class Values:
    """Draws values of each kind from one source of chance."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.kinds: dict[str, Callable[[], str]] = {
            "text": self.text,
            "number": lambda: random.choice(NUMBERS),
            "when": lambda: random.choice(WHENS),
            "id": lambda: random.choice(IDS),
            "partition": lambda: random.choice(PARTITIONS),
            "label": lambda: random.choice(LABELS),
            "signed": lambda: random.choice("+-") + random.choice(LABELS),
            "path": lambda: random.choice(PATHS),
            "setting": self.setting,
            "value": lambda: random.choice(VALUES[random.choice(list(VALUES))]),
            "assignment": self.assignment,
            "preset": lambda: random.choice(NAMED_PRESETS),
            "model": lambda: random.choice((*MODELS, f"command {EMBEDDER}")),
        }

    def of(self, kind: str) -> str:
        """Return a word that stands where one of ``kind`` belongs; one in four is of another."""
        if self.random.random() < 0.25:
            kind = self.random.choice(list(self.kinds))
        return self.kinds[kind]()

    def text(self) -> str:
        return self.random.choice(GIANTS if self.random.random() < 0.01 else TEXTS)

    def setting(self) -> str:
        named = self.random.choice([*SETTINGS, *OVERRIDE_FIELDS, "enabled"])
        return named if self.random.random() < 0.9 else named.upper().replace("_", "-")

    def assignment(self) -> str:
        field, row = self.random.choice(list(OVERRIDE_FIELDS.items()))
        return f"{field}={self.random.choice(VALUES[row.name])}"

    def stdin(self) -> bytes:
        """Return what comes through a pipe: a text, bytes that are none, or lines to import."""
        chance = self.random.random()
        if chance < 0.3:
            return b""
        if chance < 0.6:
            return self.text().encode("utf-8", "surrogateescape")
        return self.random.choice(BYTES) if chance < 0.75 else self.lines()

    def lines(self) -> bytes:
        """Return a file of memories: whole, odd and broken lines."""
        found = [
            self.random.choice(BROKEN_LINES) if self.random.random() < 0.3 else self._line()
            for _ in range(self.random.choice((0, 1, 2, 5, 20)))
        ]
        return self.random.choice((b"\n", b"\n", b"\r\n", b"\n\n")).join(found)

    def _line(self) -> bytes:
        memory: dict[str, Any] = {"content": self.text()}
        for name in self.random.sample(list(jsonl.READERS), self.random.choice((0, 1, 3, 8))):
            memory[name] = self._field(name) if self.random.random() < 0.8 else self._json()
        if self.random.random() < 0.2:
            memory["metadata" if self.random.random() < 0.5 else self.text()] = self._json()
        return json.dumps(memory).encode()

    def _field(self, name: str) -> Any:
        if name.endswith("_at"):
            return f"20{self.random.randrange(10, 40)}-0{self.random.randrange(1, 10)}-01T00:00:00Z"
        if name in ("pinned", "trusted"):
            return self.random.random() < 0.5
        if name in ("tags", "metadata"):
            return list(LABELS[:2]) if name == "tags" else {"a": 1}
        if name in ("uid", "superseded_by"):
            return f"u-{self.random.randrange(30)}"
        known = {"partition": PARTITIONS[:6], "scope_kind": ("session", "project", "global")}
        known |= dict.fromkeys(("kind", "source", "scope", "session", "key"), LABELS)
        known["archived_reason"] = ("swept", "by hand", "superseded")
        if name in known:
            return self.random.choice(known[name])
        return self.random.choice((0, 1, 5, 0.5, 10**15, 2**63 - 1, 1e-9))

    def _json(self) -> Any:
        if self.random.random() < 0.9:
            return self.random.choice(JSON)
        nested: Any = {}
        for _ in range(self.random.choice((50, 300, 450, 900))):
            nested = [nested]
        return nested

    def settings(self) -> bytes:
        """Return a settings file: broken, of odd values, or of good ones."""
        chance = self.random.random()
        if chance < 0.2:
            return self.random.choice(BROKEN_SETTINGS)
        names = self.random.sample(list(SETTINGS), self.random.choice((1, 2, 4)))
        stored: dict[str, Any] = {name: self._value(name, hostile=chance < 0.5) for name in names}
        fields = self.random.sample(list(OVERRIDE_FIELDS), 2)
        override = {name: self._value(name, hostile=chance < 0.3) for name in fields}
        stored[config.OVERRIDES] = {self.random.choice(PARTITIONS): override}
        if chance < 0.3:
            stored[self.random.choice((config.OVERRIDES, "later", "\ud800"))] = self._json()
        return json.dumps(stored).encode()

    def _value(self, name: str, *, hostile: bool) -> Any:
        if hostile:
            return self._json() if self.random.random() < 0.5 else self.of("number")
        row = SETTINGS.get(name) or OVERRIDE_FIELDS[name]
        if row.is_number:
            return self.random.choice((row.default, 0.5, 1))
        return self.random.choice(row.choices or KNOWN[name])
