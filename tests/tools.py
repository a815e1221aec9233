"""What tests share about the tools that they run beside Python."""

from __future__ import annotations

import os
import shutil

import pytest


def needs(*tools: str) -> None:
    """Skips without a tool on a contributor's machine; in CI the tool must be there."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        reason = f"not installed: {', '.join(missing)}"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}; CI needs it")
        pytest.skip(reason)
