"""The browser for these tests: none found skips them, unless TUTOR_BROWSER=required."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.lab import Lab, Sheet, browser, find_chromium


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
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with Lab(tmp_path_factory.mktemp("learner")) as running:
        yield running


@pytest.fixture
def sheet(chromium: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Sheet]:
    """An empty page, whose console must stay without errors."""
    context = chromium.new_context(viewport={"width": 1024, "height": 1200})
    shown = Sheet(context.new_page())
    yield shown
    if shots := os.environ.get("TUTOR_SHOTS"):
        shown.page.screenshot(path=Path(shots) / f"{request.node.name}.png")
    context.close()
    assert shown.complaints == []
