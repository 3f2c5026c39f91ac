"""The sources and the conversions, as code that is run as it stands: what is shown is what ran."""

from __future__ import annotations

SOURCES: dict[str, tuple[str, ...]] = {
    "NumPy float32": ("source = np.zeros((3, 4), dtype=np.float32)",),
    "NumPy float64": ("source = np.zeros((3, 4))",),
    "NumPy read-only": ("source = np.zeros((3, 4), dtype=np.float32)", "source.flags.writeable = False"),
    "Python list": ("source = [0.0] * 12",),
    "bytearray": ("source = bytearray(12)",),
    "tensor": ("source = torch.zeros(3, 4)",),
    "tensor, requires grad": ("source = torch.zeros(3, 4, requires_grad=True)",),
    "tensor, transposed": ("source = torch.zeros(4, 3).T",),
}

CONVERSIONS: dict[str, str] = {
    "from_numpy": "torch.from_numpy(source)",
    "as_tensor": "torch.as_tensor(source)",
    "tensor": "torch.tensor(source)",
    "asarray": "torch.asarray(source)",
    "torch.Tensor": "torch.Tensor(source)",
    "frombuffer": "torch.frombuffer(source, dtype=torch.uint8)",
    "from_dlpack": "torch.from_dlpack(source)",
    ".numpy()": "source.numpy()",
    ".detach()": "source.detach()",
    ".clone()": "source.clone()",
    ".to(same dtype)": "source.to(source.dtype)",
    ".to(other dtype)": "source.to(torch.float64)",
    ".float()": "source.float()",
    "slice [1:]": "source[1:]",
    ".reshape(-1)": "source.reshape(-1)",
}

OTHER_DTYPE = ".to(other dtype)"
FROM_FLOAT64 = "source.to(torch.float32)"
