"""Each change of one field gives the layers with their sources, or the refusal, that its line says."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.importers.variations import Variation, answered, variations


def _by_configuration() -> dict[str, list[Variation]]:
    found: dict[str, list[Variation]] = defaultdict(list)
    for variation in variations():
        found[variation["of"]].append(variation)
    return found


@pytest.mark.parametrize("varied", [pytest.param(group, id=name) for name, group in _by_configuration().items()])
def test_a_change_gives_what_its_line_says(varied: list[Variation]) -> None:
    for variation in varied:
        assert answered(variation) == variation
