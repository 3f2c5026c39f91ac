"""What an experiment has found, in words."""

from __future__ import annotations

from tutor._timing_lab.model import Point, Results, Series
from tutor._words import count_text, seconds_text


def results_text(results: Results) -> str:
    """A row for each size and line."""
    head = [results.experiment.question]
    if not results.rows:
        return "\n".join([*head, "Nothing measured yet."])
    rows = [(results.experiment.axis, "", "median", "middle half")]
    for n in sizes_of(results):
        for series, point in at_size(results, n):
            rows.append((f"{n:,}", line_name(results, series), *times_text(point)))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    body = [f"{a:>{widths[0]}}  {b:<{widths[1]}}  {c:>{widths[2]}}  {d}".rstrip() for a, b, c, d in rows]
    return "\n".join([*head, *body, *results.skipped, *results.notes, *method(results)])


def sizes_of(results: Results) -> list[int]:
    """All sizes with a time, from small to large."""
    return sorted({point.n for series in results.series for point in series.measured})


def at_size(results: Results, n: int) -> list[tuple[Series, Point]]:
    """The lines that have a time at a size."""
    return [(series, point) for series in results.series for point in series.measured if point.n == n]


def line_name(results: Results, series: Series) -> str:
    """What a line is called: its candidate, and what tells it from others of the same."""
    detail = results.detail(series)
    return f"{series.candidate.label} ({detail})" if detail else series.candidate.label


def times_text(point: Point) -> tuple[str, str]:
    """The median, and the middle half; one run has no spread."""
    if point.median is None or point.low is None or point.high is None:
        return "", ""
    if point.blocks == 1:
        return seconds_text(point.median), "one run"
    return seconds_text(point.median), f"{seconds_text(point.low)} to {seconds_text(point.high)}"


def method(results: Results) -> list[str]:
    """How the times were taken, and where those come from that were not taken here."""
    said = []
    live = [series for series in results.series if series.origin is None and series.measured]
    if live:
        threads = sorted({series.threads for series in live})
        devices = ", ".join(dict.fromkeys(series.device for series in live))
        dtypes = ", ".join(dict.fromkeys(series.dtype for series in live if series.dtype))
        words = [part for part in (dtypes, devices, " and ".join(count_text(n, "thread") for n in threads)) if part]
        said.append(f"Measured here: {', '.join(words)}; at each size interleaved in random order, as in race.")
        naive = dict.fromkeys(series.candidate.label for series in live if series.candidate.way == "naive")
        said += [f"Not so {', '.join(naive)}: taken once, before the others."] if naive else []
    for origin in dict.fromkeys(series.origin for series in results.series if series.origin is not None):
        said.append(f"Recorded, not measured here: {origin.text}.")
    return said
