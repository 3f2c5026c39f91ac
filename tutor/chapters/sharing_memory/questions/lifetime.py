"""Who keeps bytes alive, how many, and who may take them away or write to them."""

from __future__ import annotations

from tutor.course.model import Option, Question

_ARRAY_DELETED = Question(
    key="array-deleted",
    prompt=(
        "`t = torch.from_numpy(array)`, then `del array`. Is the array gone, and what is `t[1]`, which was 2 before?"
    ),
    subject="The pair (`gone`, `t[1]`)",
    options=(
        Option(
            "gone, and t[1] is whatever is in those bytes now",
            (True, "something else"),
            "The array owned the bytes, so with it they are given back.",
            "The array is the owner, and it still exists: `del` took away a name, and the tensor holds on to the "
            "object.",
        ),
        Option(
            "gone, and t[1] is still 2",
            (True, 2.0),
            "`from_numpy` takes the bytes over, so the tensor owns them now.",
            "Nothing was taken over: `array.flags.owndata` stays True. The tensor only keeps the array alive.",
        ),
        Option(
            "not gone, and t[1] is still 2",
            (False, 2.0),
            "The tensor keeps the array alive.",
            "Here the array is gone. Look whether `t` shares its bytes at all.",
        ),
    ),
    explanation=(
        "`del` takes a name away. An object goes when nobody refers to it any more, and the tensor does. With the "
        "tensor gone the array goes at once. The other way round, an array from `t.numpy()` keeps the bytes of `t`. "
        "A tensor of `big[:1]` keeps all of the array `big`, and its storage does not show it. **Whoever shares bytes "
        "keeps their owner alive.**"
    ),
)

_SAVED_SLICE = Question(
    key="saved-slice",
    prompt=(
        "`x = torch.zeros(1_000_000)` takes 4 MB. How large are the files of `torch.save(x[:1], file)` and "
        "`torch.save(x[:1].clone(), file)`?"
    ),
    subject="The pair of sizes",
    options=(
        Option(
            "both a few kB",
            ("kB", "kB"),
            "One element is saved.",
            "`torch.save` writes the storage, and the storage of `x[:1]` is that of `x`.",
        ),
        Option(
            "4 MB and a few kB",
            ("MB", "kB"),
            "A slice brings the whole storage along, and its clone does not.",
            "Here it is otherwise. Ask `x[:1].untyped_storage().nbytes()`.",
        ),
        Option(
            "both 4 MB",
            ("MB", "MB"),
            "A clone is a copy of the tensor with all that belongs to it.",
            "A clone has the elements of the tensor that is cloned, here one, in a storage of its own.",
        ),
    ),
    explanation=(
        "A slice lies on the storage of the whole and keeps all of it: in memory, even after `del x`, and in the "
        "file. `nbytes` does not show it, `untyped_storage().nbytes()` does, unless the slice was taken of an array, "
        "before `from_numpy`. **To keep or save a small part of a large tensor, `clone` it.**"
    ),
)

_READ_ONLY = Question(
    key="read-only",
    prompt=(
        "`table` is a read-only array whose first number is 0, and `t = torch.from_numpy(table)`. Then `t[0] = 9`. "
        "What is `table[0]`?"
    ),
    subject="`table[0]`",
    options=(
        Option(
            "an error: the array is read-only",
            ValueError,
            "Read-only is respected.",
            "NumPy respects it: `table[0] = 9` raises. A tensor has no such mark, so torch shares the bytes, warns "
            "once, and writes.",
        ),
        Option(
            "still 0",
            0.0,
            "Since it may not share read-only bytes, torch copies them.",
            "It does not copy. What it says in its warning is that writing has undefined results.",
        ),
        Option(
            "9",
            9.0,
            "The tensor lies on the same bytes, and a tensor has no mark that says read-only.",
            "Here the bytes are not shared. Look at `shared_memory(table, t)`.",
        ),
    ),
    explanation=(
        "Read-only is a promise of the array, not of the bytes, and a tensor cannot make it. Somebody made the array "
        "read-only because others rely on it. **If you only read, you can ignore the warning; if anything may "
        "write, copy: `torch.tensor(table)`.**"
    ),
)

_RESIZED = Question(
    key="resized",
    prompt=(
        "In a process of its own: `t = torch.from_numpy(a)` of 20,000,000 zeros, then `a.resize(1, refcheck=False)`, "
        "and then `print(t[-1].item())`. What happens?"
    ),
    subject="What happens",
    options=(
        Option(
            "it prints 0.0",
            "0.0",
            "The tensor keeps the bytes alive.",
            "It keeps the array alive. The array itself gave the bytes back, because `refcheck=False` told it not to "
            "ask who else uses them.",
        ),
        Option(
            "a Python error: the tensor is too large now",
            "an error",
            "torch checks that a tensor fits its bytes.",
            "It noted the size when the tensor was made. Nobody told it about the resize, and it does not look again.",
        ),
        Option(
            "the process ends",
            "the process ends",
            "The bytes were given back, and the process may not read them any more.",
            "Here it went on. The bytes were given back all the same, and reading them is luck.",
        ),
    ),
    explanation=(
        "NumPy refused at first, because somebody else refers to the array. `refcheck=False` told it not to look. The "
        "tensor was left with an address that the process no longer has, and reading there ends it. **Never "
        "resize what you have lent.**"
    ),
)

LIFETIME = (_ARRAY_DELETED, _SAVED_SLICE, _READ_ONLY, _RESIZED)
