"""The limits of a document: what is larger or deeper is refused, not read."""

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64
MAX_NODES = 1_000_000
