"""llama.cpp's server within Python: llama_server.py PORT KEY MODEL.gguf CONTEXT"""

import sys
import time

from xllamacpp import CommonParams, Server

port, key, model, context = sys.argv[1:5]
params = CommonParams()
params.model.path = model
params.n_ctx = int(context)
params.n_parallel = 2
params.cpuparams.n_threads = 1
params.n_gpu_layers = 0
params.port = int(port)
params.api_keys = [key]
params.endpoint_metrics = True
params.chat_template = "chatml"  # the file of random weights has none
server = Server(params)
print(server.listening_address, flush=True)
while True:
    time.sleep(3600)
