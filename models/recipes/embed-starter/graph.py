"""The pack's ONNX graph: token ids -> rows -> unpacked vectors -> weighted sum, and the same over the rows' signs -> mixture -> unit
vector. Standard operators only."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from lexical import SHARES, SIZES, sign_tables
from quantize import byte_levels, pack_bits
from vocabulary import SPECIAL

QUERY = SPECIAL.index("<|query|>")


def initializers(row_map, codes, document_weights, query_weights):
    first_signs, second_signs = sign_tables()
    tables = {
        "first_signs": first_signs,
        "second_signs": second_signs,
        "first_size": np.array(SIZES[0], np.int32),
        "second_size": np.array(SIZES[1], np.int32),
        "sign_levels": 2 * byte_levels(1) - 1,
        "plain_share": np.array(SHARES[None], np.float32),
        "search_share_more": np.array(SHARES["query"] - SHARES[None], np.float32),
        "row_of_token": row_map.astype(np.int32),
        "high_bits": pack_bits(codes >> 1, 2),
        "low_bits": pack_bits(codes & 1, 1),
        "high_levels": 2 * byte_levels(2),
        "low_levels": byte_levels(1) - 3.5,
        "document_weights": document_weights.astype(np.float32),
        "query_weights": query_weights.astype(np.float32),
        "query_token": np.array(QUERY, np.int64),
        # The last token of the tokenizer marks a document.
        "document_token": np.array(len(row_map) - 1, np.int64),
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


def flag(task):
    """Nodes that tell whether a text begins with the task's token: [batch, 1], one or zero."""
    make = helper.make_node
    return [
        make("Equal", ["input_ids", f"{task}_token"], [f"is_{task}_token"]),
        make("Cast", [f"is_{task}_token"], [f"{task}_flags"], to=TensorProto.FLOAT),
        make("ReduceMax", [f"{task}_flags", "middle_axis"], [f"{task}_flag"], keepdims=1),
    ]


def unit(name):
    """Nodes that bring [batch, 1024] to length 1."""
    make = helper.make_node
    return [
        make("ReduceL2", [name, "last_axis"], [f"{name}_norm"], keepdims=1),
        make("Max", [f"{name}_norm", "tiny"], [f"{name}_safe_norm"]),
        make("Div", [name, f"{name}_safe_norm"], [f"{name}_unit"]),
    ]


def lexical_nodes():
    """See lexical.py: one direction of signs a row, summed with the same weights."""
    make = helper.make_node
    return [
        make("Mod", ["rows", "first_size"], ["first_line"]),
        make("Mod", ["rows", "second_size"], ["second_line"]),
        make("Gather", ["first_signs", "first_line"], ["first_bytes"], axis=0),
        make("Gather", ["second_signs", "second_line"], ["second_bytes"], axis=0),
        make("BitwiseXor", ["first_bytes", "second_bytes"], ["sign_bytes"]),
        make("Cast", ["sign_bytes"], ["sign_index"], to=TensorProto.INT32),
        make("Gather", ["sign_levels", "sign_index"], ["sign_groups"], axis=0),
        make("Reshape", ["sign_groups", "shape"], ["signs"]),
        make("MatMul", ["weight_rows", "signs"], ["lexical_sums"]),
        make("Squeeze", ["lexical_sums", "middle_axis"], ["lexical"]),
        *unit("lexical"),
    ]


def mixture_nodes():
    """sqrt(1 - share) of the meaning and sqrt(share) of the words; `share` is larger for searches."""
    make = helper.make_node
    return [
        make("Max", ["query_flag", "document_flag"], ["search_flag"]),
        make("Mul", ["search_flag", "search_share_more"], ["share_more"]),
        make("Add", ["share_more", "plain_share"], ["share"]),
        make("Sub", ["one", "share"], ["rest"]),
        make("Sqrt", ["share"], ["lexical_part"]),
        make("Sqrt", ["rest"], ["meaning_part"]),
        make("Mul", ["meaning_unit", "meaning_part"], ["scaled_meaning"]),
        make("Mul", ["lexical_unit", "lexical_part"], ["scaled_lexical"]),
        make("Add", ["scaled_meaning", "scaled_lexical"], ["mixture"]),
        *unit("mixture"),
        make("Identity", ["mixture_unit"], ["sentence_embedding"]),
    ]


def nodes():
    make = helper.make_node
    return [
        make("Gather", ["row_of_token", "input_ids"], ["rows"], axis=0),
        *plane("high"),
        *plane("low"),
        make("Add", ["high_values", "low_values"], ["vectors"]),
        # In the query form words that only ask ("which", "谁") count for less.
        *flag("query"),
        *flag("document"),
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
        make("Squeeze", ["sums", "middle_axis"], ["meaning"]),
        *unit("meaning"),
        *lexical_nodes(),
        *mixture_nodes(),
    ]


def build_model(row_map, codes, document_weights, query_weights):
    """Weights already hold the row scales."""
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ("input_ids", "attention_mask")]
    outputs = [helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", 1024])]
    graph = helper.make_graph(nodes(), "embed-starter", inputs, outputs, initializers(row_map, codes, document_weights, query_weights))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], producer_name="lokal-embed-starter")
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model


def save_model(model, folder):
    """model.onnx beside model.onnx.data, which takes the larger plane, so that no file passes 20 MB."""
    for name in ("model.onnx", "model.onnx.data"):
        (folder / name).unlink(missing_ok=True)
    onnx.save_model(model, folder / "model.onnx", save_as_external_data=True, all_tensors_to_one_file=True, location="model.onnx.data", size_threshold=12_000_000)
