"""Ray Serve, two replicas of an app shaped like OpenAI's: ray_server.py PORT TEMPORARY_FOLDER. Each chunk names its replica's process."""

import asyncio
import json
import os
import sys
import time

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_DISABLE_METRICS_COLLECTION"] = "1"
os.environ["RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S"] = "300"  # 5 s are not enough on a busy machine

import ray
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
from ray import serve
from ray.serve._private import api

api.HTTP_PROXY_TIMEOUT = 600  # 60 s are not enough on a busy machine

port, folder = sys.argv[1:3]
app = FastAPI()
model = {"id": "tiny", "object": "model", "created": 0, "owned_by": "ray"}


@serve.deployment(
    num_replicas=2,
    ray_actor_options={"num_cpus": 0.1},
    max_ongoing_requests=4,
    max_queued_requests=4,
    health_check_period_s=1,
)
@serve.ingress(app)
class App:
    def __init__(self):
        self.running = 0

    @app.get("/v1/models")
    def models(self):
        return {"object": "list", "data": [model]}

    @app.get("/running")
    def count(self):
        return {"pid": os.getpid(), "running": self.running}

    @app.post("/v1/chat/completions")
    async def chat(self, request: Request):
        body = await request.json()
        if body.get("model") != "tiny":
            from fastapi.responses import JSONResponse

            error = {"message": "no such model", "type": "NotFoundError", "param": "model", "code": 404}
            return JSONResponse({"error": error}, 404)
        count = min(body.get("max_completion_tokens") or body.get("max_tokens") or 200, 200)
        head = {"id": f"chatcmpl-{time.time_ns()}", "created": int(time.time()), "model": "tiny"}
        usage = {"prompt_tokens": 8, "completion_tokens": count, "total_tokens": 8 + count}
        if not body.get("stream"):
            message = {"role": "assistant", "content": f"{os.getpid()} " * count}
            choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "length"}
            return {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
        with_usage = (body.get("stream_options") or {}).get("include_usage")

        def event(delta, finish=None):
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
            chunk = {**head, "object": "chat.completion.chunk", "choices": [choice]}
            return f"data: {json.dumps(chunk)}\n\n"

        async def events():
            self.running += 1
            try:
                yield event({"role": "assistant", "content": ""})
                for _ in range(count):
                    await asyncio.sleep(0.05)
                    yield event({"content": f"{os.getpid()} "})
                yield event({}, "length")
                if with_usage:
                    last = {**head, "object": "chat.completion.chunk", "choices": [], "usage": usage}
                    yield f"data: {json.dumps(last)}\n\n"
                yield "data: [DONE]\n\n"
            finally:
                self.running -= 1

        return StreamingResponse(events(), media_type="text/event-stream")


ray.init(
    num_cpus=1,
    include_dashboard=False,
    object_store_memory=100 * 2**20,
    log_to_driver=False,
    _temp_dir=folder,
)
serve.start(http_options={"host": "127.0.0.1", "port": int(port)})
serve.run(App.bind(), name="app", route_prefix="/")
print("ready", flush=True)
while True:
    time.sleep(3600)
