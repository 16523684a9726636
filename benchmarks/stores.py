"""Make the store that a year of use and daily sweeps leaves behind, of any size."""

import argparse
import random
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cache
from itertools import accumulate, islice, product
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from hebbctl import policies, secrets, text, times
from hebbctl.models import Policy, Settings, Traits
from hebbctl.policies import DAY
from hebbctl.presets import PRESETS
from hebbctl.settings import defaults
from hebbctl.store import Store

WRITTEN_NOW = "2026-01-01T00:00:00Z"  # the next sweep; the last one was a day earlier
NOW = times.parse_time(WRITTEN_NOW)
YEAR = 365 * DAY
BATCH = 50_000  # memories in one transaction

# Value -> how often, in any unit.
PARTITIONS = {
    "mem_notes": 30,
    "mem_episodic": 25,
    "mem_semantic": 15,
    "mem_procedural": 10,
    "mem_preference": 5,
    "mem_projects": 8,
    "mem_reading": 6,
    policies.INBOX: 1,
}
WHOLE = {0: 1, 1: 1, 2: 2, 3: 4, 4: 5, 5: 60, 6: 6, 7: 7, 8: 6, 9: 3, 10: 2}
IMPORTANCES = WHOLE | {whole + 0.5: 0.3 for whole in range(10)}
ACCESS_COUNTS = {count: (count + 1) ** -2.2 for count in range(81)}  # two thirds are 0

DUE = 0.012  # of what can fade within the year: about 1 % of all
PINNED = 0.03
ARCHIVED = 0.05
IN_CHINESE = 0.3

KIND_OF_PARTITION = {partition: kind for kind, partition in policies.PARTITION_OF_KIND.items()}

# The frequent words; the rare ones are made of the syllables and characters below them.
ENGLISH = """
    the to of a in and is for on it with that we this not from use be by at are should after
    before always never when file note test branch release server meeting project user table
    query index memory prefers likes works reads asks changed moved fixed wants friday monday
    green slow short new old first last every weekly backup token cache letter garden coffee
""".split()
SYLLABLES = "ba ce do fi gu ha jo ka le mi no pu ra se ti vo wa xe yu zo".split()
CHINESE = """
    我们 他们 今天 明天 已经 可以 需要 喜欢 以后 因为 所以 如果 没有 不要 先把 然后 再看 项目
    文件 测试 发布 会议 数据 索引 记忆 笔记 咖啡 公园 电影 音乐 朋友 工作 学习 时间 问题 办法
    周一 周五 每天 早上 晚上 北京 上海 出差 备份 缓存 短的 新的 旧的 第一 最后 改成 看过 说过
""".split()
HAN = "春夏秋冬山水花鸟书画琴棋风雨云雪江河湖海东西南北天地人心日月星光金木火土青红白黑高远长安"

T = TypeVar("T")


class Figures(NamedTuple):
    """What a memory has besides its text."""

    created_at: int
    last_accessed_at: int
    partition: str
    importance: float
    access_count: int
    pinned: bool
    archived_at: int | None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="the store to make; it must not exist")
    parser.add_argument("--memories", type=int, default=100_000, help="how many [100000]")
    parser.add_argument("--seed", type=int, default=0, help="equal seeds, equal stores [0]")
    parser.add_argument(
        "--no-text", action="store_true", help="leave the text index empty; a sweep needs none"
    )
    wanted = parser.parse_args()
    if wanted.path.exists():
        parser.error(f"{wanted.path} exists")
    make(wanted.path, wanted.memories, seed=wanted.seed, with_text=not wanted.no_text)
    print(f"made; look at it from its own time: hebb --db {wanted.path} --now {WRITTEN_NOW} stats")


def make(path: Path, memories: int, *, seed: int, with_text: bool, preset: str = "default") -> None:
    """Write a new store. Equal arguments give equal memories, oldest first.

    The sweeps until yesterday went by ``preset``.
    """
    source = random.Random(seed)
    Store(path, policy_of, now=NOW, writable=True).close()
    rows = memory_rows(survivors(memories, source, policies_of(preset)), source)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA synchronous = OFF")  # a store half made is thrown away
        db.execute("PRAGMA cache_size = -500000")  # kibibytes
        while batch := list(islice(rows, BATCH)):
            insert(db, batch, with_text=with_text)


@cache
def policy_of(partition: str) -> Policy:
    """Return what governs a partition where nobody changed a setting."""
    return policies.effective(partition, defaults())


def policies_of(preset: str) -> policies.PolicyOf:
    """Return what governs each partition where a preset was chosen and nothing else changed."""
    chosen = dict(PRESETS[preset].settings)
    overrides = chosen.pop("forgetting_overrides", {})
    settings = Settings(defaults().values | chosen, overrides, ())
    return cache(lambda partition: policies.effective(partition, settings))


def lifetime(
    partition: str,
    importance: float,
    access_count: int,
    policy_of: policies.PolicyOf = policy_of,
) -> int | None:
    """Return how long a memory survives unused, or None for ever."""
    policy = policy_of(partition)
    faded = policies.lifetime(policy, Traits(importance, access_count))
    ttl = policies.ttl_ms(policy, None) if policy.enabled else None
    return min((one for one in (faded, ttl and ttl - 1) if one is not None), default=None)


def drawn(weights: Mapping[T, float], count: int, source: random.Random) -> list[T]:
    """Return that many values, each as often as its weight says."""
    return source.choices(list(weights), weights=list(weights.values()), k=count)


def survivors(count: int, source: random.Random, policy_of: policies.PolicyOf) -> list[Figures]:
    """Return memories that the sweeps until yesterday left, oldest first."""
    groups = zip(
        drawn(PARTITIONS, count, source),
        drawn(IMPORTANCES, count, source),
        drawn(ACCESS_COUNTS, count, source),
        strict=True,
    )

    @cache
    def survives(partition: str, importance: float, access_count: int) -> int | None:
        return lifetime(partition, importance, access_count, policy_of)

    found = (
        survivor(*group, source, survives(*group), policies.max_lifetime(policy_of(group[0])))
        for group in groups
    )
    return sorted(found, key=attrgetter("created_at"))


def survivor(
    partition: str,
    importance: float,
    access_count: int,
    source: random.Random,
    lifetime: int | None,
    longest: int | None,
) -> Figures:
    last = NOW - idle_time(lifetime, source)
    oldest = NOW - min(YEAR, longest or YEAR)
    shelved = max(last, NOW - source.randrange(30 * DAY))
    return Figures(
        created_at=source.randint(min(oldest, last), last) if access_count else last,
        last_accessed_at=last,
        partition=partition,
        importance=importance,
        access_count=access_count,
        pinned=source.random() < PINNED,
        archived_at=shelved if source.random() < ARCHIVED else None,
    )


def idle_time(lifetime: int | None, source: random.Random) -> int:
    """Return how long a memory has not been used, if yesterday's sweep let it live."""
    if lifetime is None or lifetime > YEAR - DAY:  # nothing of the kind has faded yet
        return source.randrange(YEAR)
    if source.random() < DUE:
        return lifetime + source.randint(1, DAY)
    return source.randint(0, lifetime)


def memory_rows(survivors: list[Figures], source: random.Random) -> Iterator[dict[str, Any]]:
    contents = sentences(source)
    for memory_id, figures in enumerate(survivors, start=1):
        content = next(contents)
        yield figures._asdict() | {
            "id": memory_id,
            "uid": text.uuid7(figures.created_at, source.randbytes(10)),
            "kind": KIND_OF_PARTITION.get(figures.partition),
            "content_digest": secrets.digest(content),
            "archived_reason": None if figures.archived_at is None else "by hand",
            "content": content,
        }


def sentences(source: random.Random) -> Iterator[str]:
    """Return invented sentences without end, about 100 bytes each, their words as Zipf has it."""
    english = ENGLISH + ["".join(word) for word in product(SYLLABLES, repeat=3)]
    chinese = CHINESE + ["".join(word) for word in product(HAN, repeat=2)]
    weights = {len(words): zipf(words) for words in (english, chinese)}
    while True:
        words, space = (chinese, "") if source.random() < IN_CHINESE else (english, " ")
        length = source.randint(8, 28)
        yield space.join(source.choices(words, cum_weights=weights[len(words)], k=length))


def zipf(words: list[str]) -> list[float]:
    """Return weights for words, the most frequent first: the nth comes 1/n as often. Summed up."""
    return list(accumulate(1 / rank for rank in range(1, len(words) + 1)))


def insert(db: sqlite3.Connection, rows: list[dict[str, Any]], *, with_text: bool) -> None:
    with db:
        db.executemany(
            """
            INSERT INTO memory (
                id, uid, partition, content_digest, kind, importance, access_count, created_at,
                last_accessed_at, pinned, archived_at, archived_reason, content
            )
            VALUES (
                :id, :uid, :partition, :content_digest, :kind, :importance, :access_count,
                :created_at, :last_accessed_at, :pinned, :archived_at, :archived_reason, :content
            )
            """,
            rows,
        )
        if with_text:
            db.executemany(
                "INSERT INTO memory_text (rowid, words) VALUES (:id, :words)",
                ({"id": row["id"], "words": text.prepared(row["content"])} for row in rows),
            )


if __name__ == "__main__":
    main()
