"""A command-line memory that forgets."""

__version__ = "0.1.0"
