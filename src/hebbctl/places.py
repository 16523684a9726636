"""Places: where the store and the settings are."""

from pathlib import Path

from hebbctl.environment import home_folder, variable
from hebbctl.errors import StoreError


def private_folder(path: Path) -> None:
    """Make a folder and those above it, as far as they are missing, for the user alone."""
    if not path.parent.exists():
        private_folder(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)


def store_path(option: Path | None) -> Path:
    chosen = option or variable("HEBB_DB") or _home("hebb.db")
    return Path(chosen or _xdg("XDG_DATA_HOME", ".local/share", "hebb.db"))


def settings_path(option: Path | None) -> Path:
    chosen = option or variable("HEBB_CONFIG") or _home("hebb.json")
    return Path(chosen or _xdg("XDG_CONFIG_HOME", ".config", "hebb.json"))


def _home(name: str) -> Path | None:
    home = variable("HEBB_HOME")
    return Path(home, name) if home else None


def _xdg(name: str, otherwise: str, file: str) -> Path:
    base = Path(variable(name) or "")
    if not base.is_absolute():  # unset, or relative: "ignore it", says the XDG specification
        try:
            base = home_folder() / otherwise
        except RuntimeError as error:
            raise StoreError(
                "cannot find a home directory", hint="pass --db or set HEBB_HOME"
            ) from error
    return base / "hebb" / file
