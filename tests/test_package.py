"""What `import tutor` gives, what it costs, and what travels in the wheel."""

from __future__ import annotations

import ast
import importlib
import itertools
import json
import os
import pkgutil
import re
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

import tutor

ROOT = Path(__file__).resolve().parent.parent
HEAVY = {"ipywidgets", "IPython", "matplotlib", "pandas", "torch.utils.benchmark"}


def in_a_fresh_process(code: str) -> object:
    """What the code prints as JSON in a new Python."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return json.loads(done.stdout)


def test_importing_loads_nothing_heavy() -> None:
    loaded = in_a_fresh_process("import tutor, sys, json; print(json.dumps(sorted(sys.modules)))")
    assert isinstance(loaded, list)
    assert HEAVY & set(loaded) == set()
    assert [name for name in loaded if name.startswith("tutor")] == ["tutor"]


def test_the_cheap_questions_load_no_widgets() -> None:
    code = (
        "import tutor, torch, sys, json; x = torch.ones(3); fact = tutor.inspect_tensor(x); repr(fact); "
        "fact._repr_html_(); tutor.compare(x, x)._repr_html_(); print(json.dumps(sorted(sys.modules)))"
    )
    loaded = in_a_fresh_process(code)
    assert isinstance(loaded, list)
    assert {"ipywidgets", "IPython", "matplotlib", "pandas"} & set(loaded) == set()


@pytest.mark.parametrize("name", tutor.__all__)
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(tutor, name) is getattr(tutor, name)
    assert name in dir(tutor)
    if callable(getattr(tutor, name)):
        assert getattr(tutor, name).__doc__, "a public name says what it is"


def test_public_names_are_listed_once_and_all() -> None:
    names = [name for name in tutor.__all__ if not name.startswith("__")]
    assert tutor.__all__ == sorted(tutor.__all__)
    assert sorted(names) == sorted(tutor._HOME)
    assert sorted(names) == sorted(names_for_type_checkers())


def names_for_type_checkers() -> list[str]:
    tree = ast.parse((ROOT / "tutor" / "__init__.py").read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return [alias.name for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names]


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'tutor' has no attribute 'inspect'"):
        tutor.inspect  # noqa: B018


def test_no_module_bears_a_public_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(tutor.__path__)}
    assert modules & set(tutor.__all__) == set()


def test_importing_every_module_shadows_no_public_name() -> None:
    for module in pkgutil.walk_packages(tutor.__path__, "tutor."):
        if module.name != "tutor.__main__":
            importlib.import_module(module.name)
    modules = [name for name in tutor.__all__ if type(getattr(tutor, name)).__name__ == "module"]
    assert modules == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (built,) = out.glob("*.whl")
    with zipfile.ZipFile(built) as opened:
        yield opened


def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return message_from_bytes(wheel.read(name))


def test_the_wheel_brings_the_course(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    here = {path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert {f"tutor/{name}" for name in here} <= names
    assert {"tutor/py.typed", "tutor/drawing/style.css"} <= names
    assert "tutor/jupyter/labconfig/default_setting_overrides.json" in names
    assert not [name for name in names if name.startswith(("tests/", "notebooks/")) or "checkpoint" in name]


def test_the_wheel_has_every_module(wheel: zipfile.ZipFile) -> None:
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tutor").rglob("*.py")}
    assert modules <= set(wheel.namelist())


def test_the_wheel_lays_the_course_where_there_is_no_clone(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path / "installed")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    own = {"PYTHONPATH": str(tmp_path / "installed"), "JUPYTER_DATA_DIR": str(tmp_path / "jupyter")}
    command = [sys.executable, "-m", "tutor", "--lay-only"]
    subprocess.run(command, cwd=elsewhere, env={**os.environ, **own}, check=True, capture_output=True, timeout=60)
    laid = {path.name for path in (elsewhere / "tensor-tutor-course").glob("*.ipynb")}
    assert laid == {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}


def test_the_wheel_says_its_licences_and_needs_only_three_packages(wheel: zipfile.ZipFile) -> None:
    about = metadata(wheel)
    assert about["License-Expression"] == "BSD-3-Clause AND CC-BY-4.0"
    assert about["Version"] == tutor.__version__
    licences = {name.rpartition("/")[2] for name in wheel.namelist() if "/licenses/" in name}
    assert licences == {"LICENSE", "LICENSE-TEXT"}
    needed = [line for line in about.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert sorted(line.partition(">")[0] for line in needed) == ["ipywidgets", "numpy", "torch"]


def test_the_readme_lists_the_chapters_that_are_there() -> None:
    listed = re.findall(r"\(notebooks/([^)]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert listed == sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def test_what_the_project_uses_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *itertools.chain(*project["optional-dependencies"].values())]
    used = {line.partition(">")[0] for line in lines if not line.startswith("tensor-tutor")}
    pins = [line.partition("==") for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()]
    pinned = {name.lower().replace("_", "-"): version for name, _, version in pins}
    assert used - set(pinned) == set()
    assert "+" not in pinned["torch"], "any build of torch will do"
