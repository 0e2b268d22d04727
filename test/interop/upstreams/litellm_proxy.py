"""LiteLLM's proxy over one llama.cpp server and one closed port: litellm_proxy.py PORT KEY MODEL.gguf CONTEXT"""

import json
import os
import pathlib
import socket
import subprocess
import sys

port, key, model, context = sys.argv[1:5]
here = pathlib.Path(__file__).parent


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def target(at):
    params = {"model": "openai/tiny", "api_base": f"http://127.0.0.1:{at}/v1", "api_key": "sk-behind"}
    return {"model_name": "tiny", "litellm_params": params}


alive = free_port()
subprocess.Popen([sys.executable, here / "llama_server.py", str(alive), "sk-behind", model, context])
config = {
    "model_list": [target(alive), target(free_port())],
    "router_settings": {"num_retries": 2, "allowed_fails": 1, "cooldown_time": 10},
    "general_settings": {"master_key": key},
}
pathlib.Path("litellm.yaml").write_text(json.dumps(config))  # JSON is YAML too
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it fetches a price list
litellm = pathlib.Path(sys.executable).parent / "litellm"
os.execv(litellm, [litellm, "--config", "litellm.yaml", "--host", "127.0.0.1", "--port", port])
