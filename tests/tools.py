"""What tests share: the tools that they run beside Python, and the lines that are shown when all is done."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import TypeAlias

import pytest

# The fixture `tell` keeps a text for the end of the run.
Tell: TypeAlias = Callable[[str], None]


def needs(*tools: str) -> None:
    """Skips without a tool on a contributor's machine; in CI the tool must be there."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        reason = f"not installed: {', '.join(missing)}"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}; CI needs it")
        pytest.skip(reason)
