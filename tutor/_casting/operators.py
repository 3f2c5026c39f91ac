"""The operators that are run, as code, and the inputs that the code names."""

from __future__ import annotations

import torch

# Each stands in the table as it is written here, and is run as it is written.
OPERATORS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "products",
        (
            "x @ y",
            "F.linear(x, weight, bias)",
            "torch.conv2d(image, kernel)",
            "F.scaled_dot_product_attention(q, k, v)",
            "torch.mm(x, y, out=room)",
            "room.addmm_(x, y)",
        ),
    ),
    (
        "element by element",
        ("x + y", "x * y", "x.relu()", "F.gelu(x)", "x.sigmoid()", "x.sqrt()", "x.exp()", "x.log()", "x.pow(2)"),
    ),
    ("reductions", ("x.sum()", "x.mean()", "x.cumsum(0)", "x.norm()", "x.softmax(-1)", "x.argmax()")),
    (
        "normalisation and pooling",
        (
            "F.layer_norm(x, (4,))",
            "F.group_norm(image, 3)",
            "F.max_pool2d(image, 2)",
            "F.interpolate(image, scale_factor=2)",
        ),
    ),
    (
        "losses",
        (
            "F.mse_loss(x, y)",
            "F.l1_loss(x, y)",
            "F.cross_entropy(x, labels)",
            "F.binary_cross_entropy(x, y)",
            "F.binary_cross_entropy_with_logits(x, y)",
        ),
    ),
    ("joining and creating", ("torch.cat([x, y])", "F.embedding(labels, x)", "torch.ones_like(x)")),
)

_SHAPES = {
    "x": (4, 4),
    "y": (4, 4),
    "room": (4, 4),
    "weight": (4, 4),
    "bias": (4,),
    "image": (1, 3, 8, 8),
    "kernel": (2, 3, 3, 3),
    "q": (1, 2, 4, 4),
    "k": (1, 2, 4, 4),
    "v": (1, 2, 4, 4),
}


def inputs(device: str, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """Tensors for all names: floats of this dtype, between 0 and 1 as some losses want them, and labels."""
    floats = {name: torch.full(shape, 0.5, dtype=dtype, device=device) for name, shape in _SHAPES.items()}
    return {**floats, "labels": torch.arange(4, device=device)}
