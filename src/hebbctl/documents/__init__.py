"""Text to models and back, one file for each format: no files, no SQL."""
