"""Writes both halves as one ONNX graph: logits = wide + DEEP_SHARE · deep; the deep table in int8, the wide one in half precision."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from features import PER_TOKEN
from model import CATEGORIES


def quantized(table):
    """int8 table and one scale a column; a column's few outliers are clipped."""
    limit = np.maximum(np.quantile(np.abs(table), 0.99995, axis=0), 1e-6)
    scale = (limit / 127).astype(np.float32)
    return np.clip(np.round(table / scale), -127, 127).astype(np.int8), scale


class Graph:
    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, name, value):
        self.constants.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def add(self, operator, inputs, output, **attributes):
        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output


def embed(graph, table):
    """ids → words [batch, channels, tokens], mask [batch, 1, tokens], size [batch, 1] (tokens, at least one)."""
    codes, scale = quantized(table)
    graph.constant("codes", codes)
    graph.constant("scale", scale)
    graph.add("Equal", ["ids", "zero"], "empty")
    graph.add("Not", ["empty"], "filled")
    graph.add("Cast", ["filled"], "filled_f", to=TensorProto.FLOAT)
    graph.add("ReduceSum", ["filled_f", "axis2"], "count", keepdims=1)
    graph.add("Max", ["count", "one"], "count1")
    graph.add("Sqrt", ["count1"], "spread")
    graph.add("Gather", ["filled_f", "first"], "present", axis=2)
    graph.add("Unsqueeze", ["present", "axis1"], "mask")
    graph.add("ReduceSum", ["mask", "axis2"], "tokens", keepdims=0)
    graph.add("Max", ["tokens", "one"], "size")
    graph.add("Gather", ["codes", "ids"], "rows", axis=0)
    graph.add("Cast", ["rows"], "rows_f", to=TensorProto.FLOAT)
    graph.add("ReduceSum", ["rows_f", "axis2"], "summed", keepdims=0)
    graph.add("Mul", ["summed", "scale"], "scaled")
    graph.add("Div", ["scaled", "spread"], "shared")
    graph.add("Transpose", ["shared"], "turned", perm=[0, 2, 1])
    graph.add("Mul", ["turned", "mask"], "words")


def read(graph, weights):
    """Words → deep logits."""
    graph.add("Conv", ["words", graph.constant("near_w", weights["near.weight"]), graph.constant("near_b", weights["near.bias"])], "near_raw", pads=[1, 1])
    graph.add("Relu", ["near_raw"], "near_relu")
    graph.add("Mul", ["near_relu", "mask"], "near")
    graph.add("Conv", ["near", graph.constant("far_w", weights["far.weight"]), graph.constant("far_b", weights["far.bias"])], "far_raw", pads=[2, 2], dilations=[2])
    graph.add("Relu", ["far_raw"], "far_relu")
    graph.add("Add", ["far_relu", "near"], "far_sum")
    graph.add("Mul", ["far_sum", "mask"], "far")
    for name in ("words", "far"):
        graph.add("ReduceSum", [name, "axis2"], f"{name}_total", keepdims=0)
        graph.add("Div", [f"{name}_total", "size"], f"{name}_mean")
        graph.add("ReduceMax", [name, "axis2"], f"{name}_top", keepdims=0)
    graph.add("Relu", ["words_top"], "words_max")
    graph.add("Concat", ["words_mean", "words_max", "far_mean", "far_top"], "pooled", axis=1)
    graph.add("Gemm", ["pooled", graph.constant("pooled_w", weights["pooled.weight"]), graph.constant("pooled_b", weights["pooled.bias"])], "hidden_raw", transB=1)
    graph.add("Relu", ["hidden_raw"], "hidden")
    graph.add("Gemm", ["hidden", graph.constant("out_w", weights["out.weight"]), graph.constant("out_b", weights["out.bias"])], "deep", transB=1)


def vote(graph, fitted):
    """Distinct features and their values → wide logits."""
    table, bias = fitted
    graph.constant("votes", table.astype(np.float16))
    graph.add("Gather", ["votes", "bag_ids"], "bag_rows", axis=0)
    graph.add("Cast", ["bag_rows"], "bag_rows_f", to=TensorProto.FLOAT)
    graph.add("Unsqueeze", ["bag_values", "axis2"], "bag_column")
    graph.add("Mul", ["bag_rows_f", "bag_column"], "bag_votes")
    graph.add("ReduceSum", ["bag_votes", "axis1"], "bag_sum", keepdims=0)
    graph.add("Add", ["bag_sum", graph.constant("bias", bias)], "wide")


def export(model, fitted, share, path):
    weights = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    graph = Graph()
    for name, value in (("zero", np.int32(0)), ("one", np.float32(1)), ("first", np.int64(0)), ("axis1", np.array([1])), ("axis2", np.array([2])), ("share", np.float32(share))):
        graph.constant(name, np.asarray(value))
    embed(graph, weights["table.weight"])
    read(graph, weights)
    vote(graph, fitted)
    graph.add("Mul", ["deep", "share"], "deep_part")
    graph.add("Add", ["wide", "deep_part"], "logits")
    made = helper.make_graph(
        graph.nodes,
        "shield",
        [
            helper.make_tensor_value_info("ids", TensorProto.INT32, ["batch", "tokens", PER_TOKEN]),
            helper.make_tensor_value_info("bag_ids", TensorProto.INT32, ["batch", "distinct"]),
            helper.make_tensor_value_info("bag_values", TensorProto.FLOAT, ["batch", "distinct"]),
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(CATEGORIES)])],
        graph.constants,
    )
    proto = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9, producer_name="lokal")
    onnx.checker.check_model(proto, full_check=True)
    onnx.save(proto, str(path))
