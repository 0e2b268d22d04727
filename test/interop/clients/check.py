"""One line of JSON a check, for run.ts."""
import json
import os

base_url = os.environ["LOKAL_URL"]
api_key = os.environ["LOKAL_KEY"]
model = "svc-lingua-7b"
question = [{"role": "user", "content": "Say hello to a friend."}]
person_schema = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 20}},
    "required": ["name"],
    "additionalProperties": False,
}


def check(name, work):
    try:
        work()
        print(json.dumps({"name": name, "ok": True, "detail": ""}), flush=True)
    except Exception as error:  # any failure is a result
        print(json.dumps({"name": name, "ok": False, "detail": repr(error)[:300]}), flush=True)
