"""reader.pt as an ONNX graph with weights in half precision: python export.py READER.pt OUT.onnx [--width 160 --layers 4]"""

import argparse

import numpy as np
import onnx
import torch
from network import FEATURES, VECTOR, Reader
from onnx import numpy_helper


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weights")
    parser.add_argument("out")
    parser.add_argument("--width", type=int, default=160)
    parser.add_argument("--layers", type=int, default=4)
    arguments = parser.parse_args()
    model = Reader(arguments.width, arguments.layers, arguments.width // 32).eval()
    model.load_state_dict(torch.load(arguments.weights))
    size = (2, 37)
    inputs = (torch.zeros(*size, 3, dtype=torch.long), torch.zeros(*size, VECTOR), torch.zeros(*size, FEATURES), torch.ones(*size))
    batch, length = torch.export.Dim("batch", min=1, max=256), torch.export.Dim("length", min=2, max=4096)
    names = ["hashes", "vectors", "features", "mask"]
    program = torch.onnx.export(model, inputs, dynamo=True, input_names=names, output_names=["places", "outcome"],
                                dynamic_shapes={name: {0: batch, 1: length} for name in names})
    graph = program.model_proto
    halve(graph.graph)
    for value in (*graph.graph.input, *graph.graph.output):
        print(value.name, [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim])
    del graph.metadata_props[:]
    for node in graph.graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
    onnx.checker.check_model(graph)
    onnx.save(graph, arguments.out)


def halve(graph):
    """Large tables as float16 with a cast behind: half the size on disk, the same sums."""
    kept, casts = [], []
    for tensor in graph.initializer:
        value = numpy_helper.to_array(tensor)
        if value.dtype != np.float32 or value.size < 4096:
            kept.append(tensor)
            continue
        kept.append(numpy_helper.from_array(value.astype(np.float16), tensor.name + "_half"))
        casts.append(onnx.helper.make_node("Cast", [tensor.name + "_half"], [tensor.name], to=onnx.TensorProto.FLOAT))
    del graph.initializer[:]
    graph.initializer.extend(kept)
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    values = [info for info in graph.value_info]
    del graph.value_info[:]
    del values


if __name__ == "__main__":
    main()
