"""The facts about how one tensor lies in its storage, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from tutor._fact import Fact
from tutor._mapping.model import Bar, Storage


@dataclass(frozen=True)
class Place:
    """One element that is drawn.

    Attributes
    ----------
    index
        As you index the tensor.
    position
        Where it lies, counted from the beginning of the storage; in elements, or in bytes as `Bar.in_bytes` has it.
    visit
        When it comes if the tensor is read in order, from 1.
    """

    index: tuple[int, ...]
    position: int
    visit: int


@dataclass(frozen=True)
class Slot:
    """One place of the storage that is drawn, or a stretch that is cut out of the drawing.

    Attributes
    ----------
    position, count
        Where it begins, and how many places it stands for.
    state
        ``"drawn"`` for that of an element that is drawn; ``"more"`` if only elements that are left out reach it;
        ``"free"`` if none does; ``"past"`` if it lies past the end of the storage; ``"cut"`` for a stretch.
    """

    position: int
    count: int
    state: str


@dataclass(frozen=True)
class Hop:
    """How far it is in storage from one element to the next where the index of dimension ``dim`` grows by one.

    The indices of all later dimensions go back to zero at the same time.
    """

    dim: int
    distance: int


@dataclass(frozen=True, repr=False)
class LayoutDiagram(Fact):
    """One tensor as you index it, beside its storage as it lies.

    Attributes
    ----------
    name
        What the tensor is called in the picture.
    bar, storage
        Its shape, strides and offset, and the storage it lies in, as in a `MemoryMap`.
    formats
        The memory formats in which it is contiguous; for arrays the orders.
    hops
        From each element to the next in the order of visiting, for each dimension that has more than one index.
    drawn
        How many indices of each dimension are drawn, from the first on; less than the shape where it is large.
    places
        The elements that are drawn, in the order of visiting.
    slots
        The storage as far as it is drawn, from its beginning to its end.
    """

    name: str
    bar: Bar
    storage: Storage
    formats: tuple[str, ...]
    hops: tuple[Hop, ...]
    drawn: tuple[int, ...]
    places: tuple[Place, ...]
    slots: tuple[Slot, ...]

    @property
    def whole(self) -> bool:
        """Whether every element is drawn."""
        return self.drawn == self.bar.shape

    @property
    def shown(self) -> Place | None:
        """The element whose sum is shown as long as none is chosen; None where there is none."""
        wanted = tuple(min(2 if i == 0 else 1, n - 1) for i, n in enumerate(self.drawn))
        return next((place for place in self.places if place.index == wanted), None)

    def __repr__(self) -> str:
        from tutor._layout.text import text  # noqa: PLC0415 - the text is written from the facts

        return text(self)
