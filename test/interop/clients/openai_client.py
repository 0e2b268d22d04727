import json
import time

import openai
from check import api_key, base_url, check, model, person_schema, question

client = openai.OpenAI(base_url=base_url, api_key=api_key, max_retries=0)
chat = dict(model=model, messages=question, max_tokens=24, temperature=0)


def whole():
    answer = client.chat.completions.create(**chat)
    assert answer.choices[0].message.content and answer.usage.completion_tokens > 0


def stream():
    text, finish = "", None
    for chunk in client.chat.completions.create(**chat, stream=True, stream_options={"include_usage": True}):
        if chunk.choices:
            text += chunk.choices[0].delta.content or ""
            finish = chunk.choices[0].finish_reason or finish
    assert text and finish in ("stop", "length"), (text, finish)


def schema():
    form = {"type": "json_schema", "json_schema": {"name": "person", "strict": True, "schema": person_schema}}
    answer = client.chat.completions.create(**{**chat, "max_tokens": 200}, response_format=form)
    assert isinstance(json.loads(answer.choices[0].message.content)["name"], str)


def tool():
    tools = [{"type": "function", "function": {"name": "greet", "parameters": person_schema}}]
    answer = client.chat.completions.create(**{**chat, "max_tokens": 200}, tools=tools, tool_choice="required")
    call = answer.choices[0].message.tool_calls[0]
    assert call.function.name == "greet" and "name" in json.loads(call.function.arguments)


def responses():
    ask = dict(model=model, input=question, max_output_tokens=24, temperature=0)
    whole = client.responses.create(**ask)
    assert whole.output_text == client.chat.completions.create(**chat).choices[0].message.content, whole
    with client.responses.stream(**ask) as events:
        assert [event.type for event in events][-1] in ("response.completed", "response.incomplete")


def effort():
    assert client.chat.completions.create(**chat, reasoning_effort="low").choices[0].message.content
    reasoning = dict(effort="low", summary="auto")
    answer = client.responses.create(model=model, input=question, max_output_tokens=24, reasoning=reasoning)
    assert answer.output_text and answer.reasoning.effort == "low", answer


def batches():
    def line(name, body):
        return json.dumps(dict(custom_id=name, method="POST", url="/v1/embeddings", body=body))

    lines = [line(name, dict(model="svc-embed-base", input=name)) for name in ("one", "two")]
    content = "\n".join([*lines, line("three", dict(input="a"))]).encode()
    file = client.files.create(file=("lines.jsonl", content), purpose="batch")
    assert client.files.retrieve(file.id).bytes == len(content)
    batch = client.batches.create(input_file_id=file.id, endpoint="/v1/embeddings", completion_window="24h")
    while batch.status not in ("completed", "failed"):
        time.sleep(0.1)
        batch = client.batches.retrieve(batch.id)
    assert (batch.request_counts.completed, batch.request_counts.failed) == (2, 1), batch
    output = client.files.content(batch.output_file_id).text.strip().split("\n")
    assert [json.loads(each)["custom_id"] for each in output] == ["one", "two"]
    assert json.loads(client.files.content(batch.error_file_id).text)["response"]["status_code"] == 400
    assert batch.id in [each.id for each in client.batches.list(limit=1)]
    assert client.files.delete(file.id).deleted


def embeddings():
    data = client.embeddings.create(model="svc-embed-base", input=["a", "b"]).data
    assert len(data) == 2 and len(data[0].embedding) == 1024


def moderations():
    assert len(client.moderations.create(model="svc-shield-base", input=["a", "b"]).results) == 2


def models():
    first = client.models.list().data[0]
    assert client.models.retrieve(first.id).id == first.id


def error():
    try:
        client.chat.completions.create(**{**chat, "temperature": 9})
    except openai.BadRequestError as refused:
        assert refused.param == "temperature"
    else:
        raise AssertionError("not refused")


check("whole answer", whole)
check("stream", stream)
check("JSON schema", schema)
check("tool call", tool)
check("responses", responses)
check("an effort of thinking", effort)
check("files and batches", batches)
check("embeddings", embeddings)
check("moderations of several", moderations)
check("models", models)
check("error class", error)
