from check import api_key, base_url, check, model, person_schema
from langchain_openai import ChatOpenAI, OpenAIEmbeddings

say = "Say hello to a friend."


def make(max_tokens, temperature=0):
    return ChatOpenAI(
        model=model, api_key=api_key, base_url=base_url, max_tokens=max_tokens, temperature=temperature, max_retries=0
    )


def whole():
    answer = make(24).invoke(say)
    assert answer.content and answer.usage_metadata["output_tokens"] > 0


def stream():
    assert "".join(chunk.content for chunk in make(24).stream(say))


def schema():
    structured = make(200).with_structured_output({"title": "person", **person_schema}, method="json_schema")
    assert isinstance(structured.invoke(say)["name"], str)


def tool():
    greet = {"type": "function", "function": {"name": "greet", "description": "Greets", "parameters": person_schema}}
    answer = make(200).bind_tools([greet], tool_choice="required").invoke(say)
    assert answer.tool_calls[0]["name"] == "greet" and "name" in answer.tool_calls[0]["args"]


def embeddings():
    # Token ids are not taken: the texts themselves are sent.
    embedder = OpenAIEmbeddings(
        model="svc-embed-base", api_key=api_key, base_url=base_url, check_embedding_ctx_length=False, max_retries=0
    )
    vectors = embedder.embed_documents(["a", "b"])
    assert len(vectors) == 2 and len(vectors[0]) == 1024


def error():
    try:
        make(24, temperature=9).invoke(say)
    except Exception as refused:
        assert getattr(refused, "status_code", None) == 400, refused
    else:
        raise AssertionError("not refused")


for name, work in [
    ("whole answer", whole),
    ("stream", stream),
    ("JSON schema", schema),
    ("tool call", tool),
    ("embeddings", embeddings),
    ("error class", error),
]:
    check(name, work)
