from check import api_key, base_url, check, model
from llama_index.core.llms import ChatMessage
from llama_index.core.program.function_program import FunctionTool
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel, Field

say = [ChatMessage(role="user", content="Say hello to a friend.")]


class Person(BaseModel):
    """Somebody."""

    name: str = Field(max_length=20)


def make(max_tokens=24, **rest):
    return OpenAILike(
        model=model,
        api_key=api_key,
        api_base=base_url,
        is_chat_model=True,
        is_function_calling_model=True,
        should_use_structured_outputs=True,
        max_tokens=max_tokens,
        temperature=0,
        max_retries=0,
        **rest,
    )


def whole():
    answer = make().chat(say)
    assert answer.message.content and answer.raw.usage.completion_tokens > 0, answer


def stream():
    pieces = list(make().stream_chat(say))
    assert pieces[-1].message.content == make().chat(say).message.content, pieces[-1]


def complete():
    llm = OpenAILike(model=model, api_key=api_key, api_base=base_url, max_tokens=8, temperature=0, max_retries=0)
    assert llm.complete("The capital of Malaysia is").text


def schema():
    person = make(200).as_structured_llm(Person).chat(say).raw
    assert isinstance(person, Person), person


def tool():
    def greet(name: str) -> str:
        """Greets somebody."""
        return name

    tools = [FunctionTool.from_defaults(fn=greet)]
    llm = make(200)
    answer = llm.chat_with_tools(tools, chat_history=say, tool_required=True)
    [call] = llm.get_tool_calls_from_response(answer)
    assert call.tool_name == "greet" and "name" in call.tool_kwargs, call


def embeddings():
    embedder = OpenAILikeEmbedding(model_name="svc-embed-base", api_key=api_key, api_base=base_url, max_retries=0)
    vectors = embedder.get_text_embedding_batch(["a", "b"])
    assert len(vectors) == 2 and len(vectors[0]) == 1024


def error():
    try:
        make(additional_kwargs={"top_p": 9}).chat(say)
    except Exception as refused:
        assert getattr(refused, "status_code", None) == 400, repr(refused)
    else:
        raise AssertionError("not refused")


check("whole answer", whole)
check("stream", stream)
check("completion", complete)
check("JSON schema", schema)
check("tool call", tool)
check("embeddings", embeddings)
check("error class", error)
