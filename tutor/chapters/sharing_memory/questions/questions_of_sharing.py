"""Three questions of sharing, and the signs that mislead."""

from __future__ import annotations

from tutor.course.model import Option, Question

_STORAGE_ID = Question(
    key="storage-id",
    prompt=(
        "Somebody tests for shared memory with `id(a.storage()) == id(b.storage())`. `first` and `second` are "
        "`x.storage()`, asked twice. And 100 unrelated tensors are asked for their `id(t.storage())`, one after "
        "another, in two rounds. Are the two ids of the one tensor equal, and do some of the 100 have an id in common "
        "in the second round?"
    ),
    subject="The pair (`equal`, `in_common`)",
    options=(
        Option(
            "equal, and none in common",
            (True, False),
            "A storage is an object, and an id tells objects apart.",
            "`storage()` does not hand out the bytes. Each call makes a new Python object that points to them, and "
            "`id` speaks of that object.",
        ),
        Option(
            "not equal, and none in common",
            (False, False),
            "Each call makes a new object, so no two ids are equal.",
            "No two objects that exist together have one id. These did not exist together: each was gone "
            "before the next was made, and its place, which is its id, was free.",
        ),
        Option(
            "not equal, and some in common",
            (False, True),
            "Each call makes a new object, and the place of a deleted one is used again.",
            "Here it is otherwise. Which version of torch is this? See `torch.__version__`.",
        ),
    ),
    explanation=(
        "Wrong both ways: one tensor gave two ids, and unrelated tensors gave one. `data_ptr()` is no better: it says "
        "where the first element begins, so a slice may have another, and all empty tensors have 0. **`id` tells "
        "Python objects apart, `data_ptr()` beginnings; neither says who shares bytes.**"
    ),
)

_EVEN_ODD = Question(
    key="even-odd",
    prompt=(
        "`x = torch.zeros(8)`, `even = x[::2]` and `odd = x[1::2]`. Do they lie on one storage? Do their ranges "
        "overlap, each from its first byte to its last? Have they an element in common?"
    ),
    subject="The answer (one storage, ranges overlap, element in common)",
    options=(
        Option(
            "yes, yes, yes",
            (True, True, True),
            "They share a storage, so they share memory.",
            "They lie on one storage, and a write to `even` never reaches `odd`: no element of one is in the other.",
        ),
        Option(
            "yes, yes, no",
            (True, True, False),
            "They lie on the same storage, one between the gaps of the other.",
            "Here the answers are others. Draw it: `memory_map(even=even, odd=odd)`.",
        ),
        Option(
            "yes, no, no",
            (True, False, False),
            "No element in common means that they are in different places.",
            "Each has gaps, and the other's elements lie in them. From first byte to last the two ranges overlap.",
        ),
        Option(
            "no, no, no",
            (False, False, False),
            "A slice with a step is a new tensor with its own elements.",
            "It is a new tensor, but its elements stay where they are: a step becomes a stride, and nothing is copied.",
        ),
    ),
    explanation=(
        "Three questions with three answers. The storage matters for what is kept alive, the elements matter for "
        "what a write reaches, and overlapping ranges are only a hint. **A write to one is seen in the other "
        "if an element is in both.**"
    ),
)

_TWO_SLICES = Question(
    key="two-slices",
    prompt=(
        "`a = np.zeros(6)`, `left = torch.from_numpy(a[:4])` and `right = torch.from_numpy(a[2:])`. Then "
        "`right[0] = 7`. Are the addresses of the two storages equal, and what is `left[2]`?"
    ),
    subject="The pair (`addresses_equal`, `left[2]`)",
    options=(
        Option(
            "equal, 7",
            (True, 7.0),
            "Both lie on the bytes of `a`, so they have one storage.",
            "They lie on the bytes of `a`. But torch makes one storage for each array it is given, beginning where "
            "that array begins, and here it was given two.",
        ),
        Option(
            "not equal, 0",
            (False, 0.0),
            "Two storages at two addresses share nothing.",
            "Two storages can lie on the same bytes, if somebody else lent these. Both slices are of `a`.",
        ),
        Option(
            "not equal, 7",
            (False, 7.0),
            "Each has a storage of its own, and the storages overlap.",
            "Here it is otherwise. Are the slices copies? Look at `shared_memory(left, right)`.",
        ),
    ),
    explanation=(
        "Each call of `from_numpy` makes a storage. So equal storages show that tensors may meet, and different "
        "storages show nothing. **Ask about elements: `shared_memory(a, b).elements_overlap`, or "
        "`np.shares_memory(a, b)` for arrays.**"
    ),
)

SHARING = (_STORAGE_ID, _EVEN_ODD, _TWO_SLICES)
