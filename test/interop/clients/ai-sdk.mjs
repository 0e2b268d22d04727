import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany, generateText, jsonSchema, Output, streamText, tool } from 'ai';
import { apiKey, assert, baseURL, check, model, personSchema, question } from './check.mjs';

const lokal = createOpenAICompatible({ name: 'lokal', baseURL, apiKey, supportsStructuredOutputs: true });
const chat = { model: lokal(model), messages: question, maxOutputTokens: 24, temperature: 0, maxRetries: 0 };

await check('whole answer', async () => {
  const { text, usage } = await generateText(chat);
  assert(text && usage.outputTokens > 0, 'no text');
});
await check('stream', async () => {
  let text = '';
  const result = streamText(chat);
  for await (const piece of result.textStream) text += piece;
  assert(text && ['stop', 'length'].includes(await result.finishReason), 'no text');
});
await check('JSON schema', async () => {
  const { output } = await generateText({
    ...chat,
    maxOutputTokens: 200,
    output: Output.object({ schema: jsonSchema(personSchema) }),
  });
  assert(typeof output.name === 'string', 'no name');
});
await check('tool call', async () => {
  const greet = tool({ description: 'Greets', inputSchema: jsonSchema(personSchema) });
  const { toolCalls } = await generateText({
    ...chat,
    maxOutputTokens: 200,
    tools: { greet },
    toolChoice: 'required',
  });
  assert(toolCalls[0].toolName === 'greet' && toolCalls[0].input.name !== undefined, 'no call');
});
await check('embeddings', async () => {
  const embedder = lokal.textEmbeddingModel?.('svc-embed-base') ?? lokal.embeddingModel('svc-embed-base');
  const { embeddings } = await embedMany({ model: embedder, values: ['a', 'b'], maxRetries: 0 });
  assert(embeddings.length === 2 && embeddings[0].length === 1024, 'no vectors');
});
await check('error class', async () => {
  const error = await generateText({ ...chat, temperature: 9 }).catch((each) => each);
  assert(error.statusCode === 400, String(error));
});
