"""What people say about getting images into tensors."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_TWO_WAYS = """\
def copying(image):
    pixels = np.array(image).astype(np.float32)
    return torch.tensor(pixels.transpose(2, 0, 1)) / 255
def sparing(image):
    pixels = np.transpose(np.array(image), (2, 0, 1)).astype(np.float32, copy=False)
    return torch.from_numpy(pixels).div_(255)
"""
_PICTURE = """\
from PIL import Image
pixels = np.arange(40 * 50 * 3).reshape(40, 50, 3).astype(np.uint8)
picture = Image.fromarray(pixels)
"""

_PEAK = Claim(
    ids=("A02",),
    claim="In a service for images, `as_tensor` in place of `astype` and `from_numpy` saves a third of the memory, "
    "since it uses the image's own bytes.",
    taught="false",
    really="`from_numpy` copies nothing that `as_tensor` would spare. What copies is `np.array`, which takes the "
    "pixels out of the image, and then the cast: whoever needs float32 pays for both in either way. Into the image "
    "object itself `as_tensor` does not look.",
    why="Two calls look like two copies.",
    checks=(
        Check(
            part="`from_numpy` copies the array, and `as_tensor` does not",
            code="a = np.zeros((4, 5, 3), dtype=np.float32)\n"
            "shares(torch.from_numpy(a), a), shares(torch.as_tensor(a), a)\n"
            "not shares(torch.from_numpy(a), a) and shares(torch.as_tensor(a), a)",
        ),
        Check(
            part="as float32, `as_tensor` lies on the bytes of a uint8 image",
            code="image = np.zeros((4, 5, 3), dtype=np.uint8)\n"
            "shares(torch.as_tensor(image, dtype=torch.float32), image)",
        ),
        Check(
            part="it takes an image of Pillow as it is",
            code=_PICTURE + "shares(np.array(picture), np.array(picture))\n"
            "torch.as_tensor(picture)\nnot raises(lambda: torch.as_tensor(picture), Exception)",
            needs=("pillow",),
        ),
    ),
)

_DECODE = Claim(
    ids=("A70",),
    claim="`cv2.imdecode` can decode an image straight into its place in a batch that you made beforehand.",
    taught="false",
    really="It takes the bytes and a flag, and gives a new array: height, width, channels. One copy into the "
    "batch remains.",
    why="Many functions of OpenCV do take an array to write to.",
    checks=(
        Check(
            part="it takes an array to write to",
            code="import cv2\n"
            "done, data = cv2.imencode('.png', np.zeros((4, 5, 3), dtype=np.uint8))\n"
            "batch = torch.zeros(2, 4, 5, 3, dtype=torch.uint8)\n"
            "decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)\n"
            "decoded.shape, decoded.dtype.name\n"
            "raises(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR, batch[0].numpy()), Exception, 'at most 2 arguments')\n"
            "not raises(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR, batch[0].numpy()), Exception)",
        ),
    ),
    needs=("opencv",),
)

_SAME_RESULT = Claim(
    ids=("A82",),
    claim="A function that prepares an image with `torch.tensor` and `/ 255` works, and one with `from_numpy`, "
    "`copy=False` and `div_` can replace it, whatever the image.",
    taught="partly",
    really="For an RGB image both give the same numbers, and neither result is contiguous. Both fail for a grey image, "
    "which has no third axis, and both give four channels for RGBA.",
    why="It was tried with RGB images.",
    checks=(
        Check(
            part="for RGB both work and give the same",
            code=_PICTURE
            + _TWO_WAYS
            + "slow, fast = copying(picture), sparing(picture)\n"
            + "slow.shape, slow.is_contiguous(), fast.is_contiguous()\n"
            + "torch.equal(slow, fast)",
        ),
        Check(
            part="they work for a grey image",
            code=_PICTURE
            + _TWO_WAYS
            + "grey = picture.convert('L')\n"
            + "np.array(grey).shape\n"
            + "[prepare(picture.convert('RGBA')).shape[0] for prepare in (copying, sparing)]\n"
            + "copying(grey)\n"
            + "sparing(grey)\n"
            + "not raises(lambda: copying(grey), Exception) and not raises(lambda: sparing(grey), Exception)",
        ),
    ),
    needs=("pillow",),
)

_FOUR_TIMES = Claim(
    ids=("A84",),
    claim="Prepared with `from_numpy`, `copy=False` and `div_`, an image is ready in a quarter of the time that "
    "`torch.tensor` and `/ 255` take.",
    taught="partly",
    really="It takes less time, since one copy and one new tensor fall away. The copy of the image and the cast remain "
    "in both, and bound what can be won.",
    why="It was measured once, on another machine, with a GPU in it.",
    checks=(
        Check(
            part="it takes less time",
            code="torch.set_num_threads(1)\nimage = np.zeros((224, 224, 3), dtype=np.uint8)\n"
            + _TWO_WAYS
            + "times(lambda: copying(image), lambda: sparing(image), budget=0.3) > 1",
        ),
        Check(
            part="it takes a quarter or less",
            code="torch.set_num_threads(1)\nimage = np.zeros((224, 224, 3), dtype=np.uint8)\n"
            + _TWO_WAYS
            + "times(lambda: copying(image), lambda: sparing(image), budget=0.3) >= 4",
        ),
    ),
)

_ORDER = Claim(
    ids=("B37",),
    claim="In NumPy an image is usually height, width, channels, and torch's layers want channels first.",
    taught="true",
    really="It is so, and a wrong order is refused, unless the height happens to be the number of channels: then it "
    "goes unnoticed.",
    why="Libraries for images keep the colours of a pixel together, and torch's layers name the channels first.",
    checks=(
        Check(
            part="a layer refuses an image with its channels last",
            code="layer = torch.nn.Conv2d(3, 4, 3)\n"
            "layer(torch.ones(1, 3, 8, 3)).shape\n"
            "raises(lambda: layer(torch.ones(1, 8, 8, 3)), RuntimeError, 'to have 3 channels, but got 8 channels')",
        ),
        Check(
            part="it takes one with its channels first",
            code="torch.nn.Conv2d(3, 4, 3)(torch.ones(1, 3, 8, 8)).shape == (1, 4, 6, 6)",
        ),
        Check(
            part="Pillow gives channels last",
            code="from PIL import Image\n"
            "width, height = 50, 40\n"
            "np.array(Image.new('RGB', (width, height))).shape == (height, width, 3)",
            needs=("pillow",),
        ),
    ),
)

_ON_THE_GPU = Claim(
    ids=("B41",),
    claim="torchvision has versions of its transforms that are made for the GPU.",
    taught="partly",
    really="They run on a GPU, and there is nothing of their own for it: a transform of a tensor runs where the tensor "
    "is. `v2` in a name means newer, not faster hardware.",
    why="Transforms began with images of Pillow, which live on the CPU.",
    checks=(
        Check(
            part="a transform runs where the tensor is, shown with one on the meta device",
            code="from torchvision.transforms import v2\n"
            "x = torch.ones(1, 3, 32, 32, dtype=torch.uint8, device='meta')\n"
            "chain = v2.Compose([v2.Resize(16), v2.ToDtype(torch.float32, scale=True)])\n"
            "chain(x).shape, chain(x).dtype\n"
            "chain(x).device.type == 'meta'",
        ),
        Check(
            part="there are transforms for GPUs under names of their own",
            code="from torchvision import transforms\n"
            "from torchvision.transforms import v2\n"
            "names = [name.lower() for name in (*dir(transforms), *dir(v2))]\n"
            "found = [name for name in names if 'cuda' in name or 'gpu' in name]\n"
            "found\nfound != []",
        ),
    ),
    needs=("torchvision",),
)

IMAGES = (_PEAK, _DECODE, _SAME_RESULT, _FOUR_TIMES, _ORDER, _ON_THE_GPU)
