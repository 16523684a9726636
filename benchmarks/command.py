"""The installed command as a real process, in a home of its own."""

import os
import subprocess
import sys
from pathlib import Path

SLOWS_PYTHON = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}


def hebb() -> list[str]:
    """Return the words that start hebb under this interpreter."""
    script = Path(sys.executable).with_name("hebb")
    return [str(script)] if script.exists() else [sys.executable, "-m", "hebbctl"]


def environment(home: str) -> dict[str, str]:
    """Return this environment with this home, without what would change the measurement."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in SLOWS_PYTHON and not name.startswith("HEBB_")
    }
    return kept | {"HEBB_HOME": home, "PYTHONIOENCODING": "utf-8"}


def output(home: str, *words: str, stdin: str = "") -> str:
    """Run one hebb command and return what it prints.

    Raises:
        CalledProcessError: it fails; it has said why on stderr.
    """
    done = subprocess.run(
        [*hebb(), *words],
        env=environment(home),
        input=stdin,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    return done.stdout
