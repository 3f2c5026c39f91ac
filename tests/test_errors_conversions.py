"""`explain` on errors on the way to NumPy, to lists and to devices, each provoked for real."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from tests.errors_help import Case, known

CASES: list[Case] = []


@known(CASES, "one number of several elements", "losses.item()", operands=["losses"], code="losses.tolist()")
def item_of_several() -> object:
    losses = torch.tensor([1.0, 2.0])
    return losses.item()


@known(CASES, "one number of several elements", "float(losses)", operands=["losses"])
def float_of_several() -> object:
    losses = torch.tensor([1.0, 2.0])
    return float(losses)


@known(CASES, "list of tensors", "torch.tensor(rows)", code="torch.stack(rows)")
def list_of_tensors() -> object:
    rows = [torch.ones(2), torch.ones(2)]
    return torch.tensor(rows)


@known(CASES, "truth of several elements", "x > 0", operands=["x"], code="(x > 0).all()")
def truth_of_several() -> object:
    x = torch.tensor([1.0, -1.0])
    if x > 0:
        return x


@known(CASES, "truth of several elements", "a == b", operands=["a", "b"], code="(a == b).all()")
def truth_of_an_array() -> object:
    a, b = np.array([1.0, -1.0]), np.array([1.0, 1.0])
    if a == b:
        return a


@known(CASES, "truth of several elements", "not mask", operands=["mask"], code="not mask.all()")
def truth_of_a_name() -> object:
    mask = torch.tensor([True, False])
    return not mask


@known(CASES, "truth of several elements", "0 < x < 2", operands=["x"], code="(0 < x) & (x < 2)")
def between() -> object:
    x = torch.tensor([1.0, 3.0])
    return 0 < x < 2


@known(CASES, "dtype that NumPy has not", "x.numpy()", operands=["x"], code="x.float().numpy()")
def numpy_of_bfloat16() -> object:
    x = torch.ones(2, dtype=torch.bfloat16)
    return x.numpy()


@known(CASES, "dtype that NumPy has not", "x.numpy()", operands=["x"], code="x.float().numpy()")
def numpy_of_float8() -> object:
    x = torch.ones(2).to(torch.float8_e5m2)
    return x.numpy()


@known(CASES, "meta tensor", "x.numpy()", operands=["x"])
def numpy_of_meta() -> object:
    x = torch.ones(2, device="meta")
    return x.numpy()


@known(CASES, "sparse tensor to NumPy", "x.numpy()", operands=["x"], code="x.to_dense().numpy()")
def numpy_of_sparse() -> object:
    x = torch.eye(3).to_sparse()
    return x.numpy()


@known(CASES, "conjugate that is not written yet", "z.numpy()", operands=["z"], code="z.resolve_conj().numpy()")
def numpy_of_a_conjugate() -> object:
    z = torch.ones(2, dtype=torch.complex64).conj()
    return z.numpy()


@known(CASES, "array of objects", "torch.from_numpy(a)", operands=["a"], code="torch.from_numpy(a.astype('float32'))")
def array_of_objects() -> object:
    a = np.array([1, 2.5, "3"], dtype=object)
    return torch.from_numpy(a)


@known(CASES, "array of another kind", "torch.from_numpy(names)", operands=["names"])
def array_of_strings() -> object:
    names = np.array(["a", "b"])
    return torch.from_numpy(names)


@known(
    CASES, "array of another kind", "torch.tensor(days)", operands=["days"], code="torch.tensor(days.astype('float32'))"
)
def array_of_dates() -> object:
    days = np.array(["2024-01-01"], dtype="datetime64[D]")
    return torch.tensor(days)


@known(
    CASES,
    "byte order",
    "torch.from_numpy(a)",
    operands=["a"],
    code="torch.from_numpy(a.astype(a.dtype.newbyteorder('=')))",
)
def byte_order() -> object:
    a = np.arange(3, dtype=">f4")
    return torch.from_numpy(a)


@known(
    CASES,
    "negative strides",
    "torch.from_numpy(a[::-1])",
    operands=["a[::-1]"],
    code="torch.from_numpy(a[::-1].copy())",
)
def negative_strides() -> object:
    a = np.arange(6)
    return torch.from_numpy(a[::-1])


@known(CASES, "negative strides", "torch.from_numpy(image)", operands=["image"], code="torch.from_numpy(image.copy())")
def negative_strides_of_a_flip() -> object:
    image = np.flip(np.zeros((4, 4, 3)), 1)
    return torch.from_numpy(image)


@known(
    CASES,
    "ragged list",
    "torch.tensor(rows)",
    code="torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)",
)
def ragged_list() -> object:
    rows = [[1, 2, 3], [4, 5]]
    return torch.tensor(rows)


@known(CASES, "no numbers", "torch.tensor(['1', '2'])")
def list_of_strings() -> object:
    return torch.tensor(["1", "2"])


@known(CASES, "no numbers", "torch.tensor(ages)")
def list_with_none() -> object:
    ages = [31, None, 42]
    return torch.tensor(ages)


@known(CASES, "no array", "torch.from_numpy(values)", code="torch.as_tensor(values)")
def from_numpy_of_a_list() -> object:
    values = [1.0, 2.0]
    return torch.from_numpy(values)


@known(CASES, "no tensor", "layer(a)", operands=["a"], code="layer(torch.as_tensor(a))")
def array_for_a_layer() -> object:
    layer, a = nn.Linear(3, 2), np.ones((4, 3), dtype=np.float32)
    return layer(a)


@known(CASES, "no tensor", "torch.relu(values)", operands=["values"], code="torch.relu(torch.as_tensor(values))")
def list_for_a_function() -> object:
    values = [1.0, 2.0]
    return torch.relu(values)


@known(
    CASES,
    "operator between a tensor and something else",
    "x - values",
    operands=["x", "values"],
    code="x - torch.as_tensor(values)",
)
def list_beside_a_tensor() -> object:
    x, values = torch.ones(2), [1.0, 2.0]
    return x - values


@known(CASES, "None for a tensor", "torch.stack(rows)")
def none_in_a_stack() -> object:
    rows = [torch.ones(2), None]
    return torch.stack(rows)


@known(CASES, "device that is not there", "x.cuda()", code="x.to('cuda' if torch.cuda.is_available() else 'cpu')")
def no_cuda() -> object:
    x = torch.ones(2)
    return x.cuda()


@known(
    CASES,
    "device that is not there",
    "torch.ones(2, device='cuda')",
    code="torch.ones(2, device='cuda' if torch.cuda.is_available() else 'cpu')",
)
def no_cuda_by_name() -> object:
    return torch.ones(2, device="cuda")


@known(
    CASES,
    "device that is not there",
    "model.to('cuda')",
    code="model.to('cuda' if torch.cuda.is_available() else 'cpu')",
)
def no_cuda_for_a_module() -> object:
    model = nn.Linear(2, 1)
    model.to("cuda")


@known(CASES, "no name of a device", "x.to('gpu')", code="x.to('cuda' if torch.cuda.is_available() else 'cpu')")
def no_such_name() -> object:
    x = torch.ones(2)
    return x.to("gpu")


@known(CASES, "no name of a device", "x.to('float16')", code="x.to(torch.float16)")
def dtype_as_text() -> object:
    x = torch.ones(2)
    return x.to("float16")


@known(CASES, "meta tensor", "x.to('cpu')", operands=["x"])
def meta_has_no_values() -> object:
    x = torch.ones(2, device="meta")
    return x.to("cpu")


@known(CASES, "meta tensor", "x.item()", operands=["x"])
def meta_item() -> object:
    x = torch.ones((), device="meta")
    return x.item()


@known(
    CASES,
    "operands on different devices",
    "layer(x)",
    operands=["x", "layer.weight"],
)
def two_devices_in_a_layer() -> object:
    layer, x = nn.Linear(3, 2, device="meta"), torch.ones(4, 3)
    return layer(x)


@known(CASES, "operands on different devices", "a + b", operands=["a", "b"])
def two_devices_in_a_sum() -> object:
    a, b = torch.ones(2), torch.ones(2, device="meta")
    return a + b


@known(CASES, "out of memory", "torch.ones(n, n)")
def too_much_memory() -> object:
    n = 2**24
    return torch.ones(n, n)


@known(CASES, "out of memory", "column + row", operands=["column", "row"])
def a_column_and_a_row() -> object:
    column, row = torch.empty(1, 1).expand(2**23, 1), torch.empty(1, 1).expand(1, 2**23)
    return column + row


@known(CASES, "out of memory", "np.ones((2 ** 24, 2 ** 24))")
def too_much_for_numpy() -> object:
    return np.ones((2**24, 2**24))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_error_is_told(case: Case) -> None:
    case.check()
