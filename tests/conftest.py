"""What tests tell is shown below their results, from whichever process they ran in."""

from __future__ import annotations

import pytest

from tests.tools import Tell

_TOLD = "told"


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
