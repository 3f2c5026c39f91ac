"""From what was given to facts: which storages there are, what each name reaches of them, and who holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import torch

from tutor._mapping.model import Bar, Storage, Unseen
from tutor._mapping.seeing import Part, Seen, is_capsule, points_at, tensors_on
from tutor._overlap import Region, distinct_elements, elements_overlap

Spans = tuple[tuple[int, int], ...]
Pairs = tuple[tuple[str, str], ...]

CELLS = 16  # a storage of at most so many elements is drawn cell by cell
_TRIED = 128  # so many runs of bytes are worked out
_MOST = 40  # and so many are drawn, whatever the number of elements


class Links:
    """Things that belong together, found pair by pair."""

    def __init__(self, n: int) -> None:
        self.leader = list(range(n))

    def find(self, i: int) -> int:
        """The one that stands for all that belong to it."""
        while self.leader[i] != i:
            self.leader[i] = self.leader[self.leader[i]]
            i = self.leader[i]
        return i

    def join(self, i: int, j: int) -> None:
        """Say that two belong together."""
        low, high = sorted((self.find(i), self.find(j)))
        self.leader[high] = low

    def groups(self) -> list[list[int]]:
        """All groups, in the order of their first members."""
        found: dict[int, list[int]] = {}
        for i in range(len(self.leader)):
            found.setdefault(self.find(i), []).append(i)
        return list(found.values())


def meetings(parts: Sequence[Part], max_work: int) -> tuple[Links, list[tuple[int, int]]]:
    """Which parts reach a common byte, linked, and the pairs left undecided. Only neighbours in memory are tried."""
    links, undecided = Links(len(parts)), []
    for i, j in _neighbours(parts):
        if links.find(i) == links.find(j):
            continue
        answer = elements_overlap(parts[i].region, parts[j].region, max_work)
        if answer:
            links.join(i, j)
        elif answer is None:
            undecided.append((min(i, j), max(i, j)))
    return links, sorted(pair for pair in undecided if links.find(pair[0]) != links.find(pair[1]))


def _neighbours(parts: Sequence[Part]) -> Iterable[tuple[int, int]]:
    reaching = [i for i, part in enumerate(parts) if not part.region.empty]
    order = sorted(reaching, key=lambda i: (str(parts[i].region.space), parts[i].region.extent[0]))
    near: list[int] = []
    for j in order:
        region = parts[j].region
        near = [i for i in near if _goes_past(parts[i].region, region)]
        yield from ((i, j) for i in near)
        near.append(j)


def _goes_past(earlier: Region, later: Region) -> bool:
    return earlier.space == later.space and earlier.extent[1] > later.extent[0]


def storages(
    seen: Sequence[Seen], links: Links, undecided: Iterable[tuple[int, int]], counts: Mapping[int, int | None]
) -> tuple[Storage, ...]:
    """The storages that the parts of all names lie in, in the order of the names."""
    parts = [part for one in seen for part in one.parts]
    size = {i: len(group) for group in links.groups() for i in group}
    open_ones = {i for pair in undecided for i in pair}
    shares = [True if size[i] > 1 else None if i in open_ones else False for i in range(len(parts))]
    together = Links(len(parts))
    for i, j in _in_one_block(parts):
        together.join(i, j)
    return tuple(
        _storage([parts[i] for i in lane], [shares[i] for i in lane], seen, counts) for lane in together.groups()
    )


def _in_one_block(parts: Sequence[Part]) -> Iterable[tuple[int, int]]:
    first: dict[int, int] = {}
    for i, part in enumerate(parts):
        yield first.setdefault(id(part.region.storage), i), i
    order = sorted(range(len(parts)), key=lambda i: (str(parts[i].region.space), parts[i].start))
    furthest = -1
    for i in order:
        part = parts[i]
        if not part.nbytes:
            continue
        if furthest >= 0 and _blocks_meet(parts[furthest], part):
            yield furthest, i
        if furthest < 0 or _end(part) > _end(parts[furthest]) or parts[furthest].region.space != part.region.space:
            furthest = i


def _end(part: Part) -> int:
    return part.start + part.nbytes


def _blocks_meet(earlier: Part, later: Part) -> bool:
    return earlier.region.space == later.region.space and later.start < _end(earlier)


def _storage(
    parts: Sequence[Part], shares: Sequence[bool | None], seen: Sequence[Seen], counts: Mapping[int, int | None]
) -> Storage:
    # an empty tensor has no address, so it does not say where its storage is
    placed = [part for part in parts if not part.region.empty] or parts
    start, end = min(part.start for part in placed), max(_end(part) for part in placed)
    chief = max(parts, key=lambda part: (part.whole, not part.lent, part.nbytes))
    bars = tuple(_bar(part, start, end, share) for part, share in zip(parts, shares, strict=True))
    others, counted = _others(parts, chief, seen, counts)
    return Storage(
        device=chief.device,
        nbytes=end - start,
        whole=all(part.whole for part in parts) or chief.whole,
        owner=chief.owner,
        owner_names=tuple(one.name for one in seen if chief.root is not None and one.given is chief.root),
        has_memory=not chief.owner.startswith("none"),
        keepers=_keepers(parts, seen),
        others=others,
        counted=counted,
        borrowers=tuple(part.name for part in parts if part.lent),
        bars=bars,
        reached=_reached(bars),
        gaps=_gaps(bars, end - start),
        unit=_unit(bars, end - start),
    )


def _keepers(parts: Sequence[Part], seen: Sequence[Seen]) -> tuple[str, ...]:
    here = set(parts)
    names = [one.name for one in seen if not here.isdisjoint(one.parts)]
    return (*names, *(f"the base of {name}" for name in _hidden_bases(parts, seen)))


def _hidden_bases(parts: Iterable[Part], seen: Sequence[Seen]) -> dict[str, object]:
    """Views and arrays that hold a tensor, on the same storage, that is none of the names; one name for each."""
    given, here = {id(one.given) for one in seen}, set(parts)
    hidden: dict[int, tuple[str, object]] = {}
    for one in seen:
        base = _tensor_behind(one)
        if base is not None and id(base) not in given and not here.isdisjoint(one.parts):
            hidden.setdefault(id(base), (one.name, base))
    return dict(hidden.values())


def _tensor_behind(one: Seen) -> torch.Tensor | None:
    if isinstance(one.given, torch.Tensor):
        return one.given._base
    root = one.parts[0].root if one.parts else None
    return root if isinstance(root, torch.Tensor) else None


def _others(
    parts: Sequence[Part], chief: Part, seen: Sequence[Seen], counts: Mapping[int, int | None]
) -> tuple[int | None, str]:
    if isinstance(chief.region.storage, torch.UntypedStorage):
        return _other_tensors(parts, chief.region.storage, seen), "tensor"
    count = counts.get(id(chief.root))
    if chief.root is None or count is None:
        return None, "reference"
    distinct = {id(one.given): one.given for one in seen}.values()
    explained = any(x is chief.root for x in distinct) + sum(points_at(x, chief.root) for x in distinct)
    return max(0, count - explained), "reference"


def _other_tensors(parts: Sequence[Part], storage: torch.UntypedStorage, seen: Sequence[Seen]) -> int | None:
    count = tensors_on(storage)
    if count is None:
        return None
    here = {part for part in parts if part.region.storage is storage}
    known = {id(one.given) for one in seen if isinstance(one.given, torch.Tensor) and not here.isdisjoint(one.parts)}
    return max(0, count - len(known) - len(_hidden_bases(here, seen)))


def _bar(part: Part, start: int, end: int, shares: bool | None) -> Bar:
    region, size = part.region, part.region.itemsize
    offset = region.address - (part.start if region.empty else start)
    in_bytes = not size or bool(offset % size) or any(s % size for s in region.strides)
    unit = 1 if in_bytes else size
    spans, solid, run, pitch = spans_of(region, start)
    return Bar(
        name=part.name,
        kind=part.kind,
        itemsize=size,
        shape=region.shape,
        offset=offset // unit,
        strides=tuple(s // unit for s in region.strides),
        in_bytes=in_bytes,
        bytes_seen=_bytes_seen(region, spans, solid),
        spans=tuple((a, min(b, end - start)) for a, b in spans if a < end - start),
        solid=solid,
        run=run,
        pitch=pitch,
        past_end=max(0, spans[-1][1] - (end - start)) if spans else 0,
        shares=shares,
    )


def _bytes_seen(region: Region, spans: Spans, solid: bool) -> int | None:
    if solid:
        return total(spans)
    size = region.itemsize
    if any(s % size for s in region.strides):
        return None
    count = distinct_elements(region.shape, [s // size for s in region.strides])
    return None if count is None else count * size


def total(spans: Spans) -> int:
    """How many bytes lie in spans that do not meet."""
    return sum(stop - start for start, stop in spans)


def spans_of(region: Region, start: int) -> tuple[Spans, bool, int, int]:
    """The stretches that a region reaches, whether each is reached whole, and else how much of it, how often.

    The cost does not depend on the number of elements: only the outermost dimensions are followed, as far as
    there are few steps in them.
    """
    if region.empty:
        return (), True, 0, 0
    low = region.extent[0] - start
    run, outer = _runs(region)
    exact = _stretches(low, run, outer, _TRIED)
    if exact is not None and len(exact) <= _MOST:
        return exact, True, run, 0
    coarse, inside = list(outer), run
    while (found := _stretches(low, inside, coarse, _MOST)) is None:
        stride, n = coarse.pop(0)
        inside += stride * (n - 1)
    return found, False, run, outer[0][0]


def _runs(region: Region) -> tuple[int, list[tuple[int, int]]]:
    """Bytes that lie side by side, and the steps, from small to large, that repeat them with gaps between."""
    steps = sorted((abs(s), n) for n, s in zip(region.shape, region.strides, strict=True) if n > 1 and s)
    run = region.itemsize
    outer: list[tuple[int, int]] = []
    for stride, n in steps:
        if not outer and stride <= run:
            run += stride * (n - 1)
        else:
            outer.append((stride, n))
    return run, outer


def _stretches(low: int, length: int, steps: Sequence[tuple[int, int]], most: int) -> Spans | None:
    count = 1
    for _, n in steps:
        count *= n
        if count > most:
            return None
    starts = (low + sum(where) for where in product(*([i * s for i in range(n)] for s, n in steps)))
    return union((start, start + length) for start in starts)


def union(spans: Iterable[tuple[int, int]]) -> Spans:
    """Spans that cover the same bytes and do not meet, from low to high.

    >>> union([(4, 8), (0, 4), (12, 16)])
    ((0, 8), (12, 16))
    """
    merged: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return tuple(merged)


def _reached(bars: Sequence[Bar]) -> int | None:
    whole = union(span for bar in bars if bar.solid for span in bar.spans)
    rest = [bar for bar in bars if not bar.solid and total(union((*whole, *bar.spans))) > total(whole)]
    if not rest:
        return total(whole)
    first = rest[0]
    alike = all((bar.spans, bar.offset, bar.strides, bar.shape) == _place(first) for bar in rest)
    apart = total(union((*whole, *first.spans))) == total(whole) + total(first.spans)
    return total(whole) + first.bytes_seen if alike and apart and first.bytes_seen is not None else None


def _place(bar: Bar) -> tuple[Spans, int, tuple[int, ...], tuple[int, ...]]:
    return bar.spans, bar.offset, bar.strides, bar.shape


def _gaps(bars: Sequence[Bar], nbytes: int) -> Spans:
    covered = union(span for bar in bars for span in bar.spans)
    edges = [0, *(edge for span in covered for edge in span), nbytes]
    return tuple((a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b)


def _unit(bars: Sequence[Bar], nbytes: int) -> int | None:
    sizes = {bar.itemsize for bar in bars if bar.spans}
    unit = sizes.pop() if len(sizes) == 1 else 1
    edges = (edge for bar in bars for span in bar.spans for edge in span)
    if any(edge % unit for edge in edges) or nbytes % unit:
        unit = 1
    return unit if 0 < nbytes <= CELLS * unit and all(bar.solid for bar in bars) else None


def unseen(seen: Sequence[Seen]) -> tuple[Unseen, ...]:
    """The names whose memory is out of sight."""
    return tuple(Unseen(one.name, one.why) for one in seen if one.why)


def has_hidden_owner(one: Seen) -> bool:
    """Whether a DLPack capsule stands between the object and what owns its bytes."""
    return any(part.through == "__dlpack__" or is_capsule(part.root) for part in one.parts)
