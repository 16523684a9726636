"""Add statements to a store and print how often an older one is suggested, and should be."""

import argparse
import random
import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from hebbctl import policies, settings
from hebbctl.models import Draft
from hebbctl.store import Store
from hebbctl.usecases import adding

NOW = 1_767_225_600_000  # 2026-01-01
NAMES = (
    "Ann Bob Carla Dmitri Eve Farid Grace Hugo Ines Jonas Kira Liam Mona Nils Olga Pavel".split()
)
CITIES = "Oslo Rome Paris Berlin Madrid Lisbon Vienna Prague Dublin Athens Warsaw Zagreb".split()
TOOLS = "vim emacs nano helix kakoune sublime".split()
HOSTS = [f"{kind}{number}" for kind in ("db", "web", "cache", "mail") for number in range(1, 9)]
TASKS = "buys mends sells paints washes counts draws folds lifts moves plants reads".split()
THINGS = "milk bikes chairs tickets letters boats lamps roses stamps shoes maps pans".split()
CJK_NAMES = "小王 小李 老张 阿芳 小陈 大刘".split()
CJK_CITIES = "北京 上海 广州 成都 西安 杭州".split()
# A statement with its subject and what is said of it; the second wording is of an update.
FORMS = (
    ("{subject} lives in {city}", "{subject} lives in {city}"),
    ("{subject} lives in {city}", "{subject} lives in {city} now"),
    ("{subject} prefers {tool} as an editor", "{subject} prefers {tool} as an editor"),
    (
        "the birthday of {subject} is on May {number}",
        "the birthday of {subject} is on May {number}",
    ),
    ("server {host} listens on port {number}", "server {host} listens on port {number}"),
    ("the {host} password is kept in vault/{tool}", "The {host} password is kept in vault/{tool}"),
    ("{subject} moved the weekly meeting to room {number}", "{subject} moved it to room {number}"),
    ("{cjk}住在{cjk_city}的老城区", "{cjk}住在{cjk_city}的老城区"),
)
CHANGED = {
    "city": CITIES,
    "tool": TOOLS,
    "number": [str(number) for number in range(1, 31)],
    "cjk_city": CJK_CITIES,
}
SUBJECTS = {"subject": NAMES, "host": HOSTS, "cjk": CJK_NAMES}


class Pair(NamedTuple):
    """An older and a newer statement, and what they are to each other."""

    kind: str  # update, other name, unrelated
    old: str
    new: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100, help="of each kind")
    parser.add_argument("--background", type=int, default=2000, help="other memories in the store")
    parser.add_argument("--seeds", type=int, nargs="+", default=[100, 101, 102])
    options = parser.parse_args()
    for seed in options.seeds:
        chance = random.Random(seed)
        suggested = {"update": 0, "other name": 0, "unrelated": 0}
        spent: list[float] = []
        for pair in pairs(chance, options.pairs):
            with tempfile.TemporaryDirectory() as folder:
                found, seconds = ask(Path(folder), pair)
            suggested[pair.kind] += found
            spent.append(seconds)
        shares = ", ".join(f"{kind} {n / options.pairs:.3f}" for kind, n in suggested.items())
        print(f"seed {seed}: suggested of {options.pairs} each: {shares}")
    among_many(random.Random(options.seeds[0]), options.background)


def pairs(chance: random.Random, count: int) -> list[Pair]:
    return [
        *(update(chance) for _ in range(count)),
        *(other_name(chance) for _ in range(count)),
        *(unrelated(chance) for _ in range(count)),
    ]


def update(chance: random.Random) -> Pair:
    old, new = chance.choice(FORMS)
    subject = {name: chance.choice(words) for name, words in SUBJECTS.items()}
    before, after = two_values(chance)
    return Pair("update", old.format(**subject, **before), new.format(**subject, **after))


def other_name(chance: random.Random) -> Pair:
    """Return two statements of one form that differ in the name alone."""
    form, _ = chance.choice(FORMS)
    value, _ = two_values(chance)
    one = {name: chance.sample(words, 2) for name, words in SUBJECTS.items()}
    old, new = ({name: two[at] for name, two in one.items()} for at in (0, 1))
    return Pair("other name", form.format(**old, **value), form.format(**new, **value))


def unrelated(chance: random.Random) -> Pair:
    """Return two statements about one person that have nothing to do with each other."""
    subject = {name: chance.choice(words) for name, words in SUBJECTS.items()}
    value, _ = two_values(chance)
    old, _ = chance.choice(FORMS)
    return Pair("unrelated", old.format(**subject, **value), errand(chance, subject["subject"]))


def errand(chance: random.Random, name: str) -> str:
    return f"{name} {chance.choice(TASKS)} {chance.choice(THINGS)} for {chance.choice(NAMES)}"


def two_values(chance: random.Random) -> tuple[dict[str, str], dict[str, str]]:
    drawn = {name: chance.sample(words, 2) for name, words in CHANGED.items()}
    before, after = ({name: two[at] for name, two in drawn.items()} for at in (0, 1))
    return before, after


def ask(folder: Path, pair: Pair) -> tuple[bool, float]:
    """Store both, and say whether the second brought up the first, and how long it took."""
    with closing(opened(folder)) as store:
        adding.add(store, pair.old)
        begun = time.perf_counter()
        added = adding.add(store, pair.new)
        return bool(added.similar), time.perf_counter() - begun


def among_many(chance: random.Random, background: int) -> None:
    """Print what adding costs and suggests in a store full of statements of the same forms."""
    with tempfile.TemporaryDirectory() as folder, closing(opened(Path(folder))) as store:
        texts = [errand(chance, chance.choice(NAMES)) for _ in range(background)]
        drafts = [Draft(f"{text} {number}", "mem_notes") for number, text in enumerate(texts)]
        store.imports.add_all(drafts, restore_deleted=False)
        hits, silent, suggesting = 0, [], []
        for _ in range(200):
            pair = update(chance)
            old = adding.add(store, pair.old, force=True).memory
            begun = time.perf_counter()
            added = adding.add(store, pair.new, force=True)
            suggesting.append(time.perf_counter() - begun)
            hits += old.id in {one.id for one in added.similar}
            begun = time.perf_counter()
            adding.add(store, pair.new, trusted=False, force=True)  # it looks for nothing
            silent.append(time.perf_counter() - begun)
    costs = [1000 * statistics.median(times) for times in (silent, suggesting)]
    print(
        f"among {background} others: {hits / 200:.3f} of 200 updates suggested;"
        f" add {costs[0]:.2f} ms without looking, {costs[1]:.2f} ms with"
    )


def opened(folder: Path) -> Store:
    defaults = settings.defaults()
    return Store(
        folder / "hebb.db",
        lambda partition: policies.effective(partition, defaults),
        now=NOW,
        writable=True,
    )


if __name__ == "__main__":
    main()
