"""KServe's ModelServer over an ONNX file: kserve_server.py PORT MODEL.onnx NAME. Tensors as the graph names them."""

import sys

import onnxruntime
from kserve import InferOutput, InferResponse, Model, ModelServer

port, path, name = sys.argv[1:4]
datatypes = {
    "tensor(float)": "FP32",
    "tensor(float16)": "FP16",
    "tensor(int64)": "INT64",
    "tensor(int32)": "INT32",
    "tensor(bool)": "BOOL",
}


def described(node):
    shape = [size if isinstance(size, int) else -1 for size in node.shape]
    return {"name": node.name, "datatype": datatypes[node.type], "shape": shape}


class Encoder(Model):
    def __init__(self):
        super().__init__(name)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.ready = True

    async def get_input_types(self):
        return [described(node) for node in self.session.get_inputs()]

    async def get_output_types(self):
        return [described(node) for node in self.session.get_outputs()]

    async def predict(self, payload, headers=None, response_headers=None):
        given = {each.name: each.as_numpy() for each in payload.inputs}
        nodes = self.session.get_outputs()
        wanted = [each.name for each in payload.request_outputs or []] or [node.name for node in nodes]
        outputs = []
        for output, values in zip(wanted, self.session.run(wanted, given)):
            datatype = next(datatypes[node.type] for node in nodes if node.name == output)
            outputs.append(InferOutput(output, list(values.shape), datatype, values.flatten().tolist()))
        return InferResponse(model_name=name, infer_outputs=outputs, response_id=payload.id)


ModelServer(http_port=int(port), enable_grpc=False, workers=1).start([Encoder()])
