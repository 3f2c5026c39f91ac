"""The notebooks keep the rules that every chapter shares. What they show is compared by nbval, as they run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import nbformat
import pytest
from nbformat import NotebookNode

from tests.save_outputs import IGNORED, METADATA, NOTEBOOKS, WIDGET_VIEW, code_states
from tutor.course.model import Chapter
from tutor.course.shelf import chapter as chapter_data

PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))
READ = {path.stem: nbformat.read(path, as_version=4) for path in PATHS}
FIRST = "00_start_here"

A_SCREEN = 40  # lines
OWN_MAGICS = {"%load_ext tutor", "%%xray", "%%xray kernels"}
OF_ONE_MACHINE = re.compile(r"/tmp/|/home/|/root/|/Users/|[A-Z]:\\Users|site-packages|ipykernel_\d|\b0x[0-9a-f]{6,}")
PICTURE = re.compile(r"data:image/[^\"']*")


@pytest.fixture(params=READ, name="stem")
def each_stem(request: pytest.FixtureRequest) -> str:
    stem: str = request.param
    return stem


@pytest.fixture
def notebook(stem: str) -> NotebookNode:
    return READ[stem]


@pytest.fixture
def chapter(stem: str) -> Chapter:
    return chapter_data(name_of(stem))


def name_of(stem: str) -> str:
    return stem.partition("_")[2]


def code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def ignored(cell: NotebookNode) -> bool:
    return IGNORED in cell.metadata.get("tags", ())


def texts(cell: NotebookNode) -> Iterator[str]:
    """All that a cell's outputs say, pictures left out."""
    for output in cell.outputs:
        yield output.get("text", "")
        for kind, content in output.get("data", {}).items():
            if kind.startswith("text/"):
                yield PICTURE.sub("", content)


def calls(notebook: NotebookNode, function: str) -> list[str]:
    """The keys that a notebook's cells give to one of the course's functions, in order."""
    return [key for cell in code(notebook) for key in re.findall(rf'\b{function}\(\s*"([^"]+)"', cell.source)]


def test_there_are_chapters_and_each_has_its_package() -> None:
    assert list(READ)[:1] == [FIRST]
    numbers = [int(stem[:2]) for stem in READ]
    assert numbers == list(range(len(READ)))


# What nbval compares


def test_every_cell_is_compared_or_says_that_it_is_not(notebook: NotebookNode) -> None:
    never_run = [cell.id for cell in code(notebook) if cell.execution_count is None]
    assert never_run == [], "python tests/save_outputs.py saves what they show"
    tags = Counter(tag for cell in notebook.cells for tag in cell.metadata.get("tags", ()))
    assert set(tags) <= {IGNORED}
    markers = [cell.id for cell in code(notebook) if re.search(r"#\s*(NBVAL_|PYTEST_VALIDATE)", cell.source)]
    assert markers == [], "a tag, not a comment, says so"


def test_four_cells_in_five_are_compared(notebook: NotebookNode) -> None:
    cells = code(notebook)
    assert sum(not ignored(cell) for cell in cells) >= 0.8 * len(cells), [c.id for c in cells if ignored(c)]


def test_outputs_that_are_not_compared_come_from_the_code_above_them(notebook: NotebookNode) -> None:
    states = code_states(notebook)
    stale = [cell.id for cell in code(notebook) if ignored(cell) and cell.metadata.get("ran") != states[cell.id]]
    assert stale == [], "python tests/save_outputs.py runs them again"


def test_no_cell_fails_or_says_something_on_stderr(notebook: NotebookNode) -> None:
    bad = [cell.id for cell in code(notebook) for o in cell.outputs if "ename" in o or o.get("name") == "stderr"]
    assert bad == []


def test_no_output_is_of_one_machine_alone(notebook: NotebookNode) -> None:
    found = [(cell.id, hit[0]) for cell in code(notebook) for t in texts(cell) if (hit := OF_ONE_MACHINE.search(t))]
    assert found == []


def test_saved_without_widgets_and_without_what_an_editor_adds(notebook: NotebookNode) -> None:
    assert notebook.metadata == METADATA
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"tags", "ran"}, cell.id
        for output in cell.get("outputs", ()):
            assert WIDGET_VIEW not in output.get("data", ()), cell.id
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


def test_every_picture_and_widget_says_in_text_what_it_shows(notebook: NotebookNode) -> None:
    for cell in code(notebook):
        for output in cell.outputs:
            said = output.get("data", {}).get("text/plain", "…")
            assert not re.match(r"<.* object( at .*)?>|\w+\(children=|<IPython\.", said), (cell.id, said)


# What a learner reads


def test_sizes(stem: str, notebook: NotebookNode) -> None:
    assert len(notebook.cells) <= 50
    assert (NOTEBOOKS / f"{stem}.ipynb").stat().st_size < 1_000_000
    assert [cell.id for cell in code(notebook) if len(cell.source.splitlines()) > 15] == []


def test_no_plain_output_is_longer_than_a_screen(notebook: NotebookNode) -> None:
    lengths = {cell.id: sum(map(plain_lines, cell.outputs)) for cell in code(notebook)}
    assert {cell: lines for cell, lines in lengths.items() if lines > A_SCREEN} == {}


def plain_lines(output: NotebookNode) -> int:
    """Lines of an output that notebooks show as plain text; what has a picture is shown by that."""
    data = output.get("data", {})
    return 0 if "text/html" in data else len((output.get("text") or data.get("text/plain", "")).splitlines())


def test_no_shell_commands_and_no_magics_but_our_own(notebook: NotebookNode) -> None:
    lines = [line.strip() for cell in code(notebook) for line in cell.source.splitlines()]
    assert [line for line in lines if re.match(r"!|[\w, ]+=\s*!", line)] == []
    assert {line for line in lines if line.startswith("%")} <= OWN_MAGICS


def test_the_first_cell_says_what_the_chapter_is(notebook: NotebookNode) -> None:
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert re.match(r"# [A-Z].*\n", first.source)
    assert re.search(r"^About \d+ minutes \((estimated|measured.*)\)\.$", first.source, re.MULTILINE)
    assert re.search(r"you can\n\n- ", first.source)
    assert re.search(r"^You should know ", first.source, re.MULTILINE)


def test_headings(notebook: NotebookNode) -> None:
    headings = [line for cell in prose(notebook) for line in cell.source.splitlines() if re.match(r"#+ ", line)]
    assert [h for h in headings if h.startswith("# ")] == headings[:1]
    assert all(re.match(r"#{1,3} ", h) for h in headings)
    assert len(headings) == len(set(headings))


def test_the_second_cell_is_the_same_set_up_everywhere(notebook: NotebookNode) -> None:
    assert set_up(notebook) == set_up(READ[FIRST])


def set_up(notebook: NotebookNode) -> str:
    """The set-up cell, but for what it imports."""
    assert notebook.cells[1].cell_type == "code"
    head, load, imports = notebook.cells[1].source.partition("%load_ext tutor\n")
    assert load
    lines = re.sub(r"\(\n[^)]*\)", "(…)", imports).splitlines()
    assert [line for line in lines if line and not re.match(r"(import|from) ", line)] == []
    return str(head)


def test_links_lead_somewhere(notebook: NotebookNode) -> None:
    links = [link for cell in prose(notebook) for link in re.findall(r"\]\(([^)#:]+)\)", cell.source)]
    assert [link for link in links if not (NOTEBOOKS / link).exists()] == []


# What the course asks


def test_each_prediction_is_asked_alone_and_revealed_by_the_code_after_it(notebook: NotebookNode) -> None:
    asks = [(i, cell) for i, cell in enumerate(notebook.cells) if re.search(r"\bpredict\(", cell.source)]
    asks = [(i, cell) for i, cell in asks if cell.cell_type == "code"]
    ends = [i for i, _ in asks[1:]] + [len(notebook.cells)]
    for (start, cell), end in zip(asks, ends, strict=True):
        key = re.fullmatch(r'predict\("([^"]+)"\)', cell.source.strip())
        assert key, f"{cell.id}: a prediction has its cell to itself"
        after = NotebookNode(cells=notebook.cells[start + 1 : end])
        assert calls(after, "reveal") == [key[1]], cell.id
        revealing = next(c for c in code(after))
        assert re.search(r"^reveal\(", revealing.source, re.MULTILINE), f"{revealing.id}: the next code cell reveals"


def test_all_that_the_chapter_asks_stands_in_its_notebook(notebook: NotebookNode, chapter: Chapter) -> None:
    for function, keys in (("predict", chapter.questions), ("exercise", chapter.exercises)):
        used = set(calls(notebook, function))
        assert sorted(used) == sorted(f"{chapter.name}/{key}" for key in keys), function
    predictions = calls(notebook, "predict")
    assert len(predictions) == len(set(predictions))
    assert (calls(notebook, "myth_or_fact") == [chapter.name]) == bool(chapter.claims)


def test_each_starter_stands_in_the_notebook_as_the_chapter_has_it(notebook: NotebookNode, chapter: Chapter) -> None:
    for key, exercise in chapter.exercises.items():
        check = f'exercise("{chapter.name}/{key}").check({exercise.function})'
        cells = [cell.source for cell in code(notebook) if check in cell.source]
        assert len(cells) == 1, key
        assert exercise.starter.strip() in cells[0], key


def test_there_is_enough_to_do(stem: str, chapter: Chapter) -> None:
    back = [question for question in chapter.questions.values() if question.about]
    here = len(chapter.questions) - len(back)
    assert here >= (3 if stem == FIRST else 8)
    assert len(back) >= (0 if stem == FIRST else 3)
    assert len(chapter.exercises) >= (1 if stem == FIRST else 4)


def test_questions_that_look_back_look_to_earlier_chapters(stem: str, chapter: Chapter) -> None:
    earlier = {name_of(other) for other in READ if other < stem}
    assert {question.about for question in chapter.questions.values() if question.about} <= earlier


def test_chapters_lead_from_one_to_the_next() -> None:
    for stem, following in pairwise(READ):
        last = READ[stem].cells[-1]
        assert f"({following}.ipynb)" in last.source, f"{stem} ends with the way to {following}"
