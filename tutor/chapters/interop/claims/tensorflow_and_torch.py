"""What people say about the ways between TensorFlow and torch."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_TF = "import tensorflow as tf\n"
_TO_TF = "to_tensorflow = tf.experimental.dlpack.from_dlpack\n"
_CAPSULE = "to_capsule = tf.experimental.dlpack.to_dlpack\n"
_NEEDS = ("tensorflow",)

_ZERO_COPY = Claim(
    ids=("A24",),
    claim="TensorFlow always copies. It has nothing that shares memory.",
    taught="false",
    really="`tf.constant` of an array and `.numpy()` copy. Through DLPack a torch tensor and a TensorFlow tensor lie "
    "on the same bytes, whichever was there first.",
    why="The two calls that everybody knows do copy.",
    checks=(
        Check(
            part="a torch tensor made of a TensorFlow tensor has bytes of its own",
            code=_TF + _CAPSULE + "array = np.zeros(2, np.float32)\nconstant = tf.constant(array)\n"
            "array[1], constant.numpy()[1] = 7, 7\nconstant.numpy().tolist()\n"
            "t = torch.from_dlpack(to_capsule(constant))\nt[0] = 123\nt.tolist(), constant.numpy().tolist()\n"
            "constant.numpy().tolist()[0] != 123",
        ),
        Check(
            part="a TensorFlow tensor made of a torch tensor has",
            code=_TF + _TO_TF + "t = torch.zeros(2)\nmade = to_tensorflow(t.__dlpack__())\n"
            "t[0] = 123\nmade.numpy().tolist()\nmade.numpy().tolist()[0] != 123",
        ),
    ),
    needs=_NEEDS,
)

_THROUGH_NUMPY = Claim(
    ids=("A100",),
    claim="A torch tensor goes to TensorFlow as `tf.constant(t.cpu().numpy())`.",
    taught="true",
    really="It does. `numpy()` shares, and `tf.constant` copies once.",
    why="It is the way that most pages show.",
    checks=(
        Check(
            part="the values arrive",
            code=_TF + "t = torch.arange(6.0).view(2, 3)\nmade = tf.constant(t.cpu().numpy())\n_ = t.fill_(9)\n"
            "made.numpy().tolist()\nmade.numpy().tolist() == [[0, 1, 2], [3, 4, 5]]",
        ),
    ),
    needs=_NEEDS,
)

_DIRECTLY = Claim(
    ids=("A101",),
    claim="`tf.constant(t)` of a float32 torch tensor raises a TypeError.",
    taught="false",
    really="It takes the tensor, by way of `numpy()`. So what `numpy()` refuses fails here too: a tensor that requires "
    "grad with a RuntimeError, and bfloat16 with the TypeError.",
    why="The two libraries do not know each other, but both know NumPy.",
    checks=(
        Check(
            part="of a plain tensor",
            code=_TF + "t = torch.arange(6.0).view(2, 3)\ntf.constant(t).numpy().tolist()\n"
            "raises(lambda: tf.constant(t), TypeError)",
        ),
        Check(
            part="of one that requires grad",
            code=_TF + "t = torch.ones(2, requires_grad=True)\ntf.constant(t)\n"
            "tf.constant(torch.ones(2, dtype=torch.bfloat16))\nraises(lambda: tf.constant(t), TypeError)",
        ),
    ),
    needs=_NEEDS,
)

_BACK = Claim(
    ids=("A102",),
    claim="A TensorFlow tensor goes to torch as `torch.from_numpy(x.numpy())`.",
    taught="true",
    really="It does. Here it is `.numpy()` that copies, and `from_numpy` shares with that copy: a write does not reach "
    "the TensorFlow tensor.",
    why="It is the same way, walked back.",
    checks=(
        Check(
            part="the values arrive",
            code=_TF + "x = tf.constant([[1.0, 2.0], [3.0, 4.0]])\nt = torch.from_numpy(x.numpy())\n"
            "t.tolist()\n_ = t.fill_(9)\nx.numpy().tolist()\n"
            "torch.from_numpy(x.numpy()).tolist() == [[1, 2], [3, 4]]",
        ),
    ),
    needs=_NEEDS,
)

_ONLY_NUMPY = Claim(
    ids=("A103",),
    claim="Between torch and TensorFlow, NumPy is the only bridge to trust. All data must pass through it.",
    taught="false",
    really="DLPack goes straight, without a copy, and carries bfloat16, which `numpy()` refuses. It has limits too: "
    "TensorFlow takes contiguous tensors only, and a tensor that requires grad must be detached.",
    why="NumPy is the older way, and both libraries document it.",
    checks=(
        Check(
            part="nothing gets from torch to TensorFlow without it",
            code=_TF + _TO_TF + "t = torch.arange(3.0)\nmade = to_tensorflow(t.__dlpack__())\n"
            "to_tensorflow(torch.ones(2, 3).T.__dlpack__())\ntorch.ones(2, requires_grad=True).__dlpack__()\n"
            "not bool(tf.reduce_all(made == [0.0, 1.0, 2.0]))",
        ),
        Check(
            part="nothing gets from TensorFlow to torch without it",
            code=_TF + _CAPSULE + "t = torch.from_dlpack(to_capsule(tf.constant([1.0, 2.0])))\nt\nt.tolist() != [1, 2]",
        ),
        Check(
            part="what it carries is all that the two have in common",
            code=_TF + _TO_TF + "t = torch.ones(2, dtype=torch.bfloat16)\nt.numpy()\n"
            "to_tensorflow(t.__dlpack__()).dtype\n"
            "to_tensorflow(t.__dlpack__()).dtype != tf.bfloat16",
        ),
    ),
    needs=_NEEDS,
)

TENSORFLOW_AND_TORCH = (_ZERO_COPY, _THROUGH_NUMPY, _DIRECTLY, _BACK, _ONLY_NUMPY)
