"""Facts about how one tensor lies in memory: `layout_diagram`."""

from __future__ import annotations

from tutor._layout.model import Hop, LayoutDiagram, Place, Slot
from tutor._layout.observing import check_name, observe

__all__ = ["Hop", "LayoutDiagram", "Place", "Slot", "layout_diagram"]


def layout_diagram(t: object, *, name: str = "t") -> LayoutDiagram:
    """Draw a tensor as you index it beside its storage as it lies, with the order of visiting.

    In a notebook, hover over an element, or come to it with the Tab key: it is marked in both places, and the sum
    that leads from its index to its place is shown. Of a large tensor the first few elements are drawn, and it costs
    no more than a small one. Nothing is read, changed or copied.

    Parameters
    ----------
    t
        A strided tensor on any device, a NumPy array, or another object whose memory `memory_map` takes.
    name
        What to call it in the picture.

    Returns
    -------
    LayoutDiagram
        A picture in a notebook, and the same in words and numbers in a terminal. ``places`` holds the elements that
        are drawn, each with its place in storage.

    Raises
    ------
    TypeError
        If it is no array, or has a layout without strides, such as a sparse one.

    Notes
    -----
    An element lies at the offset plus the sum of each index times the stride of its dimension, as
    https://docs.pytorch.org/docs/stable/generated/torch.Tensor.stride.html describes. Offsets and strides are counted
    in elements.

    Examples
    --------
    >>> import torch
    >>> t = torch.arange(6.0).reshape(2, 3)
    >>> layout_diagram(t.T, name="t.T")
    t.T  shape (3, 2), strides (1, 3), offset 0    storage  0  1  2  3  4  5
         0  3                                      visit    1  3  5  2  4  6
         1  4
         2  5
    hops: +3 from one index of dim 1 to the next, −2 to the next of dim 0
    t.T[2, 1] is at 0 + 2·1 + 1·3 = 5, byte 20
    storage: 24 B on cpu
    contiguous: no
    >>> [place.position for place in layout_diagram(t.T).places]
    [0, 3, 1, 4, 2, 5]
    """
    check_name(name)
    return observe(t, name)
