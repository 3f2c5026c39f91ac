"""What people say about rows that are mostly zeros."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_SPARSE_BYTES = """\
def bytes_of(filled):
    x = torch.zeros(100, 100)
    x.view(-1)[:filled] = 1
    sparse = x.to_sparse()
    return sparse.indices().nbytes + sparse.values().nbytes, x.nbytes
"""

_BUILDER = """\
def sparse_from(rows, **checks):
    found = [(i, j, x) for i, row in enumerate(rows) for j, x in enumerate(row) if x != 0]
    where = torch.tensor([[i for i, _, _ in found], [j for _, j, _ in found]])
    values = torch.tensor([x for _, _, x in found], dtype=torch.float32)
    return torch.sparse_coo_tensor(where, values, (len(rows), len(rows[0])), **checks)
"""

_TOO_LARGE = Claim(
    ids=("A86",),
    claim="A million rows that are mostly zeros, as a list of lists: `torch.tensor(rows)` is what runs out of memory.",
    taught="partly",
    really="The tensor does hold every zero. But the lists hold them too, with 8 bytes for each place where float32 "
    "takes 4: whoever has the lists has paid twice as much already. As int64, which ints become unless a dtype is "
    "named, the tensor takes about as much as they.",
    why="The error comes from the call that was one too many.",
    checks=(
        Check(
            part="the tensor holds every zero",
            code="rows = [[0] * 1000 for _ in range(50)]\n"
            "t = torch.tensor(rows, dtype=torch.float32)\nt.nbytes\nt.nbytes == 4 * 50 * 1000",
        ),
        Check(
            part="it takes more memory than the lists",
            code="import sys\nrows = [[0] * 1000 for _ in range(50)]\n"
            "t = torch.tensor(rows, dtype=torch.float32)\n"
            "lists = sys.getsizeof(rows) + sum(map(sys.getsizeof, rows))\n"
            "round(lists / t.nbytes, 1), round(lists / torch.tensor(rows).nbytes, 1)\nt.nbytes > lists",
        ),
    ),
)

_SMALLER = Claim(
    ids=("A87",),
    claim="A sparse tensor needs memory only for what is not zero, so it is smaller.",
    taught="partly",
    really="Each number that is not zero takes 20 bytes in two dimensions: two indices of 8, and 4 for the float32. "
    "Above one in five the sparse tensor is the larger one.",
    why="The indices are forgotten in the sum.",
    checks=(
        Check(
            part="with one in twenty not zero it is smaller",
            code=_SPARSE_BYTES + "bytes_of(500)\nsparse, dense = bytes_of(500)\nsparse < dense",
        ),
        Check(
            part="with three in ten not zero it is smaller",
            code=_SPARSE_BYTES + "bytes_of(2000), bytes_of(3000)\nsparse, dense = bytes_of(3000)\nsparse < dense",
        ),
    ),
)

_BY_HAND = Claim(
    ids=("A88",),
    claim="Collect the places and values that are not zero in two loops, take the number of rows and the length of the "
    "first, and `sparse_coo_tensor` does the rest, for any rows.",
    taught="partly",
    really="For rows of one length it does. Without rows there is no first one. A row longer than the first gets an "
    "index outside of the shape, which nobody checks unless you ask with `check_invariants=True`.",
    why="It was tried with rows of one length.",
    checks=(
        Check(
            part="rows of one length",
            code=_BUILDER + "rows = [[1, 0, 0, 5], [0, 2, 0, 0]]\nsparse_from(rows).to_dense().tolist() == rows",
        ),
        Check(
            part="no rows",
            code=_BUILDER + "sparse_from([])\nnot raises(lambda: sparse_from([]), Exception)",
        ),
        Check(
            part="a second row that is longer is refused, or enlarges the tensor",
            code=_BUILDER + "def fits(made):\n"
            "    return made.shape[1] > made._indices()[1].max().item()\n"
            "rows = [[0], [2, 3]]\n"
            "tuple(sparse_from(rows).shape), sparse_from(rows)._indices().tolist()\n"
            "sparse_from(rows, check_invariants=True)\n"
            "raises(lambda: sparse_from(rows), RuntimeError) or fits(sparse_from(rows))",
        ),
    ),
)

SPARSE_ROWS = (_TOO_LARGE, _SMALLER, _BY_HAND)
