"""Nothing is run of an ONNX file that is not a network of ours, whatever its digest says."""

import hashlib

import numpy as np
import pytest

pytest.importorskip("onnx", reason="the extra learn is not installed")

import onnx
from onnx import TensorProto, helper, numpy_helper

from plyground.errors import FormatError
from plyground.learning import onnx_file
from plyground.learning.onnx_file import BLANK, OnnxNetwork, onnx_bytes, quantised
from plyground.learning.onnx_graph import read_graph

RNG = np.random.default_rng(5)
SHAPES = {
    "stem.weight": (4, 2, 3, 3),
    "block0.first.weight": (4, 4, 3, 3),
    "block0.second.weight": (4, 4, 3, 3),
    "head.weight": (4, 4, 1, 1),
    "policy.weight": (10, 18),
    "value_inner.weight": (8, 18),
    "value.weight": (1, 8),
}
WEIGHTS = {name: RNG.normal(size=shape).astype(np.float32) for name, shape in SHAPES.items()}
WEIGHTS |= {name.replace("weight", "bias"): np.zeros(shape[0], np.float32) for name, shape in SHAPES.items()}
PLANES = RNG.normal(size=(5, 2, 3, 3)).astype(np.float32)


@pytest.fixture
def never_run(monkeypatch):
    def session(data, threads=1):
        raise AssertionError("the file has been run")

    monkeypatch.setattr(onnx_file, "_session", session)


def sealed(model) -> bytes:
    """The file of a model, with a digest that fits."""
    kept = {prop.key: prop.value for prop in model.metadata_props}
    helper.set_model_props(model, kept | {"digest": BLANK})
    data = model.SerializeToString()
    return data.replace(BLANK.encode(), hashlib.sha256(data).hexdigest().encode())


def network(**options) -> onnx.ModelProto:
    return onnx.load_from_string(onnx_bytes(WEIGHTS, {"game": "x"}, **options))


@pytest.mark.parametrize(
    "data",
    [
        onnx_bytes(WEIGHTS, {"game": "x"}),
        onnx_bytes(WEIGHTS, {}, half=False),
        quantised(WEIGHTS, {"game": "x"}, PLANES),
    ],
)
def test_our_own_networks_are_read(data):
    graph = read_graph(data)
    assert (graph.channels, graph.actions) == (2, 10)
    assert graph.facts.get("game", "x") == "x"
    logits, value = OnnxNetwork(data, "x")(PLANES)
    assert (logits.shape, value.shape) == ((5, 10), (5,))


def node(model, name):
    return next(node for node in model.graph.node if node.op_type == name)


def add_node(model, operator, inputs, **options):
    model.graph.node.append(helper.make_node(operator, inputs, ["extra"], **options))


def store(model, name, array):
    model.graph.initializer.append(numpy_helper.from_array(array, name))


def body(name):
    value = helper.make_tensor_value_info
    nodes = [helper.make_node("Identity", ["go"], ["on"])]
    return helper.make_graph(nodes, name, [value("go", TensorProto.BOOL, [])], [value("on", TensorProto.BOOL, [])])


def external(model):
    stored = model.graph.initializer[0]
    del stored.external_data[:]
    stored.external_data.add(key="location", value="/etc/passwd")
    stored.data_location = TensorProto.EXTERNAL


def wider(model):
    del node(model, "Conv").attribute[:]
    node(model, "Conv").attribute.extend(
        [helper.make_attribute("kernel_shape", [3, 3]), helper.make_attribute("pads", [10**6] * 4)]
    )


TRICKS = {
    "a loop": lambda model: add_node(model, "Loop", [], body=body("body")),
    "a branch": lambda model: add_node(model, "If", ["planes"], then_branch=body("a"), else_branch=body("b")),
    "a graph in an attribute": lambda model: add_node(model, "Relu", ["planes"], body=body("body")),
    "much from nothing": lambda model: add_node(model, "ConstantOfShape", ["planes"]),
    "a tensor in an attribute": lambda model: add_node(
        model, "Constant", [], value=numpy_helper.from_array(np.zeros(3, np.float32))
    ),
    "another domain": lambda model: add_node(model, "Relu", ["planes"], domain="com.example"),
    "operators of others": lambda model: model.opset_import.append(helper.make_opsetid("com.microsoft", 1)),
    "a function": lambda model: model.functions.append(
        helper.make_function("f", "g", ["x"], ["y"], [], [helper.make_opsetid("", 17)])
    ),
    "a wide margin": wider,
    "weights in another file": external,
    "a shape without numbers": lambda model: model.graph.initializer[0].dims.__setitem__(0, 10**9),
    "weights that are not finite": lambda model: store(model, "extra", np.array([np.nan], np.float32)),
    "an outer sum": lambda model: (
        store(model, "a", np.zeros((1000, 1), np.float32)),
        store(model, "b", np.zeros((1, 1000), np.float32)),
        add_node(model, "Add", ["a", "b"]),
    ),
    "two of one name": lambda model: model.graph.node.append(model.graph.node[0]),
    "an input that is not there": lambda model: add_node(model, "Relu", ["nowhere"]),
    "a further output": lambda model: model.graph.output.append(model.graph.output[0]),
    "another output": lambda model: model.graph.output[0].CopyFrom(model.graph.output[1]),
    "a board of a fixed size": lambda model: setattr(
        model.graph.input[0].type.tensor_type.shape.dim[2], "dim_value", 10**9
    ),
    "many channels": lambda model: setattr(model.graph.input[0].type.tensor_type.shape.dim[1], "dim_value", 10**9),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_tricks_are_refused_before_anything_runs(never_run, trick):
    model = network()
    TRICKS[trick](model)
    with pytest.raises(FormatError, match=r"^x\.onnx is not a network of Plyground, or it is damaged: .") as caught:
        OnnxNetwork(sealed(model), "x.onnx")
    assert "\n" not in str(caught.value)


def test_the_digest_is_compared_before_anything_runs(never_run):
    data = bytearray(onnx_bytes(WEIGHTS, {"game": "x"}))
    data[bytes(data).index(WEIGHTS["stem.weight"].astype(np.float16).tobytes())] ^= 1
    with pytest.raises(FormatError, match="or it is damaged: its digest does not agree with it"):
        OnnxNetwork(bytes(data), "x.onnx")


@pytest.mark.parametrize("data", [b"", b"\xff" * 40, b"\x0a", b"\x08", b"\x3a\xff\xff\xff\xff\x0f", b"\x0b\x0c"])
def test_what_is_no_protocol_buffer_is_refused(never_run, data):
    with pytest.raises(FormatError, match="not a network of Plyground"):
        OnnxNetwork(data, "x.onnx")


def test_the_same_graph_twice_would_be_joined_by_other_readers(never_run):
    data = onnx_bytes(WEIGHTS, {})
    with pytest.raises(FormatError, match="the file has more than 1 of its field"):
        OnnxNetwork(data + data, "x.onnx")


def test_weights_that_overflow_and_planes_that_do_not_fit_are_said_in_a_line():
    large = {name: array * 60_000 for name, array in WEIGHTS.items()}
    with pytest.raises(FormatError, match=r"x\.onnx computes what is not a number"):
        OnnxNetwork(onnx_bytes(large, {}, half=False), "x.onnx")(1e30 * PLANES)
    with pytest.raises(FormatError, match=r"x\.onnx cannot judge planes of shape"):
        OnnxNetwork(onnx_bytes(WEIGHTS, {}), "x.onnx")(np.zeros((1, 2, 8, 8), np.float32))
