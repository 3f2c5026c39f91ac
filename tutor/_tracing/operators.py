"""What an operator's schema says about it: asked once, and remembered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch

Wait = Literal["", "always", "by mask", "by length"]

# They put values that exist already elsewhere and compute none. That it was elsewhere is decided from storages.
_MOVERS = frozenset(
    (
        *("_to_copy", "clone", "copy", "new_tensor", "_to_dense", "_to_sparse", "to_mkldnn", "to_padded_tensor"),
        *("index", "_unsafe_index", "index_select", "masked_select", "gather", "take", "take_along_dim"),
        *("cat", "stack", "block_diag", "_pack_padded_sequence", "_nested_tensor_from_tensor_list"),
        *("flip", "roll", "repeat", "repeat_interleave", "diag_embed"),
        *("hstack", "vstack", "dstack", "column_stack", "concat", "concatenate", "tile", "rot90", "fliplr", "flipud"),
        # whole where no autograd stands between, as in inference_mode
        *("contiguous", "reshape", "reshape_as", "flatten", "ravel", "to", "type_as"),
        *("channel_shuffle", "pixel_shuffle", "pixel_unshuffle", "diag", "cartesian_prod", "combinations"),
    )
)
# They take another way, with other last digits, where operators are watched: seen from outside only.
WHOLE = frozenset(("linalg_cond", "linalg_eigvalsh", "linalg_matrix_norm", "linalg_norm", "linalg_svdvals", "norm"))
# Their backward takes another way, with other last digits.
OTHER_GRADIENT = frozenset(("prod",))
# They need values on the host, though no tag says so.
_NEED_VALUES = frozenset(("allclose", "combinations", "item", "is_nonzero", "nonzero_numpy"))
# Of one tensor the whole: made twice from an unchanged tensor, the second says what the first did.
_REPEATABLE = frozenset(("_to_copy", "clone", "copy", "contiguous", "reshape", "to"))
# Written, though the schema does not say so: positions, if the argument "training" is true.
_UNDECLARED = dict.fromkeys(
    ("batch_norm", "instance_norm", "native_batch_norm", "cudnn_batch_norm", "miopen_batch_norm"), (3, 4)
)


@dataclass(frozen=True)
class Plan:
    """How to look at one operator."""

    name: str
    writes: tuple[tuple[int, str], ...]
    moves: bool
    whole: bool
    changes_view: bool
    may_grow: bool
    wait: Wait
    undeclared: tuple[int, ...]

    def written(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
        """The arguments it writes to."""
        for position, name in self.writes:
            if position < len(args):
                yield args[position]
            elif name in kwargs:
                yield kwargs[name]
        if self.undeclared and args[5]:
            yield from (args[position] for position in self.undeclared)


_plans: dict[Any, Plan] = {}


def plan_of(operator: Any) -> Plan:
    """The plan for an operator, or for one of higher order."""
    try:
        return _plans[operator]
    except KeyError:
        plan = _plans[operator] = _made(operator)
        return plan


def _made(operator: Any) -> Plan:
    schema = getattr(operator, "_schema", None)
    if schema is None:
        return Plan(str(operator), (), False, False, False, False, "", ())
    name = schema.name.rpartition("::")[2]
    tags = {str(tag).removeprefix("Tag.") for tag in operator.tags}
    changes_view = "inplace_view" in tags or name == "set_"
    return Plan(
        name,
        tuple((i, arg.name) for i, arg in enumerate(schema.arguments) if arg.alias_info and arg.alias_info.is_write),
        name in _MOVERS or "view_copy" in tags or name.endswith("_copy"),
        name in _REPEATABLE or "view_copy" in tags,
        changes_view,
        changes_view or any(arg.is_out for arg in schema.arguments),
        _wait(name, tags, schema.arguments),
        _UNDECLARED.get(name, ()),
    )


def _wait(name: str, tags: set[str], arguments: Sequence[Any]) -> Wait:
    if name in ("index", "index_put", "index_put_", "_unsafe_index"):
        return "by mask"
    if name == "repeat_interleave":
        return "by length" if any(arg.name == "repeats" and str(arg.type) == "Tensor" for arg in arguments) else ""
    if name == "where" and len(arguments) == 1:  # where the condition holds
        return "always"
    if tags & {"data_dependent_output", "dynamic_output_shape"} or name in _NEED_VALUES:
        return "always"
    return ""


def waits(plan: Plan, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether the program has to wait for values before it can go on."""
    if plan.wait == "by mask":
        indices = args[1] if len(args) > 1 else kwargs.get("indices", ())
        # one value is written through a mask without asking how many places there are
        fills = plan.name.startswith("index_put") and args[2].numel() == 1
        return not fills and any(index is not None and index.dtype in (torch.bool, torch.uint8) for index in indices)
    if plan.wait == "by length":
        return kwargs.get("output_size") is None
    return plan.wait == "always"
