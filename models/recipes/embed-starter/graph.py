"""The pack's ONNX graph: token ids -> rows -> unpacked vectors -> weighted sum -> unit vector. Standard operators only."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from quantise import byte_levels, pack_bits
from vocabulary import SPECIAL

QUERY = SPECIAL.index("<|query|>")


def initialisers(row_map, codes, document_weights, query_weights):
    tables = {
        "row_of_token": row_map.astype(np.int32),
        "high_bits": pack_bits(codes >> 1, 2),
        "low_bits": pack_bits(codes & 1, 1),
        "high_levels": 2 * byte_levels(2),
        "low_levels": byte_levels(1) - 3.5,
        "document_weights": document_weights.astype(np.float32),
        "query_weights": query_weights.astype(np.float32),
        "query_token": np.array(QUERY, np.int64),
        "shape": np.array([0, 0, 1024], np.int64),
        "last_axis": np.array([-1], np.int64),
        "middle_axis": np.array([1], np.int64),
        "one": np.array(1, np.float32),
        "tiny": np.array(1e-12, np.float32),
    }
    return [numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in tables.items()]


def plane(name):
    """Nodes that turn one plane's bytes into [batch, length, 1024] numbers."""
    return [
        helper.make_node("Gather", [f"{name}_bits", "rows"], [f"{name}_bytes"], axis=0),
        helper.make_node("Cast", [f"{name}_bytes"], [f"{name}_index"], to=TensorProto.INT32),
        helper.make_node("Gather", [f"{name}_levels", f"{name}_index"], [f"{name}_groups"], axis=0),
        helper.make_node("Reshape", [f"{name}_groups", "shape"], [f"{name}_values"]),
    ]


def nodes():
    make = helper.make_node
    return [
        make("Gather", ["row_of_token", "input_ids"], ["rows"], axis=0),
        *plane("high"),
        *plane("low"),
        make("Add", ["high_values", "low_values"], ["vectors"]),
        # The query form differs in its weights alone: words that only ask ("which", "谁") count for less.
        make("Equal", ["input_ids", "query_token"], ["is_query_token"]),
        make("Cast", ["is_query_token"], ["query_flags"], to=TensorProto.FLOAT),
        make("ReduceMax", ["query_flags", "middle_axis"], ["query_flag"], keepdims=1),
        make("Cast", ["query_flag"], ["is_query"], to=TensorProto.BOOL),
        make("Gather", ["document_weights", "rows"], ["as_document"], axis=0),
        make("Gather", ["query_weights", "rows"], ["as_query"], axis=0),
        make("Where", ["is_query", "as_query", "as_document"], ["weights"]),
        make("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        # A word said n times counts sqrt(n) times: each of its n places gets 1/sqrt(n) of its weight.
        make("Unsqueeze", ["rows", "last_axis"], ["row_column"]),
        make("Unsqueeze", ["rows", "middle_axis"], ["row_line"]),
        make("Equal", ["row_column", "row_line"], ["same_row"]),
        make("Cast", ["same_row"], ["same"], to=TensorProto.FLOAT),
        make("Unsqueeze", ["mask", "last_axis"], ["mask_column"]),
        make("MatMul", ["same", "mask_column"], ["occurrence_column"]),
        make("Squeeze", ["occurrence_column", "last_axis"], ["occurrences"]),
        make("Max", ["occurrences", "one"], ["safe_occurrences"]),
        make("Sqrt", ["safe_occurrences"], ["damping"]),
        make("Mul", ["weights", "mask"], ["undamped_weights"]),
        make("Div", ["undamped_weights", "damping"], ["masked_weights"]),
        make("Unsqueeze", ["masked_weights", "middle_axis"], ["weight_rows"]),
        make("MatMul", ["weight_rows", "vectors"], ["sums"]),
        make("Squeeze", ["sums", "middle_axis"], ["sum"]),
        make("ReduceL2", ["sum", "last_axis"], ["norm"], keepdims=1),
        make("Max", ["norm", "tiny"], ["safe_norm"]),
        make("Div", ["sum", "safe_norm"], ["sentence_embedding"]),
    ]


def build_model(row_map, codes, document_weights, query_weights):
    """Weights already hold the row scales."""
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ("input_ids", "attention_mask")]
    outputs = [helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", 1024])]
    graph = helper.make_graph(nodes(), "embed-starter", inputs, outputs, initialisers(row_map, codes, document_weights, query_weights))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], producer_name="lokal-embed-starter")
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model


def save_model(model, folder):
    """model.onnx beside model.onnx.data, which takes the larger plane, so that no file passes 20 MB."""
    for name in ("model.onnx", "model.onnx.data"):
        (folder / name).unlink(missing_ok=True)
    onnx.save_model(model, folder / "model.onnx", save_as_external_data=True, all_tensors_to_one_file=True, location="model.onnx.data", size_threshold=12_000_000)
