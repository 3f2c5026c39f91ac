"""Imports only go down: facts know nothing of display, drawing nothing of controls, and nobody below the chapters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "tutor"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "notebooks" not in path.parts)

# From the top down. What stands in none of these folders are facts.
FLOORS = ("chapters", "course", "widgets", "drawing", "facts")
# Not part of the house: the ways in, and the learner's working copy.
OUTSIDE = {"__init__", "__main__", "magics", "workspace"}
# The data that chapters are made of stands on no floor: course and chapters both build on it.
MODEL = "tutor.course.model"

HEAVY = {"ipywidgets", "IPython", "matplotlib", "pandas", "PIL"}


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def floor(module: str) -> str | None:
    parts = module.split(".")
    if parts[0] != "tutor" or len(parts) == 1 or parts[1] in OUTSIDE:
        return None
    return parts[1] if parts[1] in FLOORS else "facts"


def imports(path: Path, *, on_load: bool = False) -> Iterator[str]:
    """What a module imports, by name: at its top, inside functions, or through `importlib`."""
    for node in _nodes(ast.parse(path.read_text("utf-8")), on_load=on_load):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out in full"
            yield from (_full_name(node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "import_module":
            yield from (arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant))


def _nodes(tree: ast.AST, *, on_load: bool) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if on_load and (isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or _for_types(node)):
            continue
        yield node
        yield from _nodes(node, on_load=on_load)


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _full_name(module: str, name: str) -> str:
    path = PACKAGE.parent.joinpath(*module.split("."), name)
    return f"{module}.{name}" if path.with_suffix(".py").exists() or path.is_dir() else module


# What reaches up does so by name, when it is called and not when it is loaded, and only these may.
REACHES_UP = {
    ("tutor._fact", "tutor.drawing"): "the first fact that is drawn fills the registry of renderers",
    ("tutor.constructors", "tutor.widgets.atlas"): "an atlas whose cells are still being run shows itself live",
    ("tutor.course.shelf", "tutor.chapters"): "the course finds a chapter's content by the chapter's name",
}


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_imports_go_down(path: Path) -> None:
    module = module_name(path)
    here = floor(module)
    if here is None:
        return
    allowed = {other for reaching, other in REACHES_UP if reaching == module}
    assert {other for other in imports(path) if above(other, here)} == allowed
    assert not {other for other in imports(path, on_load=True) if above(other, here)}


def above(module: str, here: str) -> bool:
    there = floor(module)
    return there is not None and module != MODEL and FLOORS.index(there) < FLOORS.index(here)


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_no_module_is_too_long(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", [p for p in MODULES if floor(module_name(p)) in ("facts", "drawing")], ids=module_name)
def test_facts_and_drawing_load_nothing_heavy(path: Path) -> None:
    assert {name.partition(".")[0] for name in imports(path, on_load=True)} & HEAVY == set()
