import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { apiKey, assert, baseURL, check, model, personSchema } from './check.mjs';

const make = (maxTokens, rest = {}) =>
  new ChatOpenAI({
    model,
    apiKey,
    maxTokens,
    temperature: 0,
    maxRetries: 0,
    configuration: { baseURL },
    ...rest,
  });
const say = 'Say hello to a friend.';

await check('whole answer', async () => {
  const answer = await make(24).invoke(say);
  assert(answer.content && answer.usage_metadata.output_tokens > 0, 'no content');
});
await check('stream', async () => {
  let text = '';
  for await (const chunk of await make(24).stream(say)) text += chunk.content;
  assert(text, 'no text');
});
await check('JSON schema', async () => {
  const structured = make(200).withStructuredOutput(
    { title: 'person', ...personSchema },
    { method: 'jsonSchema' },
  );
  assert(typeof (await structured.invoke(say)).name === 'string', 'no name');
});
await check('tool call', async () => {
  const greet = {
    type: 'function',
    function: { name: 'greet', description: 'Greets', parameters: personSchema },
  };
  const answer = await make(200).bindTools([greet], { tool_choice: 'required' }).invoke(say);
  assert(answer.tool_calls[0].name === 'greet' && answer.tool_calls[0].args.name !== undefined, 'no call');
});
await check('embeddings', async () => {
  const embeddings = new OpenAIEmbeddings({
    model: 'svc-embed-base',
    apiKey,
    configuration: { baseURL },
    maxRetries: 0,
  });
  const vectors = await embeddings.embedDocuments(['a', 'b']);
  assert(vectors.length === 2 && vectors[0].length === 1024, 'no vectors');
});
await check('error class', async () => {
  const error = await make(24, { temperature: 9 })
    .invoke(say)
    .catch((each) => each);
  assert(error.status === 400, String(error));
});
