"""What people say about TensorFlow's constants, variables and lookups, as beside torch's."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_TF = "import tensorflow as tf\n"
_CAPSULE = "to_capsule = tf.experimental.dlpack.to_dlpack\n"
_LOOKUP = _TF + "table = tf.constant([[0.0], [10.0], [20.0]])\n"
_NEEDS = ("tensorflow",)

_IMMUTABLE = Claim(
    ids=("A20",),
    claim="What `tf.constant` gives cannot be changed.",
    taught="partly",
    really="TensorFlow refuses to assign to its elements. A torch tensor that lies on its bytes does not ask: "
    "`asarray` and `from_dlpack` give one, and what you write there is in the constant.",
    why="It is called a constant.",
    checks=(
        Check(
            part="TensorFlow refuses an assignment",
            code=_TF + "import operator\nconstant = tf.constant([1.0, 2.0])\n"
            "raises(lambda: operator.setitem(constant, 0, 5.0), TypeError, 'does not support item assignment')",
        ),
        Check(
            part="a write through `torch.from_dlpack` does not reach it",
            code=_TF + _CAPSULE + "constant = tf.constant([1.0, 2.0])\n"
            "t = torch.from_dlpack(to_capsule(constant))\nt[0] = 9\n"
            "t.tolist(), constant.numpy().tolist()\nconstant.numpy().tolist() == [1, 2]",
        ),
        Check(
            part="a write through `torch.asarray` does not reach it",
            code=_TF + "constant = tf.constant([1.0, 2.0])\nt = torch.asarray(constant)\nt[0] = 9\n"
            "t.tolist(), constant.numpy().tolist()\nconstant.numpy().tolist() == [1, 2]",
        ),
    ),
    needs=_NEEDS,
)

_GRAPH = Claim(
    ids=("A21",),
    claim="A `tf.constant` is built into the graph when the program is compiled.",
    taught="partly",
    really="Only while a `tf.function` is traced: there it is a node of that graph. Elsewhere TensorFlow 2 runs at "
    "once, as torch does, and there is no graph.",
    why="In TensorFlow 1 there was always a graph.",
    checks=(
        Check(
            part="so it is inside of a `tf.function`",
            code=_TF
            + "traced = tf.function(lambda: tf.constant([1.0, 2.0]), autograph=False).get_concrete_function().graph\n"
            "[node.op for node in traced.as_graph_def().node]\n"
            "'Const' in [node.op for node in traced.as_graph_def().node]",
        ),
        Check(
            part="so it is outside",
            code=_TF + "constant = tf.constant([1.0, 2.0])\ntf.executing_eagerly(), type(constant).__name__\n"
            "hasattr(constant, 'graph')",
        ),
    ),
    needs=_NEEDS,
)

_FIRST_VALUE = Claim(
    ids=("A22",),
    claim="`tf.Variable` takes a tensor or an array as its first value.",
    taught="true",
    really="Both, and a list or a torch tensor as well. It keeps the dtype: an array of float64 makes a float64 "
    "variable.",
    why="It is so, and most programs give it one of the two.",
    checks=(
        Check(part="a tensor", code=_TF + "tf.Variable(tf.constant([1.0, 2.0])).numpy().tolist() == [1, 2]"),
        Check(
            part="an array",
            code=_TF + "tf.Variable([1.0, 2.0]).numpy().tolist(), tf.Variable(torch.ones(2)).numpy().tolist()\n"
            "made = tf.Variable(np.array([1.0, 2.0]))\nmade.dtype\nmade.numpy().tolist() == [1, 2]",
        ),
    ),
    needs=_NEEDS,
)

_CONVERTS = Claim(
    ids=("A23",),
    claim="`tf.Variable` turns its first value into a tensor as `tf.convert_to_tensor` does.",
    taught="true",
    really="A class for which you register a conversion can be given to both. `tf.constant` does not ask for it.",
    why="It is so: what makes a tensor makes a variable.",
    checks=(
        Check(
            part="it uses a conversion that is registered for `convert_to_tensor`",
            code=_TF + "class Metres:\n    pass\n"
            "def converted(value, dtype=None, name=None, as_ref=False):\n"
            "    return tf.convert_to_tensor([1.0, 2.0])\n"
            "tf.register_tensor_conversion_function(Metres, converted)\n"
            "tf.convert_to_tensor(Metres()).numpy().tolist()\n"
            "raises(lambda: tf.constant(Metres()), ValueError)\n"
            "tf.Variable(Metres()).numpy().tolist() == [1, 2]",
        ),
    ),
    needs=_NEEDS,
)

_INDICES = Claim(
    ids=("A36",),
    claim="`tf.nn.embedding_lookup` takes ids of int32 or int64, and no others.",
    taught="partly",
    really="Both, and in the releases tried, TensorFlow 2.15 to 2.21, int16 too. int8 and floats are refused.",
    why="Nearly always they are of one of these two.",
    checks=(
        Check(
            part="it takes int32 and int64",
            code=_LOOKUP + "dtypes = tf.int32, tf.int64\n"
            "found = [tf.nn.embedding_lookup(table, tf.constant([1], dtype)).numpy().tolist() for dtype in dtypes]\n"
            "found\nfound == [[[10]], [[10]]]",
        ),
        Check(
            part="it refuses int8",
            code=_LOOKUP + "ids = tf.constant([1], tf.int8)\n"
            "raises(lambda: tf.nn.embedding_lookup(table, ids), tf.errors.OpError, 'Tindices')",
        ),
        Check(
            part="it refuses int16",
            code=_LOOKUP + "ids = tf.constant([1], tf.int16)\ntf.nn.embedding_lookup(table, ids).numpy().tolist()\n"
            "raises(lambda: tf.nn.embedding_lookup(table, ids), tf.errors.OpError, 'Tindices')",
        ),
    ),
    needs=_NEEDS,
)

_FLOAT_INDICES = Claim(
    ids=("A37",),
    claim="`tf.nn.embedding_lookup` quietly cuts ids that are floats to 0.",
    taught="false",
    really="They are refused with an error that names the dtypes allowed. It is the layer `tf.keras.layers.Embedding` "
    "that casts without a word: 1.9 picks row 1.",
    why="The layer does something like it, and the two are taken for one.",
    checks=(
        Check(
            part="1.9 gives a row",
            code=_LOOKUP + "ids = tf.constant([1.9])\n"
            "layer = tf.keras.layers.Embedding(3, 1, weights=[table.numpy()])\n"
            "layer(ids).numpy().tolist()\n"
            "not raises(lambda: tf.nn.embedding_lookup(table, ids), tf.errors.InvalidArgumentError, 'float')",
        ),
    ),
    needs=_NEEDS,
)

TENSORFLOW_ALONE = (_IMMUTABLE, _GRAPH, _FIRST_VALUE, _CONVERTS, _INDICES, _FLOAT_INDICES)
