"""What tests tell is shown below their results, from whichever process they ran in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools import Tell

_TESTS = Path(__file__).resolve().parent
_TOLD = "told"

# Files whose tests share what takes long to make, or write to the same place: one process runs all of such a file.
_TOGETHER = {"acceptance/test_editors.py", "acceptance/test_hook.py", "acceptance/test_package.py"}
_TOGETHER |= {"acceptance/test_release.py", "acceptance/test_schema_readme.py", "test_generated.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        name = item.path.relative_to(_TESTS).as_posix()
        if name in _TOGETHER:
            item.add_marker(pytest.mark.xdist_group(name))


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Tell:
    return lambda text: request.node.user_properties.append((_TOLD, text))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
    told = {str(text) for report in reports for name, text in report.user_properties if name == _TOLD}
    if told:
        terminalreporter.section("told by tests")
        for text in sorted(told):
            terminalreporter.write_line(text.rstrip())
