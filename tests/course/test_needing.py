"""What a check needs: found, missing, or there and broken."""

from __future__ import annotations

import torch

from tutor.course.needing import missing


def test_what_is_here_is_not_missing(tmp_path, monkeypatch):
    (tmp_path / "a_library_that_works.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    assert missing(("numpy", "a_library_that_works")) is None


def test_the_first_that_is_not_here_is_named_as_readers_know_it(monkeypatch):
    monkeypatch.setattr("tutor.course.needing._works", lambda module: False)
    assert missing(("opencv_of_another_name", "pillow")) == "opencv_of_another_name"
    assert missing(("opencv",)) == "OpenCV"


def test_a_library_that_cannot_be_imported_is_missing_and_says_nothing(tmp_path, monkeypatch, capfd):
    source = "import os\nos.write(2, b'announced')\nraise RuntimeError('operator does not exist')\n"
    (tmp_path / "a_library_for_another_torch.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    assert missing(("a_library_for_another_torch",)) == "a_library_for_another_torch"
    assert capfd.readouterr().err == ""


def test_gpus_are_counted(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    assert missing(("cuda",)) is None
    assert missing(("cuda", "cuda:1")) == "a second GPU"
