"""What tests ask of a call that must be refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import cachespec


def codes(build: Callable[[], object]) -> list[tuple[str, str]]:
    """The code and the path of each finding of the refusal."""
    with pytest.raises(cachespec.CachePolicyError) as error:
        build()
    assert str(error.value)
    return [(finding.code, finding.path) for finding in error.value.findings]
