"""A real JupyterLab, started as a learner starts it, and a real browser that looks at it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, sync_playwright

from tests.save_outputs import FIXED_ENVIRONMENT
from tutor.workspace import COURSE_FOLDER

# Where browsers of Chromium's family lie when they are not on the path.
_USUAL_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")

_QUIET = ("--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update")

# Needs --LabApp.expose_app_in_browser=True.
_READY = """() => {
    const shown = window.jupyterapp?.shell?.currentWidget;
    const session = shown?.sessionContext?.session;
    return !!(shown?.context?.isReady && shown.content?.widgets?.length && shown.sessionContext.isReady
        && session?.kernel?.connectionStatus === 'connected' && session.kernel.status === 'idle');
}"""
_RUN_ALL = "async () => { await window.jupyterapp.commands.execute('notebook:run-all-cells'); }"
_SAVE = """async () => {
    await window.jupyterapp.commands.execute('docmanager:save');
    return !window.jupyterapp.shell.currentWidget.context.model.dirty;
}"""
_IDS = "() => [...window.jupyterapp.shell.currentWidget.content.model.cells].map(cell => cell.id)"
_OUTPUTS = """() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
    .filter(cell => cell.type === 'code').map(cell => [cell.id, cell.toJSON().outputs])"""
_SET_SOURCE = """([index, source]) => {
    const cells = window.jupyterapp.shell.currentWidget.content.model.cells;
    cells.get(index).sharedModel.setSource(source);
}"""
_RUN_CELL = """async index => {
    window.jupyterapp.shell.currentWidget.content.activeCellIndex = index;
    await window.jupyterapp.commands.execute('notebook:run-cell');
}"""

# The widget manager of JupyterLab may draw a cell of a reloaded page before it has taken in the kernel's models, and
# then leaves it at this line. The models were in the kernel's one reply, and the next reload finds them.
_DRAWN_TOO_EARLY = "widget model not found"


def find_chromium() -> str | None:
    """The browser to drive: the one that TUTOR_CHROMIUM names, else the first that is found."""
    if named := os.environ.get("TUTOR_CHROMIUM"):
        return named
    on_path = (shutil.which(name) for name in _NAMES)
    return next((found for found in (*on_path, *_USUAL_PLACES) if found and Path(found).exists()), None)


class Lab:
    """``python -m tutor`` in `folder`, with settings of its own. Use it in a ``with`` statement."""

    def __init__(self, folder: Path, theme: str = "JupyterLab Light") -> None:
        self.folder = folder
        self.course = folder / COURSE_FOLDER
        self.port = _free_port()
        self.home = folder / ".home"
        self._settings(
            "@jupyterlab/apputils-extension", "notification", {"fetchNews": "false", "checkForUpdates": False}
        )
        self._settings("@jupyterlab/apputils-extension", "themes", {"theme": theme})
        # Cells outside of the window stay in the page, so that they can be looked at without scrolling.
        self._settings("@jupyterlab/notebook-extension", "tracker", {"windowingMode": "none"})

    def _settings(self, plugin: str, name: str, values: dict[str, object]) -> None:
        path = self.home / "settings" / plugin / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values), "utf-8")

    def _environment(self) -> dict[str, str]:
        own = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "run",
            "IPYTHONDIR": "ipython",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "TUTOR_DATA": "progress",
        }
        return {**os.environ, **FIXED_ENVIRONMENT, **{name: str(self.home / value) for name, value in own.items()}}

    def __enter__(self) -> Lab:
        arguments = [
            "--allow-root",
            "--ip=127.0.0.1",
            f"--port={self.port}",
            "--ServerApp.port_retries=0",
            "--IdentityProvider.token=",
            "--LabApp.news_url=None",
            "--LabApp.extension_manager=readonly",
            "--LabApp.expose_app_in_browser=True",
        ]
        self.log = (self.folder / "lab.log").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tutor", "--no-browser", "--", *arguments],
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        self._wait_until_it_answers()
        return self

    def _wait_until_it_answers(self) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/status", timeout=1):
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"JupyterLab did not start:\n{(self.folder / 'lab.log').read_text('utf-8', 'replace')}")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def address(self, notebook: str = "") -> str:
        """Where a browser finds the course, or one of its notebooks alone in a workspace of its own."""
        root = f"http://127.0.0.1:{self.port}"
        return f"{root}/doc/workspaces/test/tree/{notebook}?reset" if notebook else f"{root}/"


class Sheet:
    """A notebook open in a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"{message.text} ({message.location.get('url')})")

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.wait_until_idle()

    def reload(self) -> None:
        """Load the page anew, as often as JupyterLab needs to find the widgets of the running kernel."""
        for _ in range(4):
            self.page.reload()
            self.wait_until_idle()
            self.page.wait_for_timeout(2000)
            early = [complaint for complaint in self.complaints if _DRAWN_TOO_EARLY in complaint]
            self.complaints = [complaint for complaint in self.complaints if complaint not in early]
            if not early:
                return
        raise AssertionError(f"after four reloads widgets are missing: {early}")

    def wait_until_idle(self, seconds: int = 60) -> None:
        self.page.wait_for_function(_READY, timeout=seconds * 1000)

    def run_all(self, seconds: int = 120) -> None:
        """Run every cell, and see to it that none failed."""
        self.page.set_default_timeout(seconds * 1000)
        self.page.evaluate(_RUN_ALL)
        self.wait_until_idle(seconds)
        assert self.failures() == []

    def run(self, cell: str) -> None:
        self.page.evaluate(_RUN_CELL, self.index(cell))
        self.wait_until_idle()

    def write(self, cell: str, source: str) -> None:
        """Replace what a cell says."""
        self.page.evaluate(_SET_SOURCE, [self.index(cell), source])

    def end_kernel(self) -> None:
        self.page.evaluate("async () => { await window.jupyterapp.shell.currentWidget.sessionContext.shutdown(); }")

    def save(self) -> None:
        assert self.page.evaluate(_SAVE), "the notebook is saved"

    def failures(self) -> list[str]:
        """The cells that show an error, or text on stderr."""
        return [
            f"{cell}: {output.get('evalue') or output.get('text')}"
            for cell, outputs in self.page.evaluate(_OUTPUTS)
            for output in outputs
            if output["output_type"] == "error" or output.get("name") == "stderr"
        ]

    def ids(self) -> list[str]:
        ids: list[str] = self.page.evaluate(_IDS)
        return ids

    def index(self, cell: str) -> int:
        return self.ids().index(cell)

    def cell(self, cell: str) -> Locator:
        """The cell with that id, as the page shows it."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(self.index(cell))


@contextmanager
def browser(executable: str) -> Iterator[Browser]:
    """A headless browser."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        driven = playwright.chromium.launch(
            executable_path=executable, args=[*_QUIET, *(["--no-sandbox"] if as_root else [])]
        )
        yield driven
        driven.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
