"""The Rust consumers: built with cargo, and asked one line of JSON after the other."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

from tests.installs import CONSUMERS, cargo

Question: TypeAlias = dict[str, Any]
Answer: TypeAlias = dict[str, Any]
Ask: TypeAlias = Callable[[Question], Answer]


def built(crate: str, program: str) -> Path:
    """The program of a crate in this folder; its crates come from the registry, or were fetched before."""
    return cargo(crate, CONSUMERS / crate) / "release" / program


class Program:
    """A running program that answers a line with a line."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        # Waits until the program has seen the end of its input.
        self._process.communicate()

    def ask(self, question: Question) -> Answer:
        """The answer to a question; raises ValueError for a question that the program does not understand."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer: Answer = json.loads(self._process.stdout.readline())
        if "problem" in answer:
            raise ValueError(answer["problem"])
        return answer


def original() -> Program:
    """The program in rust/: the original implementation."""
    return Program(built("rust", "cachespec-reference"))


def generated() -> Program:
    """The program in rust-typify/: the types that typify makes of the published schema."""
    return Program(built("rust-typify", "cachespec-generated"))
