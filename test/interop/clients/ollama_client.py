import ollama
from check import api_key, base_url, check, person_schema, question

client = ollama.Client(host=base_url.removesuffix("/v1"), headers={"Authorization": f"Bearer {api_key}"})
ask = dict(model="svc-lingua-7b", messages=question, options={"temperature": 0, "num_predict": 24})


def whole():
    answer = client.chat(**ask)
    assert answer.message.content and answer.done and answer.eval_count > 0, answer


def stream():
    text = "".join(part.message.content for part in client.chat(**ask, stream=True))
    assert text == client.chat(**ask).message.content, text


def form():
    answer = client.chat(**{**ask, "options": {"num_predict": 200}}, format=person_schema)
    assert "name" in answer.message.content, answer


def embed():
    vectors = client.embed(model="svc-embed-base", input=["a", "b"]).embeddings
    assert len(vectors) == 2 and len(vectors[0]) == 1024


def models():
    assert client.list().models[0].model == "svc-lingua-7b"


check("whole answer", whole)
check("stream", stream)
check("format", form)
check("embed", embed)
check("models", models)
