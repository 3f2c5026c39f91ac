"""The browser for these tests: none found skips them, unless TUTOR_BROWSER=required."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.lab import Lab, Sheet, browser, find_chromium

RESULTS = Path(__file__).resolve().parent.parent.parent / "test-results"

expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    found = find_chromium()
    if found is None:
        wanted = "no Chromium, Chrome or Edge was found (TUTOR_CHROMIUM=/path/to/it names one)"
        if os.environ.get("TUTOR_BROWSER") == "required":
            pytest.fail(wanted)
        pytest.skip(wanted)
    # A module long, because Playwright keeps an event loop running in this thread.
    with browser(found) as driven:
        yield driven


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Lab]:
    with Lab(tmp_path_factory.mktemp("learner")) as running:
        yield running


@pytest.fixture(scope="module")
def sheet(chromium: Browser) -> Iterator[Sheet]:
    """One page for the tests of a module, as one learner has."""
    context = chromium.new_context(viewport={"width": 1024, "height": 1200})
    yield Sheet(context.new_page())
    context.close()


@pytest.fixture(autouse=True)
def quiet_console(sheet: Sheet) -> Iterator[None]:
    """No test leaves an error in the browser's console."""
    yield
    complaints = [*sheet.complaints]
    sheet.complaints.clear()
    assert complaints == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Keep a picture of the page on which a test failed."""
    report = yield
    if report.failed and report.when == "call" and "sheet" in getattr(item, "funcargs", {}):
        RESULTS.mkdir(exist_ok=True)
        item.funcargs["sheet"].page.screenshot(path=RESULTS / f"{item.name}.png")
    return report
