"""A learner at work in chapter 01, with the keyboard: predict, observe, look around, fail and pass, come back later.

The tests follow one another on one page, as a learner's steps do.
"""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab, Sheet
from tutor.course.model import Exercise, Option
from tutor.course.shelf import chapter

NOTEBOOK = "01_creation_from_data.ipynb"
CHAPTER = chapter("creation_from_data")
QUESTION = CHAPTER.questions["as-tensor-write"]


def beginning(text: str) -> str:
    """As much of a sentence as stands on a page without markup."""
    return text.partition("`")[0].partition("**")[0].strip() or text.split("`")[1]


def focused(sheet: Sheet) -> str:
    told: str = sheet.page.evaluate("() => document.activeElement.className + ' ' + document.activeElement.innerText")
    return told


def tab_to(sheet: Sheet, name: str) -> None:
    for _ in range(10):
        if name in focused(sheet):
            return
        sheet.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {name}, but to {focused(sheet)}")


def commit(sheet: Sheet, cell: Locator, option: Option, key: str) -> None:
    """Answer a prediction with the keyboard alone: choose, be a little surer, commit."""
    buttons = cell.locator(".tt-choice button")
    buttons.first.focus()
    for _ in range(QUESTION.options.index(option)):
        sheet.page.keyboard.press("Tab")
    sheet.page.keyboard.press(key)
    expect(cell.get_by_role("status")).to_contain_text("You chose")
    tab_to(sheet, "noUi-handle")
    sure = cell.locator(".widget-readout")
    at_first = int(sure.inner_text())
    for more in (10, 20):
        sheet.page.keyboard.press("ArrowRight")
        expect(sure).to_have_text(str(at_first + more))
        sheet.wait_until_idle()
    tab_to(sheet, "Commit")
    sheet.page.keyboard.press(key)
    expect(cell).to_contain_text("You said")


def test_the_command_opens_the_course_at_its_first_chapter(lab: Lab, sheet: Sheet) -> None:
    sheet.open(lab.address())
    expect(sheet.page.get_by_role("tab", name="00_start_here.ipynb")).to_be_visible()
    expect(sheet.page.get_by_role("heading", name="Start here")).to_be_visible()
    expect(sheet.page.locator(".jp-OutputArea-output")).to_have_count(0)


def test_the_first_chapter_leads_to_the_next(sheet: Sheet) -> None:
    sheet.page.locator(f'.jp-Notebook a[href*="{NOTEBOOK}"]').click()
    expect(sheet.page.get_by_role("tab", name=NOTEBOOK)).to_be_visible()
    expect(sheet.page.get_by_role("heading", name="Make tensors from data")).to_be_visible()


def test_run_all_spoils_nothing(lab: Lab, sheet: Sheet) -> None:
    sheet.open(lab.address(NOTEBOOK))
    sheet.run_all()
    answer = sheet.cell("reveal-as-tensor-write")
    expect(answer).to_contain_text("folded until you commit")
    for option in QUESTION.options:
        expect(answer).not_to_contain_text(beginning(option.refutation))
    expect(answer).not_to_contain_text(beginning(QUESTION.explanation))
    expect(sheet.cell("predict-as-tensor-write").get_by_role("button", name="Commit")).to_be_disabled()


def test_a_prediction_is_answered_by_keyboard_and_unfolds(sheet: Sheet) -> None:
    ask, answer = sheet.cell("predict-as-tensor-write"), sheet.cell("reveal-as-tensor-write")
    wrong, right = QUESTION.options[:2]
    commit(sheet, ask, wrong, "Space")
    expect(ask).to_contain_text("70 % sure")
    expect(answer).to_contain_text("Not what happened.")
    expect(answer).to_contain_text(beginning(wrong.belief))
    expect(answer).to_contain_text(beginning(wrong.refutation))

    assert "Answer again" in focused(sheet), "the keyboard stays where the learner is"
    sheet.page.keyboard.press("Enter")
    commit(sheet, ask, right, "Enter")
    expect(answer).to_contain_text("As you predicted.")
    expect(answer).to_contain_text(beginning(QUESTION.explanation))


def chosen(table: Locator) -> str:
    label = table.locator("td input:checked").get_attribute("aria-label")
    assert label is not None
    return label


def test_the_atlas_is_walked_by_keyboard(sheet: Sheet) -> None:
    cell = sheet.cell("small-atlas")
    table, detail = cell.locator(".tt-matrix"), cell.locator(".tt-detail")
    table.locator("td input").first.focus()
    sheet.page.keyboard.press("Space")
    seen = [(chosen(table), detail.inner_text())]
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        sheet.page.keyboard.press(key)
        seen.append((chosen(table), detail.inner_text()))
    starts = ["tensor of [1, 2, 3]", "as_tensor of [1, 2, 3]", "as_tensor of ", "tensor of ", "tensor of [1, 2, 3]"]
    labels = [label for label, _ in seen]
    assert all(label.startswith(start) for label, start in zip(labels, starts, strict=True)), labels
    details = [text for _, text in seen]
    assert len(set(details)) == 4, "the details follow the keys"
    assert "torch.as_tensor([1, 2, 3])" in details[1]


def test_the_filter_of_the_atlas_dims_the_rest_and_the_keys_pass_over_it(sheet: Sheet) -> None:
    cell = sheet.cell("small-atlas")
    table = cell.locator(".tt-matrix")
    cell.locator(".tt-filter").get_by_text("shares").click()
    table.locator("td input").first.focus()
    labels = []
    for _ in range(3):
        sheet.page.keyboard.press("ArrowRight")
        labels.append(chosen(table))
    assert len(set(labels)) == 3
    assert all("share" in label for label in labels), labels


def test_the_whole_atlas_has_filled_in_what_runs_elsewhere(sheet: Sheet) -> None:
    cell = sheet.cell("whole-atlas")
    ends = cell.locator('td input[aria-label^="from_dlpack of array[::-1]"]')
    expect(ends).to_have_attribute("aria-label", "from_dlpack of array[::-1]: ends the process")
    expect(cell.locator(".tt-pending")).to_have_count(0)


def test_an_exercise_fails_and_then_passes(sheet: Sheet) -> None:
    exercise = CHAPTER.exercises["own-bytes"]
    cell = sheet.cell("exercise-own-bytes")
    expect(cell).to_contain_text("Not started.")
    submit(sheet, exercise, exercise.wrong[0].source)
    expect(cell).to_contain_text(beginning(exercise.wrong[0].feedback))
    expect(cell).not_to_contain_text("Correct.")
    submit(sheet, exercise, exercise.solution)
    expect(cell).to_contain_text("Correct.")


def submit(sheet: Sheet, exercise: Exercise, source: str) -> None:
    check = f'exercise("{CHAPTER.name}/{exercise.key}").check({exercise.function})'
    sheet.write(f"exercise-{exercise.key}", f"{source}\n\n\n{check}")
    sheet.run(f"exercise-{exercise.key}")


def test_after_a_reload_the_answer_stands_and_its_controls_live(sheet: Sheet) -> None:
    sheet.save()
    sheet.reload()
    expect(sheet.cell("exercise-own-bytes")).to_contain_text("Correct.")
    ask = sheet.cell("predict-as-tensor-write")
    expect(ask).to_contain_text("You said")
    ask.get_by_role("button", name="Answer again").click()
    expect(ask.get_by_role("button", name="Commit")).to_be_disabled()


def test_progress_is_there_in_another_kernel(lab: Lab, sheet: Sheet) -> None:
    sheet.open(lab.address("00_start_here.ipynb"))
    sheet.run("setup")
    sheet.run("progress-shown")
    expect(sheet.cell("progress-shown")).to_contain_text("creation_from_data")


def test_the_next_day_what_was_shown_still_shows(lab: Lab, sheet: Sheet) -> None:
    sheet.run("predict-two-names")
    sheet.run("reveal-two-names")
    sheet.save()
    sheet.end_kernel()
    sheet.page.goto("about:blank")
    sheet.open(lab.address("00_start_here.ipynb"))
    for cell, said in (
        ("predict-two-names", "Choose an answer first."),
        ("reveal-two-names", "folded until you commit"),
    ):
        expect(sheet.cell(cell)).to_contain_text(said)
