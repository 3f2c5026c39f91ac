"""What people say about how images, casts and tables lie."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_IMAGE = "image = np.zeros((40, 50, 3), dtype=np.uint8)\nchw = np.transpose(image, (2, 0, 1))\n"

_TRANSPOSED = Claim(
    ids=("A78",),
    claim="After `np.transpose(image, (2, 0, 1))` the array is still contiguous.",
    taught="false",
    really="It is not, and `astype` keeps its order, so the float32 copy is not contiguous either.",
    why="One line later everything works, since `from_numpy` takes it as it is.",
    checks=(
        Check(part="the array is contiguous", code=_IMAGE + "chw.strides\nchw.flags.c_contiguous"),
        Check(
            part="its float32 copy is contiguous",
            code=_IMAGE + "chw.astype(np.float32).strides\nchw.astype(np.float32).flags.c_contiguous",
        ),
    ),
)

_ASTYPE = Claim(
    ids=("A79",),
    claim="`astype(np.float32, copy=False)` spares the copy of a uint8 image.",
    taught="false",
    really="Another item size needs other bytes. `copy=False` spares a copy only where the dtype is right already.",
    why="It says so in the call.",
    checks=(Check(part="it shares with the image", code=_IMAGE + "shares(chw.astype(np.float32, copy=False), image)"),),
)

_ASTYPE_RULE = Claim(
    ids=("A80",),
    claim="`copy=False` works on contiguous arrays only.",
    taught="false",
    really="Layout plays no part. A transposed float32 array comes back as the same object.",
    why="Contiguity gets the blame for many a copy.",
    checks=(
        Check(
            part="a transposed array of the right dtype is copied",
            code="a = np.zeros((4, 5), dtype=np.float32).T\na.astype(np.float32, copy=False) is not a",
        ),
    ),
)

_LAST_STEP = Claim(
    ids=("A81",),
    claim="When a transposed image goes through `from_numpy`, nothing is copied.",
    taught="true",
    really="The tensor shares, strides and all. It is not contiguous; with a batch dimension in front it is in "
    "channels_last order.",
    why="It is so, though those who say that `from_numpy` needs contiguous arrays cannot say it too.",
    checks=(
        Check(
            part="the tensor shares with the image",
            code=_IMAGE + "t = torch.from_numpy(chw)\n"
            "t.is_contiguous(), t[None].is_contiguous(memory_format=torch.channels_last)\n"
            "shares(t, image)",
        ),
    ),
)

_PIL = Claim(
    ids=("A77",),
    claim="`np.array(pil_image)` can be an array that is not contiguous.",
    taught="false",
    really="Plain, cropped, turned, mirrored or grey: each came out contiguous.",
    why="Flips and crops of arrays are views, so those of images are taken for views too.",
    checks=(
        Check(
            part="one of these is not contiguous",
            code="from PIL import Image\n"
            "image = Image.new('RGB', (40, 50))\n"
            "mirror = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)\n"
            "made = image, image.crop((5, 5, 20, 30)), image.rotate(90), mirror, image.convert('L')\n"
            "not all(np.array(one).flags.c_contiguous for one in made)",
        ),
    ),
    needs=("pillow",),
)

_VALUES = Claim(
    ids=("A62",),
    claim="`DataFrame.values` is usually not contiguous, and `from_numpy` trips over it.",
    taught="partly",
    really="Of two columns it often lies column after column. `from_numpy` takes that as it is.",
    why="A frame keeps its columns together, and contiguity gets the blame for another trap: the array may be "
    "read-only.",
    checks=(
        Check(
            part="two columns are not contiguous row after row",
            code="import pandas as pd\n"
            "values = pd.DataFrame({'a': [1.0, 2.0], 'b': [3.0, 4.0]}).values\n"
            "values.flags.writeable\n"
            "not values.flags.c_contiguous",
        ),
        Check(
            part="`from_numpy` refuses them",
            code="import pandas as pd, warnings\n"
            "torch.set_warn_always(True)\n"
            "values = pd.DataFrame({'a': [1.0, 2.0], 'b': [3.0, 4.0]}).values\n"
            "with warnings.catch_warnings(action='ignore'):\n"
            "    t = torch.from_numpy(values)\n"
            "t.stride()\n"
            "not np.array_equal(t.numpy(), values)",
        ),
    ),
    needs=("pandas",),
)

IMAGES = (_TRANSPOSED, _ASTYPE, _ASTYPE_RULE, _LAST_STEP, _PIL, _VALUES)
