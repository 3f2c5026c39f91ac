"""Facts about bytes and the names that reach them: `shared_memory`, `alias_groups` and `memory_map`."""

from __future__ import annotations

from itertools import product

from tutor._inspecting.quiet import unheard
from tutor._mapping.lanes import has_hidden_owner, meetings, storages, unseen
from tutor._mapping.model import AliasGroups, Bar, MemoryMap, SharedMemory, Storage, Unseen
from tutor._mapping.seeing import Seen, reference_counts, see
from tutor._overlap import MAX_WORK, elements_overlap, ranges_overlap

__all__ = [
    "AliasGroups",
    "Bar",
    "MemoryMap",
    "SharedMemory",
    "Storage",
    "Unseen",
    "alias_groups",
    "memory_map",
    "shared_memory",
]


def shared_memory(a: object, b: object, *, max_work: int = MAX_WORK) -> SharedMemory:
    """Say whether two objects share memory, who owns the bytes, and who keeps them alive.

    There are three different answers. One object may hold the bytes of both and they may still meet nowhere; their
    ranges of addresses may overlap and no element of one be an element of the other. Only ``elements_overlap``
    says that a write to one may be seen in the other.

    Nothing is read, changed, copied or kept.

    Parameters
    ----------
    a, b
        Tensors, NumPy arrays, bytes, bytearrays, memoryviews, array.arrays, columns of pandas, or objects with
        ``__dlpack__`` or ``__array_interface__``.
    max_work
        How many candidates to try, at most, before ``elements_overlap`` is None: finding an element in common can
        take very long for arrays with many dimensions.

    Returns
    -------
    SharedMemory
        ``same_storage``, ``ranges_overlap`` and ``elements_overlap``, each true, false, or None for not decided;
        ``owner``; and ``storages``, with who keeps them alive.

    Raises
    ------
    TypeError
        If one of them holds no bytes that can be seen without a copy.

    Notes
    -----
    Views and their storage: https://docs.pytorch.org/docs/stable/tensor_view.html. Elements are compared with
    https://numpy.org/doc/stable/reference/generated/numpy.shares_memory.html, given addresses, shapes and strides
    alone, so that memory of a GPU can be asked about as well. Addresses on the meta device do not exist: there,
    only views of one storage can meet.

    Examples
    --------
    >>> import torch
    >>> x = torch.arange(6)
    >>> even_and_odd = shared_memory(x[::2], x[1::2])
    >>> even_and_odd.same_storage, even_and_odd.ranges_overlap, even_and_odd.elements_overlap
    (True, True, False)
    >>> shared_memory(bytearray(4), torch.zeros(1)).elements_overlap
    False
    """
    _check_work(max_work, "shared_memory")
    named = {"a": a, "b": b}
    del a, b  # so that the dictionary alone holds them, which the count of references relies on
    with unheard():
        counts = reference_counts(named)
        seen = see(named, "shared_memory")
        parts = [part for one in seen for part in one.parts]
        links, undecided = meetings(parts, max_work)
        lanes = storages(seen, links, undecided, counts)
        return SharedMemory(
            "a",
            "b",
            *_answers(seen[0], seen[1], max_work),
            lanes[0].owner if len(lanes) == 1 else None,
            lanes,
            unseen(seen),
        )


def _answers(a: Seen, b: Seen, max_work: int) -> tuple[bool | None, bool | None, bool | None]:
    if a.why or b.why:
        return (True if a.given is b.given else None), None, None
    pairs = [(p.region, q.region) for p, q in product(a.parts, b.parts)]
    met = {elements_overlap(p, q, max_work) for p, q in pairs}
    one_storage = a.given is b.given or any(p.storage is q.storage for p, q in pairs)
    hidden = not one_storage and (has_hidden_owner(a) or has_hidden_owner(b))
    return (
        None if hidden else one_storage,
        any(ranges_overlap(p, q) for p, q in pairs),
        True if True in met else None if None in met else False,
    )


def alias_groups(
    named: dict[str, object] | None = None, /, *, max_work: int = MAX_WORK, **names: object
) -> AliasGroups:
    """Say which of many names reach the same bytes.

    Nothing is read, changed, copied or kept.

    Parameters
    ----------
    named
        A dictionary of names and objects, such as ``vars(module)`` filtered by you; in place of keywords, or besides.
    max_work
        As for `shared_memory`, for each pair.
    names
        The objects, each of a kind that `shared_memory` takes.

    Returns
    -------
    AliasGroups
        ``groups`` of names linked by common bytes, the names that are ``alone``, pairs left ``undecided``, and the
        ``storages``: two names may lie in one storage and share no byte.

    Raises
    ------
    TypeError
        If there is no name, or one of them holds no bytes that can be seen without a copy.

    Notes
    -----
    Which operations give views: https://docs.pytorch.org/docs/stable/tensor_view.html.

    Examples
    --------
    >>> import numpy as np, torch
    >>> a = np.zeros(6)
    >>> found = alias_groups(a=a, t=torch.from_numpy(a), tail=a[4:], copied=a.copy())
    >>> found.groups, found.alone
    ((('a', 't', 'tail'),), ('copied',))
    """
    _check_work(max_work, "alias_groups")
    everything = _all_names(named, names, "alias_groups")
    del named, names
    with unheard():
        counts = reference_counts(everything)
        seen = see(everything, "alias_groups")
        parts = [part for one in seen for part in one.parts]
        links, undecided = meetings(parts, max_work)
        owners = [i for i, one in enumerate(seen) for _ in one.parts]
        groups = _by_name([[seen[owners[i]].name for i in group] for group in links.groups()])
        known = {name for group in groups for name in group}
        return AliasGroups(
            groups=groups,
            alone=tuple(one.name for one in seen if one.parts and one.name not in known),
            undecided=tuple((parts[i].name, parts[j].name) for i, j in undecided),
            storages=storages(seen, links, undecided, counts),
            unseen=unseen(seen),
        )


def _by_name(groups: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    found: list[dict[str, None]] = []
    for group in groups:
        linked = [other for other in found if other.keys() & set(group)]
        found = [other for other in found if other not in linked]
        found.append(dict.fromkeys(name for names in (*linked, group) for name in names))
    return tuple(tuple(group) for group in found if len(group) > 1)


def memory_map(**named: object) -> MemoryMap:
    """Draw the bytes that names reach: a lane for each storage, a bar for each name.

    Nothing is read, changed, copied or kept, and three billion elements cost no more than three.

    Parameters
    ----------
    named
        The objects by name, each of a kind that `shared_memory` takes.

    Returns
    -------
    MemoryMap
        A picture in a notebook, and the same in words and signs in a terminal. ``storages`` holds what is drawn.

    Raises
    ------
    TypeError
        If there is no name, or one of them holds no bytes that can be seen without a copy.

    Notes
    -----
    Offset and strides are those of https://docs.pytorch.org/docs/stable/tensor_view.html, in elements. The offset is
    counted from the beginning of the storage that is drawn.

    Examples
    --------
    >>> import torch
    >>> t = torch.zeros(3, 4)
    >>> drawn = memory_map(t=t, row=t[1], flipped=t.flip(0))
    >>> [[bar.name for bar in storage.bars] for storage in drawn.storages]
    [['t', 'row'], ['flipped']]
    >>> drawn.storages[0].bars[1].spans
    ((16, 32),)
    """
    _all_names(None, named, "memory_map")
    with unheard():
        counts = reference_counts(named)
        seen = see(named, "memory_map")
        links, undecided = meetings([part for one in seen for part in one.parts], MAX_WORK)
        return MemoryMap(storages(seen, links, undecided, counts), unseen(seen))


def _all_names(named: dict[str, object] | None, names: dict[str, object], caller: str) -> dict[str, object]:
    if named is not None and not isinstance(named, dict):
        raise TypeError(f"{caller} expected named to be a dictionary, but got a {type(named).__name__}")
    for name in named or {}:
        if not isinstance(name, str):
            raise TypeError(f"{caller} expected names to be strings, but got {name!r}")
        if name in names:
            raise TypeError(f"{caller} got two objects by the name {name}")
    everything = {**(named or {}), **names}
    if not everything:
        raise TypeError(f"{caller} expected objects by name, such as {caller}(a=a, b=b), but got none")
    return everything


def _check_work(max_work: object, caller: str) -> None:
    if not isinstance(max_work, int) or isinstance(max_work, bool) or max_work < 1:
        raise TypeError(f"{caller} expected max_work to be a whole number above 0, but got {max_work!r}")
