"""Exercises on bytes, on lists of arrays and on ragged lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from tutor.chapters.creation_from_data.exercises.sources import a_tensor, name_of
from tutor.course.model import Case, Exercise, Wrong


def _wire(numbers: list[int]) -> bytes:
    return np.array(numbers, dtype=">i2").tobytes()


def _read_from_wire(result: object, message: bytes) -> str:
    t = a_tensor(result)
    raw = np.frombuffer(message, dtype=np.uint8)
    shared = raw.size > 0 and t.numel() > 0 and np.shares_memory(t.numpy(), raw)
    return f"{name_of(t.dtype)} {t.tolist()}, {'shares' if shared else 'copies'}"


def _wire_case(numbers: list[int]) -> Case:
    return Case(
        label=repr(_wire(numbers)),
        arguments=lambda: (_wire(numbers),),
        observe=_read_from_wire,
        expected=f"int16 {numbers}, copies",
    )


FROM_WIRE = Exercise(
    key="from-wire",
    task="A sensor sends 16-bit ints, each with its big byte first (big-endian). Write a function that turns the "
    "`bytes` of a message into an int16 tensor with bytes of its own.",
    function="from_wire",
    starter="def from_wire(message):\n"
    '    """An int16 tensor of numbers that come with their big byte first."""\n'
    "    ...",
    solution="def from_wire(message):\n"
    '    numbers = np.frombuffer(message, dtype=">i2")\n'
    "    return torch.from_numpy(numbers.astype(np.int16))",
    hints=(
        "`torch.frombuffer` reads the bytes in this machine's order. NumPy has dtypes for both orders.",
        '`np.frombuffer(message, dtype=">i2")` gives the right numbers. Torch refuses this byte order, so let NumPy '
        "change it first.",
        "`.astype(np.int16)` makes an array in this machine's order, with bytes of its own. `torch.from_numpy` takes "
        "that one.",
    ),
    cases=(
        _wire_case([1]),
        _wire_case([1, 256]),
        _wire_case([-1, 0]),
        _wire_case([-2, 300]),
        _wire_case([32_767, -32_768, 12]),
        _wire_case([]),
    ),
    observed="dtype, numbers and bytes",
    wrong=(
        Wrong(
            belief="Bytes are bytes: the dtype is all that must be said.",
            source="def from_wire(message):\n    return torch.frombuffer(message, dtype=torch.int16)",
            feedback="You read each pair of bytes in this machine's order, so 1 turns into 256. Your tensor also "
            "shares the bytes of the message, which Python takes to be constant.",
        ),
        Wrong(
            belief="A copy of the bytes is all that is missing.",
            source="def from_wire(message):\n    return torch.frombuffer(bytearray(message), dtype=torch.int16)",
            feedback="The bytes are your own now, and they are still read in this machine's order: 1 turns into 256.",
        ),
        Wrong(
            belief="Each byte is a number.",
            source="def from_wire(message):\n    return torch.tensor(list(message), dtype=torch.int16)",
            feedback="You make a number of each byte. Two bytes make one number here.",
        ),
        Wrong(
            belief="`from_numpy` takes every array.",
            source='def from_wire(message):\n    return torch.from_numpy(np.frombuffer(message, dtype=">i2"))',
            feedback="The array has the right numbers. Torch refuses its byte order: let NumPy change it with "
            "`.astype(np.int16)`.",
        ),
        Wrong(
            belief="A list takes care of everything.",
            source='def from_wire(message):\n    return torch.tensor(np.frombuffer(message, dtype=">i2").tolist())',
            feedback="The numbers are right. The dtype is not: ints of a list become int64.",
        ),
        Wrong(
            belief="Two bytes are a number from 0 to 65,535.",
            source="def from_wire(message):\n"
            '    pairs = [int.from_bytes(message[i : i + 2], "big") for i in range(0, len(message), 2)]\n'
            "    return torch.tensor(pairs, dtype=torch.int16)",
            feedback="The order is right. But you read the bytes without a sign, so -1 becomes 65,535, and no int16 "
            "holds that.",
        ),
        Wrong(
            belief="A message has numbers in it.",
            source="def from_wire(message):\n"
            '    numbers = np.frombuffer(message, dtype=">i2").astype(np.int16)\n'
            "    return torch.frombuffer(bytearray(numbers), dtype=torch.int16)",
            feedback="Right but for a message of no bytes: `torch.frombuffer` refuses an empty buffer.",
        ),
    ),
    after="No bytes at all are a message too, and `torch.frombuffer` refuses them.",
)


class _Row(np.ndarray[Any, Any]):
    """An array that notices when somebody takes it apart number by number."""

    taken_apart = False

    def __iter__(self) -> Any:
        self.taken_apart = True
        return super().__iter__()

    def __getitem__(self, index: Any) -> Any:
        self.taken_apart = self.taken_apart or isinstance(index, int)
        return super().__getitem__(index)

    def tolist(self) -> Any:
        """A list of the numbers, noticed too."""
        self.taken_apart = True
        return super().tolist()


def _rows(count: int, length: int, dtype: str) -> list[np.ndarray[Any, Any]]:
    grid = np.arange(count * length, dtype=dtype).reshape(count, length)
    return [row.copy().view(_Row) for row in grid]


def _batch_of_rows(result: object, rows: list[_Row]) -> str:
    t = a_tensor(result)
    how = "number by number" if any(row.taken_apart for row in rows) else "row by row"
    right = tuple(t.shape) == (len(rows), len(rows[0])) and np.array_equal(t.numpy(), np.array(rows))
    return f"{name_of(t.dtype)} {tuple(t.shape)}, {how if right else 'other numbers'}"


def _rows_case(count: int, length: int, dtype: str) -> Case:
    return Case(
        label=f"{count} {dtype} {'row' if count == 1 else 'rows'} of {length}",
        arguments=lambda: (_rows(count, length, dtype),),
        observe=_batch_of_rows,
        expected=f"float32 {(count, length)}, row by row",
    )


FAST_BATCH = Exercise(
    key="fast-batch",
    task="Write a function that makes one float32 batch of a list of arrays of equal length, without taking the arrays "
    "apart number by number.",
    function="batch_of",
    starter='def batch_of(rows):\n    """One float32 batch of arrays, not taken apart number by number."""\n    ...',
    solution="def batch_of(rows):\n    return torch.from_numpy(np.array(rows, dtype=np.float32))",
    hints=(
        "Let NumPy make one array of the list first.",
        "Arrays bring their dtype along. Where can you name another one?",
        "`np.array(rows, dtype=np.float32)` does the joining and the cast. `from_numpy` shares the result.",
    ),
    cases=(
        _rows_case(2, 3, "float32"),
        _rows_case(2, 3, "float64"),
        _rows_case(1, 4, "float32"),
        _rows_case(3, 1, "int64"),
        _rows_case(5, 2, "uint8"),
        _rows_case(4, 4, "float64"),
    ),
    observed="dtype, shape and how",
    wrong=(
        Wrong(
            belief="`torch.tensor` takes lists of everything.",
            source="def batch_of(rows):\n    return torch.tensor(rows, dtype=torch.float32)",
            feedback="The batch is right, and every row was taken apart number by number. Make one array of the list "
            "first.",
        ),
        Wrong(
            belief="The dtype comes by itself.",
            source="def batch_of(rows):\n    return torch.tensor(rows)",
            feedback="Every row was taken apart number by number, and the rows brought their dtype along.",
        ),
        Wrong(
            belief="One array first, and all is well.",
            source="def batch_of(rows):\n    return torch.from_numpy(np.array(rows))",
            feedback="Fast. But the batch has the dtype of the rows: name float32 once.",
        ),
        Wrong(
            belief="Arrays are joined with `concatenate`.",
            source="def batch_of(rows):\n    return torch.from_numpy(np.concatenate(rows).astype(np.float32))",
            feedback="You laid the rows end to end. A batch has a dimension of its own that counts them.",
        ),
    ),
    after="`torch.as_tensor(np.stack(rows), dtype=torch.float32)` does it too.",
)


def _padded(result: object, rows: list[list[int]]) -> str:
    t = a_tensor(result)
    return f"{name_of(t.dtype)} {t.tolist()}"


def _ragged_case(rows: list[list[int]], expected: list[list[int]]) -> Case:
    return Case(
        label=repr(rows),
        arguments=lambda: ([list(row) for row in rows],),
        observe=_padded,
        expected=f"int64 {expected}",
    )


PAD = Exercise(
    key="pad",
    task="Write a function that makes one int64 batch of lists of ids: one row per list, filled up with zeros at the "
    "end.",
    function="pad",
    starter='def pad(rows):\n    """One int64 batch of lists of ids, filled up with zeros at the end."""\n    ...',
    solution="def pad(rows):\n"
    "    tensors = [torch.tensor(row, dtype=torch.int64) for row in rows]\n"
    "    return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True)",
    hints=(
        "Make a tensor of each list. The cell above shows what joins and fills them.",
        "What is the dtype of `torch.tensor([])`? There is no number in it to go by.",
        "Name `dtype=torch.int64` for every row, and `batch_first=True` for `pad_sequence`.",
    ),
    cases=(
        _ragged_case([[1, 2, 3], [4, 5]], [[1, 2, 3], [4, 5, 0]]),
        _ragged_case([[7], [8, 9, 6]], [[7, 0, 0], [8, 9, 6]]),
        _ragged_case([[1, 2]], [[1, 2]]),
        _ragged_case([[1], [2], [3]], [[1], [2], [3]]),
        _ragged_case([[], [4, 5]], [[0, 0], [4, 5]]),
        _ragged_case([[3, 1], [], [2]], [[3, 1], [0, 0], [2, 0]]),
    ),
    observed="dtype and numbers",
    wrong=(
        Wrong(
            belief="`torch.tensor` takes lists of lists.",
            source="def pad(rows):\n    return torch.tensor(rows)",
            feedback="`torch.tensor` takes a full grid only, and refuses a ragged list. With an empty first row it "
            "even drops numbers without a word.",
        ),
        Wrong(
            belief="`pad_sequence` makes rows of rows.",
            source="def pad(rows):\n"
            "    tensors = [torch.tensor(row, dtype=torch.int64) for row in rows]\n"
            "    return torch.nn.utils.rnn.pad_sequence(tensors)",
            feedback="Your lists became columns. `pad_sequence` puts the batch second unless you say "
            "`batch_first=True`.",
        ),
        Wrong(
            belief="A list of ints gives int64, so an empty list does too.",
            source="def pad(rows):\n"
            "    tensors = [torch.tensor(row) for row in rows]\n"
            "    return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True)",
            feedback="`torch.tensor([])` has no number to go by, so it is float32. An empty first row makes the whole "
            "batch float32.",
        ),
        Wrong(
            belief="`stack` makes a batch of anything.",
            source="def pad(rows):\n    return torch.stack([torch.tensor(row, dtype=torch.int64) for row in rows])",
            feedback="`stack` wants tensors of one shape. Fill the short rows up first.",
        ),
        Wrong(
            belief="A batch is one long row.",
            source="def pad(rows):\n    return torch.cat([torch.tensor(row, dtype=torch.int64) for row in rows])",
            feedback="`cat` laid the rows end to end, and nobody can tell any more where one begins.",
        ),
        Wrong(
            belief="Zeros are zeros.",
            source="def pad(rows):\n"
            "    batch = torch.zeros(len(rows), max(len(row) for row in rows))\n"
            "    for i, row in enumerate(rows):\n"
            "        batch[i, : len(row)] = torch.tensor(row)\n"
            "    return batch",
            feedback="The batch is right but for its dtype: `torch.zeros` makes float32 unless you name another.",
        ),
        Wrong(
            belief="`pad_sequence` takes lists.",
            source="def pad(rows):\n    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)",
            feedback="`pad_sequence` wants tensors. Make one of each list first.",
        ),
    ),
    after="Keep the lengths of the rows beside the batch: a zero that fills looks like an id that is 0.",
)
