"""`compare`: what differs, what is shared, and what would happen if two arrays met."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from tutor import compare
from tutor._overlap import Sharing, sharing
from tutor.inspection import Difference


def test_a_tensor_and_a_transposed_one_of_another_dtype() -> None:
    met = compare(torch.ones(3, 4), torch.from_numpy(np.ones((4, 3))).T)
    assert Difference("dtype", "float32", "float64") in met.differences
    assert Difference("strides", "(4, 1)", "(1, 3)") in met.differences
    assert met.alike == ("shape (3, 4)", "cpu", "strided", "requires_grad False")
    assert (met.add.dtype, met.add.shape, str(met.add.device)) == (torch.float64, (3, 4), "cpu")
    assert met.add.casts == (("a", "float32"),)
    assert met.matmul.error == "RuntimeError"
    assert met.matmul.message.endswith("mat1 and mat2 shapes cannot be multiplied (3x4 and 3x4)")


def test_the_text_says_it_all() -> None:
    text = repr(compare(torch.ones(3, 4), torch.ones(3, 4, dtype=torch.float64)))
    assert text.replace("mm: ", "").splitlines() == [  # from torch 2.15 on the error names its operator
        "differ in  a        b",
        "dtype      float32  float64",
        "bytes      48 B     96 B",
        "Alike: shape (3, 4), cpu, strided, requires_grad False. They share no bytes.",
        "a + b  ~ float64 (3, 4) on cpu; a is cast from float32",
        "a @ b  x RuntimeError: mat1 and mat2 shapes cannot be multiplied (3x4 and 3x4)",
    ]


def test_two_alike_have_no_table_of_differences() -> None:
    met = compare(torch.ones(2, 2), torch.ones(2, 2))
    assert met.differences == ()
    assert "differ in" not in repr(met) + met._repr_html_()


def test_sizes_that_could_never_be_computed() -> None:
    huge = torch.ones(1).expand(10**6, 10**6)
    met = compare(huge, torch.ones(10**6))
    assert met.add.shape == (10**6, 10**6)
    assert met.matmul.shape == (10**6,)
    assert "it would take 3.6 TiB" in repr(met)
    assert compare(huge, torch.ones(7)).add.message == (
        "The size of tensor a (1000000) must match the size of tensor b (7) at non-singleton dimension 1"
    )


def test_a_number_of_no_dimensions_does_not_promote() -> None:
    of_0d = compare(torch.ones(3, dtype=torch.float16), torch.tensor(1.0, dtype=torch.float64))
    of_1d = compare(torch.ones(3, dtype=torch.float16), torch.ones(1, dtype=torch.float64))
    assert (of_0d.add.dtype, of_1d.add.dtype) == (torch.float16, torch.float64)


def test_an_array_and_a_tensor_do_not_commute() -> None:
    array, tensor = np.ones((2, 3)), torch.ones(2, 3)
    assert compare(tensor, array).add.dtype == torch.float64
    assert compare(array, tensor).add.error == "TypeError"


def test_two_arrays_answer_in_numpys_words() -> None:
    met = compare(np.ones((2, 3)), np.ones((4, 5)))
    assert met.add.error == "ValueError"
    assert met.add.message == "operands could not be broadcast together with shapes (2,3) (4,5) "


def test_devices_that_do_not_meet() -> None:
    met = compare(torch.ones(3, device="meta"), torch.ones(3))
    with pytest.raises(RuntimeError) as raised:
        torch.ones(3, device="meta") + torch.ones(3)
    assert met.add.message == str(raised.value)
    assert Difference("device", "meta", "cpu") in met.differences


def test_grad_is_handed_on() -> None:
    assert compare(torch.ones(3, requires_grad=True), torch.ones(3)).add.requires_grad is True
    with torch.no_grad():
        assert compare(torch.ones(3, requires_grad=True), torch.ones(3)).add.requires_grad is False


def test_autocast_is_seen() -> None:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        met = compare(torch.ones(2, 2), torch.ones(2, 2))
    assert (met.add.dtype, met.matmul.dtype) == (torch.float32, torch.bfloat16)


def test_sparse_tensors_meet_as_sparse_ones_do() -> None:
    sparse, dense = torch.eye(3).to_sparse(), torch.ones(3, 3)
    assert compare(sparse, dense).add.message == "add(sparse, dense) is not supported. Use add(dense, sparse) instead."
    assert compare(dense, sparse).add.shape == (3, 3)


def test_objects_decide_for_themselves() -> None:
    add = compare(np.array([1, "a"], object), np.ones(2)).add
    assert add.undecided == "the elements of a are Python objects, and each decides for itself"


def test_a_subclass_with_rules_is_not_second_guessed() -> None:
    class Ruled(torch.Tensor):
        @classmethod
        def __torch_function__(cls, *args: Any, **kwargs: Any) -> Any:
            raise AssertionError("must not be called")

    met = compare(torch.ones(3).as_subclass(Ruled), torch.ones(3))
    assert met.add.undecided is not None
    assert "has rules of its own" in met.add.undecided


def test_what_is_no_array() -> None:
    with pytest.raises(
        TypeError, match=r"^compare expected b to be a tensor, a NumPy array, or an object with .* a list$"
    ):
        compare(torch.ones(3), [1, 2, 3])


X = torch.arange(10)
A = np.arange(10)
META = torch.ones(10, device="meta")


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (X, X[3:], Sharing(True, True, True)),
        (X[::2], X[1::2], Sharing(True, True, False)),
        (X[:5], X[5:], Sharing(True, False, False)),
        (X, X.clone(), Sharing(False, False, False)),
        (X[:0], X, Sharing(True, False, False)),
        (torch.empty(0), torch.empty(0), Sharing(False, False, False)),
        (META, META[2:], Sharing(True, True, True)),
        (META[:2], META[2:], Sharing(True, False, False)),
        (META, torch.ones(10, device="meta"), Sharing(False, False, False)),
        (torch.from_numpy(A[:6]), torch.from_numpy(A[4:]), Sharing(False, True, True)),
        (A, torch.from_numpy(A), Sharing(False, True, True)),
        (A[::-1], A[:2], Sharing(True, True, True)),
        (X, X.numpy(), Sharing(True, True, True)),
        (X.expand(3, 10), X[9:], Sharing(True, True, True)),
        (torch.eye(3).to_sparse(), torch.eye(3).to_sparse(), Sharing(False, False, False)),
    ],
)
def test_three_answers_about_shared_memory(a: Any, b: Any, expected: Sharing) -> None:
    assert compare(a, b).sharing == expected
    assert compare(b, a).sharing == expected


def test_a_sparse_tensor_shares_through_its_parts() -> None:
    values = torch.ones(3)
    sparse = torch.sparse_coo_tensor(torch.tensor([[0, 1, 2]]), values, (3,), check_invariants=True)
    assert sharing(sparse, sparse._values()).elements_overlap is True


def test_work_is_bounded() -> None:
    base = torch.zeros(10**6)
    hard = [base.as_strided((7, 11, 13, 17), (s, 2 * s + 1, 3 * s + 2, 5 * s + 1), o) for s, o in ((101, 0), (103, 1))]
    assert sharing(*hard, max_work=1).elements_overlap in (None, True, False)
    assert sharing(hard[0], hard[1], max_work=0).ranges_overlap is True


def test_nothing_that_is_compared_changes() -> None:
    a, b = torch.arange(6.0).reshape(2, 3).requires_grad_(), torch.arange(6.0).reshape(3, 2)
    versions = (a._version, b._version)
    compare(a, b)
    assert (a._version, b._version) == versions
    assert a.grad is None
    assert a.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_the_picture_marks_what_happens() -> None:
    html = compare(torch.ones(2, 2), torch.ones(3, 3, dtype=torch.float64))._repr_html_()
    assert html.count('<tr class="tt-raise">') == 2
    assert 'class="tt-cast"' in compare(torch.ones(2), torch.ones(2, dtype=torch.float64))._repr_html_()


FLOATS, DOUBLES = torch.eye(4), torch.eye(4, dtype=torch.float64)
REFUSED: dict[str, Callable[[], tuple[Any, Any]]] = {
    "coo and doubles": lambda: (FLOATS.to_sparse(), DOUBLES),
    "csr and doubles": lambda: (FLOATS.to_sparse_csr(), DOUBLES),
    "csr and coo": lambda: (FLOATS.to_sparse_csr(), FLOATS.to_sparse()),
    "bools and coo": lambda: (FLOATS.bool(), FLOATS.to_sparse()),
    "array and parameter": lambda: (np.eye(4), torch.nn.Parameter(FLOATS)),
}


@pytest.mark.filterwarnings("ignore:Sparse")
@pytest.mark.parametrize("pair", REFUSED.values(), ids=REFUSED)
def test_what_torch_refuses_is_said_in_its_words(pair: Callable[[], tuple[Any, Any]]) -> None:
    a, b = pair()
    with pytest.raises((RuntimeError, TypeError)) as refused:
        a @ b
    assert compare(a, b).matmul.message == str(refused.value)


@pytest.mark.filterwarnings("ignore:Sparse")
def test_one_tensor_meets_itself_as_one() -> None:
    csc = FLOATS.to_sparse_csc()
    assert (csc + csc).layout is torch.sparse_csc  # and csc + csc.clone() raises
    assert compare(csc, csc).add.error is None


def test_a_tensor_of_inference_cannot_be_saved_for_backward() -> None:
    with torch.inference_mode():
        b = torch.ones(4)
    outcome = compare(torch.ones(3, 4, requires_grad=True), b).matmul
    assert outcome.message.startswith("Inference tensors cannot be saved for backward")


def test_dates_and_texts_are_not_said_to_be_cast() -> None:
    days, steps = np.array(["2020-01-01"], "M8[D]"), np.ones(1, "m8[D]")
    assert (compare(days, steps).add.dtype, compare(days, steps).add.casts) == (np.dtype("M8[D]"), ())
    assert compare(np.array(["ab"]), np.array(["cde"])).add.casts == ()


def test_a_tensor_beyond_its_storage_meets_nobody() -> None:
    x = torch.ones(3)
    x.untyped_storage().resize_(0)
    assert compare(x, torch.ones(3)).add.undecided is not None
    assert compare(torch.ones(4), x).matmul.undecided == (
        "its elements reach beyond its storage: reading them may end the process"
    )


def test_tensors_meet_under_vmap_too() -> None:
    seen = []
    torch.func.vmap(lambda x: (seen.append(compare(x, torch.ones(3)).add), x)[1])(torch.ones(2, 3))
    assert [(outcome.shape, outcome.dtype) for outcome in seen] == [((3,), torch.float32)]
