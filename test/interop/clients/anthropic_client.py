import json

import anthropic
from check import api_key, base_url, check, model, person_schema, question

client = anthropic.Anthropic(base_url=base_url.removesuffix("/v1"), api_key=api_key, max_retries=0)
ask = dict(model=model, messages=question, max_tokens=24, extra_body={"temperature": 0})


def whole():
    message = client.messages.create(**ask)
    assert message.content[0].text and message.usage.output_tokens > 0, message


def stream():
    with client.messages.stream(**ask) as events:
        text = "".join(events.text_stream)
        assert text == events.get_final_message().content[0].text, text


def tool():
    tools = [{"name": "greet", "input_schema": person_schema}]
    choice = {"type": "any"}
    message = client.messages.create(**{**ask, "max_tokens": 200}, tools=tools, tool_choice=choice)
    assert message.stop_reason == "tool_use" and isinstance(message.content[-1].input["name"], str), message


def thinking():
    message = client.messages.create(**ask, thinking=dict(type="enabled", budget_tokens=1024))
    assert message.content[-1].text, message


def counted():
    count = client.messages.count_tokens(model=model, messages=question)
    assert count.input_tokens == client.messages.create(**ask).usage.input_tokens, count


def error():
    try:
        client.messages.create(**{**ask, "max_tokens": 0})
    except anthropic.BadRequestError as refusal:
        assert refusal.body["error"]["param"] == "max_tokens", json.dumps(refusal.body)
    else:
        raise AssertionError("not refused")


check("whole answer", whole)
check("stream", stream)
check("tool call", tool)
check("thinking asked for", thinking)
check("counted tokens", counted)
check("error class", error)
