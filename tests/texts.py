"""Texts of documents for property tests: good ones, and good ones after a few slips of hand."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

EXAMPLES = Path(__file__).resolve().parent.parent / "schema" / "v1" / "examples"
YAML_TEXTS = [path.read_text(encoding="utf-8")[:1500] for path in sorted(EXAMPLES.glob("*.cachespec.yaml"))]
JSON_TEXT = (
    '{"cachespec": 1, "layers": [{"key_value": {"attention": "full", "num_key_value_heads": 8, "head_dim": 1}}]}'
)

# Pieces that change what a YAML or JSON text means.
PIECES = [
    *(
        "\t",
        "\n",
        "\r\n",
        "\r",
        " ",
        "  ",
        "- ",
        ": ",
        "? ",
        "# ",
        "&a ",
        "*a ",
        "!x ",
        "!!int ",
        "<<: *a",
        "---\n",
        "...\n",
    ),
    *(
        "[",
        "]",
        "{",
        "}",
        ",",
        '"',
        "'",
        "|\n",
        ">\n",
        "%YAML 1.2\n",
        "@",
        "`",
        "~",
        "null",
        "yes",
        "010",
        "1e999",
        "NaN",
    ),
    *(
        "\x00",
        "\x07",
        "\x85",
        "\u2028",
        "\ufeff",
        "\ud800",
        "\U0001f600",
        "8.0",
        "-0",
        "9" * 400,
        "\\ud800",
        "\\u0000",
        "*",
    ),
]


@st.composite
def edited(draw: st.DrawFn, text: str) -> str:
    """A good document after a few slips of hand."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        length = draw(st.sampled_from([0, 0, 1, 2, 10, 40]))
        text = text[:start] + draw(st.sampled_from(["", *PIECES])) + text[start + length :]
    return text
