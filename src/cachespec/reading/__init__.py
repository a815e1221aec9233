"""Text to plain values, with the place of everything; knows JSON and YAML, and no schema."""
