"""The page of what can be imported says what the tables say."""

from __future__ import annotations

from generate.importing import importing_page
from generate.project import ROOT


def test_the_page_is_what_the_tables_say() -> None:
    assert importing_page() == (ROOT / "docs" / "importing.md").read_text(encoding="utf-8")
