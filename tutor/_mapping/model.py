"""The facts about who shares which bytes, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from tutor._fact import Fact


@dataclass(frozen=True)
class Bar:
    """What one name reaches of a storage.

    Attributes
    ----------
    name, kind
        The name given, and the class of the object.
    itemsize, shape
        Bytes of one element, and how many elements there are in each dimension.
    offset, strides
        In elements; where those are no whole numbers of elements, in bytes, and ``in_bytes`` is true.
    bytes_seen
        How many different bytes it reaches; None where its elements overlap in a way that is not counted.
    spans
        Stretches of bytes of the storage, from and to. Between them it reaches nothing.
    solid
        Whether it reaches every byte of every span. If not, ``run`` bytes are reached every ``pitch`` bytes.
    past_end
        Bytes that it claims past the end of its storage, which was made smaller behind its back; not in ``spans``.
    shares
        Whether another of the names reaches one of its bytes: true, false, or None for not decided.
    """

    name: str
    kind: str
    itemsize: int
    shape: tuple[int, ...]
    offset: int
    strides: tuple[int, ...]
    in_bytes: bool
    bytes_seen: int | None
    spans: tuple[tuple[int, int], ...]
    solid: bool
    run: int
    pitch: int
    past_end: int
    shares: bool | None

    @property
    def elements(self) -> int:
        """How many elements it has, those at one address counted each."""
        count = 1
        for n in self.shape:
            count *= n
        return count


@dataclass(frozen=True)
class Storage:
    """One stretch of memory, what owns it, and the names that reach into it.

    Attributes
    ----------
    device, nbytes
        Where it is, and how large. With ``whole`` false only the part that the names span is known.
    owner
        What owns the bytes: the kind of object, or why that is not known.
    owner_names
        Those of the names that are the owner itself.
    has_memory
        False on the meta device.
    keepers
        Who keeps the bytes alive, as far as Python can tell.
    others, counted
        How many further holders there are that cannot be named, and what was counted: ``"tensor"`` or ``"reference"``.
        None where there is no count.
    borrowers
        Names of tensors on memory that something else lent to torch: torch holds it by a reference of its own.
    bars
        What each name reaches.
    reached
        How many bytes the names reach together; None where that is not easily counted.
    gaps
        Stretches that no name reaches; there are more inside of spans that are not solid.
    unit
        Bytes of one cell where the storage is small enough to be drawn as cells; else None.
    """

    device: str
    nbytes: int
    whole: bool
    owner: str
    owner_names: tuple[str, ...]
    has_memory: bool
    keepers: tuple[str, ...]
    others: int | None
    counted: str
    borrowers: tuple[str, ...]
    bars: tuple[Bar, ...]
    reached: int | None
    gaps: tuple[tuple[int, int], ...]
    unit: int | None


@dataclass(frozen=True)
class Unseen:
    """A name whose memory is out of sight, and why."""

    name: str
    why: str


@dataclass(frozen=True, repr=False)
class SharedMemory(Fact):
    """Whether two objects share memory.

    Attributes
    ----------
    same_storage
        Whether one object holds the bytes of both: true, false, or None for not known.
    ranges_overlap
        Whether the stretches from the lowest to the highest address meet.
    elements_overlap
        Whether a byte of an element of one is a byte of an element of the other; None for not decided.
    owner
        What owns the bytes where both lie in one storage; else None.
    storages
        The storages that the two reach into, with who keeps them alive.
    """

    a: str
    b: str
    same_storage: bool | None
    ranges_overlap: bool | None
    elements_overlap: bool | None
    owner: str | None
    storages: tuple[Storage, ...]
    unseen: tuple[Unseen, ...]

    def __repr__(self) -> str:
        from tutor._mapping.text import shared_text  # noqa: PLC0415 - the text is written from the facts

        return shared_text(self)


@dataclass(frozen=True, repr=False)
class AliasGroups(Fact):
    """Which names reach the same bytes.

    Attributes
    ----------
    groups
        Names that are linked by common bytes, at least two in a group. Two of a group need not meet themselves:
        a third may link them.
    alone
        Names that reach no byte of another.
    undecided
        Pairs for which the work allowed did not suffice.
    storages
        The storages that the names reach into: names of several groups may lie in one.
    unseen
        Names whose memory is out of sight.
    """

    groups: tuple[tuple[str, ...], ...]
    alone: tuple[str, ...]
    undecided: tuple[tuple[str, str], ...]
    storages: tuple[Storage, ...]
    unseen: tuple[Unseen, ...]

    def __repr__(self) -> str:
        from tutor._mapping.text import groups_text  # noqa: PLC0415

        return groups_text(self)


@dataclass(frozen=True, repr=False)
class MemoryMap(Fact):
    """One picture of bytes: the storages, and what each name reaches of them."""

    storages: tuple[Storage, ...]
    unseen: tuple[Unseen, ...]

    def __repr__(self) -> str:
        from tutor._mapping.text import map_text  # noqa: PLC0415

        return map_text(self)
