"""One training or test conversation, and the words Lokal's engine adds to the system message."""

import json
from dataclasses import dataclass, field


@dataclass
class Example:
    task: str
    language: str
    messages: list
    tools: list = field(default_factory=list)
    schema: dict | None = None


def compact(value):
    """As JSON.stringify writes it: the engine's own words for a schema."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def spaced(value):
    """How the model writes JSON: what templates' tojson makes."""
    return json.dumps(value, ensure_ascii=False)


def with_schema(messages, schema):
    """`instructionsFor` of server/engine/chat/output/compile-output.ts, added as text/prompt.ts adds it."""
    words = f"Answer with JSON that fits this JSON Schema, and nothing else:\n{compact(schema)}"
    if schema == {"type": "object"}:
        words = "Answer with one JSON object and nothing else."
    if messages[0]["role"] == "system":
        first = {"role": "system", "content": f"{messages[0]['content']}\n\n{words}"}
        return [first, *messages[1:]]
    return [{"role": "system", "content": words}, *messages]


def chat(task, language, user, answer, system=None, **rest):
    messages = [{"role": "system", "content": system}] if system else []
    return Example(task, language, [*messages, {"role": "user", "content": user}, {"role": "assistant", "content": answer}], **rest)
