"""What hebb can do: each command by heading, its module, its help's first line and examples."""

from typing import NamedTuple


class Entry(NamedTuple):
    """One command: its module in this folder, its help's first line, and lines to try."""

    module: str
    summary: str
    examples: tuple[str, ...]


# Kept apart from the commands themselves, so that help loads no command's module.
COMMANDS = {
    "Everyday": {
        "add": Entry(
            "memories",
            "Store one memory and print its id.",
            (
                'hebb add "the deploy key lives in vault/ci"',
                'hebb add "rent is due" --expires 2099-12-31 --importance 9 --tag home',
                'hebb add --key office "we meet in room 4"',
                'hebb add --key office --expires 2d "we meet in the canteen"',
                "git log -1 --format=%B | hebb add - --kind event --source git",
            ),
        ),
        "recall": Entry(
            "recall",
            "Find memories; what is shown is used.",
            (
                'hebb recall "deploy key"',
                "hebb recall 部署 --since 30d -n 5",
                "hebb recall deploy --peek --explain",
            ),
        ),
        "list": Entry(
            "memories",
            "List memories, the newest first.",
            (
                "hebb list -n 20",
                "hebb list --sort retention --tag home",
                "hebb list --pinned",
                "hebb list --archived --json",
            ),
        ),
        "show": Entry(
            "memories",
            "Show one memory with all its fields.",
            ("hebb show 1", "hebb show 1 --history"),
        ),
        "edit": Entry(
            "changing",
            "Change the text or fields of a memory.",
            (
                "hebb edit 1",
                'hebb edit 1 "the deploy key lives in vault/deploy"',
                "hebb edit 1 --importance 9 --ttl none",
                "hebb edit 2 --replaces 1",
            ),
        ),
        "touch": Entry(
            "changing", "Count a use of memories, as a recall does.", ("hebb touch 1 2",)
        ),
        "pin": Entry("changing", "Keep memories whatever their retention.", ("hebb pin 1",)),
        "unpin": Entry("changing", "Let pinned memories fade again.", ("hebb unpin 1",)),
        "trust": Entry(
            "trusting",
            "Release memories from quarantine.",
            ("hebb trust 1", "hebb trust 1 --revoke"),
        ),
        "tag": Entry(
            "changing",
            "Add tags to a memory and take others away.",
            ("hebb tag 1 +work -home",),
        ),
        "forget": Entry(
            "memories",
            "Erase memories now and for good.",
            (
                "hebb forget 1",
                "hebb forget --tag home --dry-run",
                "hebb forget --session talk-7 --ended --yes",
            ),
        ),
    },
    "Forgetting": {
        "gc": Entry(
            "forgetting",
            "Sweep: shelve what has faded.",
            ("hebb gc --dry-run", "hebb gc --quiet", "hebb gc --purge --partition mem_scratch"),
        ),
        "archive": Entry("forgetting", "Shelve memories by hand.", ("hebb archive 1 2",)),
        "restore": Entry(
            "forgetting",
            "Bring archived memories back.",
            ("hebb restore 3", "hebb restore --sweep 1 --dry-run", "hebb restore 3 --force"),
        ),
        "promote": Entry(
            "lifecycle",
            "Move up what earned it: it lives longer there.",
            ("hebb promote --dry-run", "hebb promote 1"),
        ),
        "reinforce": Entry(
            "lifecycle",
            "Raise the frequency of important memories.",
            ("hebb reinforce --dry-run",),
        ),
        "consolidate": Entry(
            "lifecycle",
            "Empty the inbox by rules or a program of yours.",
            ("hebb consolidate --dry-run", "hebb consolidate --similar", "hebb consolidate"),
        ),
        "schedule": Entry(
            "scheduling",
            "Sweep regularly: here, by cron or by systemd.",
            (
                "hebb schedule run --once",
                "hebb schedule cron",
                "hebb schedule systemd",
            ),
        ),
    },
    "Insight": {
        "explain": Entry(
            "insight",
            "Show why a memory stays or goes.",
            ("hebb explain 1", "hebb explain 1 --now 90d", "hebb explain 1 --preset memorybank"),
        ),
        "forecast": Entry(
            "forecasting",
            "Show what coming sweeps take if nothing is used.",
            ("hebb forecast --days 90", "hebb forecast --preset jarvis"),
        ),
        "compare": Entry("comparing", "Show one memory under every preset.", ("hebb compare 1",)),
        "stats": Entry(
            "insight",
            "Count memories by state and retention.",
            ("hebb stats", "hebb stats --json"),
        ),
        "audit": Entry(
            "auditing",
            "Show what was done to memories and why.",
            (
                "hebb audit -n 20",
                "hebb audit 1 --action restore",
                "hebb audit --text -",
            ),
        ),
        "related": Entry(
            "graph", "Show what was used together with a memory.", ("hebb related 1",)
        ),
        "graph": Entry(
            "graph",
            "Show which memories were used together.",
            ("hebb graph", "hebb graph 1 --json", "hebb graph --dot"),
        ),
        "curve": Entry(
            "charts",
            "Draw how retention falls, or what keeps it.",
            ("hebb curve", "hebb curve 1", "hebb curve --keep-days 365 --partition mem_semantic"),
        ),
        "matrix": Entry(
            "charts",
            "Show days to forget by importance and use.",
            ("hebb matrix", "hebb matrix --partition mem_episodic --threshold 0.2"),
        ),
    },
    "Agents": {
        "inject": Entry(
            "injection",
            "Print memories as a block for a prompt.",
            (
                "hebb inject --budget 500",
                'hebb inject "deploy key" --format xml -n 5',
                "hebb inject 部署 --peek --json",
            ),
        ),
    },
    "In and out": {
        "import": Entry(
            "exchange",
            "Store memories from a JSONL file.",
            ("hebb import notes.jsonl", "hebb export | hebb import - --db copy.db"),
        ),
        "export": Entry(
            "exchange",
            "Print every memory as JSONL.",
            ("hebb export > notes.jsonl", "hebb list | hebb export --ids-from -"),
        ),
        "link": Entry(
            "graph",
            "Join two memories as if they were used together.",
            ("hebb link 1 2", "hebb link 1 2 --weight 3.5"),
        ),
        "unlink": Entry("graph", "Take the edge between two memories away.", ("hebb unlink 1 2",)),
        "embed": Entry(
            "embedding",
            "Make vectors, so that recall finds meaning.",
            ("hebb embed --dry-run", "hebb embed --remove others"),
        ),
    },
    "Settings": {
        "config": Entry(
            "settings",
            "Read and change settings.",
            (
                "hebb config list",
                "hebb config set half_life_days 120",
                "hebb config unset half_life_days",
                "hebb config preset jarvis --dry-run",
            ),
        ),
        "policy": Entry(
            "policies",
            "Read and change how a partition forgets.",
            (
                "hebb policy list",
                "hebb policy preview mem_facts --half-life-days 14",
                "hebb policy set mem_facts --half-life-days 365",
                "hebb policy clear mem_facts",
            ),
        ),
        "init": Entry("places", "Give a project a store of its own.", ("hebb init",)),
        "path": Entry("places", "Print where everything is, and why there.", ("hebb path",)),
        "doctor": Entry(
            "doctor", "Check the store; --fix mends it.", ("hebb doctor", "hebb doctor --fix")
        ),
        "backup": Entry(
            "backups",
            "Copy the store, and put a copy in its place.",
            (
                "hebb backup",
                "hebb backup create notes.db",
                "hebb backup list",
                "hebb backup restore notes.db --yes",
            ),
        ),
        "demo": Entry("demo", "Show forgetting on real notes.", ("hebb demo",)),
        "bench": Entry(
            "bench",
            "Measure recall on questions whose answers are known.",
            (
                "hebb bench recall notes.jsonl --questions questions.jsonl",
                "hebb bench recall locomo10.json --no-neighbours --json",
            ),
        ),
    },
}
ENTRIES = {name: entry for section in COMMANDS.values() for name, entry in section.items()}
# What other tools call them -> the command that is meant.
SYNONYMS = {
    **dict.fromkeys(("find", "get", "query", "search"), "recall"),
    **dict.fromkeys(("delete", "erase", "remove", "rm"), "forget"),
    **dict.fromkeys(("new", "note", "remember", "save", "store"), "add"),
    **dict.fromkeys(("cat", "view"), "show"),
    **dict.fromkeys(("change", "update"), "edit"),
    **dict.fromkeys(("clean", "prune", "sweep"), "gc"),
    **dict.fromkeys(("unarchive", "undelete", "undo"), "restore"),
    **dict.fromkeys(("history", "log"), "audit"),
    **dict.fromkeys(("info", "status"), "stats"),
    **dict.fromkeys(("preview", "predict"), "forecast"),
    **dict.fromkeys(("settings", "set"), "config"),
    **dict.fromkeys(("vectors", "vectorize"), "embed"),
    **dict.fromkeys(("check", "repair"), "doctor"),
    **dict.fromkeys(("benchmark", "measure"), "bench"),
    **dict.fromkeys(("context", "prompt"), "inject"),
    "ls": "list",
    "why": "explain",
}
