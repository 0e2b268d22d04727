import OpenAI, { toFile } from 'openai';
import { apiKey, assert, baseURL, check, model, personSchema, question } from './check.mjs';

const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const chat = { model, messages: question, max_tokens: 24, temperature: 0 };

await check('whole answer', async () => {
  const { choices, usage } = await client.chat.completions.create(chat);
  assert(choices[0].message.content && usage.completion_tokens > 0, 'no content');
});
await check('stream', async () => {
  let text = '';
  let finish = null;
  let usage = null;
  const options = { ...chat, stream: true, stream_options: { include_usage: true } };
  for await (const chunk of await client.chat.completions.create(options)) {
    text += chunk.choices[0]?.delta.content ?? '';
    finish = chunk.choices[0]?.finish_reason ?? finish;
    usage = chunk.usage ?? usage;
  }
  assert(text && ['stop', 'length'].includes(finish) && usage.total_tokens > 0, `${text} ${finish}`);
});
await check('JSON schema', async () => {
  const json_schema = { name: 'person', strict: true, schema: personSchema };
  const answer = await client.chat.completions.create({
    ...chat,
    max_tokens: 200,
    response_format: { type: 'json_schema', json_schema },
  });
  assert(typeof JSON.parse(answer.choices[0].message.content).name === 'string', 'no name');
});
await check('tool call', async () => {
  const tools = [{ type: 'function', function: { name: 'greet', parameters: personSchema } }];
  const answer = await client.chat.completions
    .stream({ ...chat, max_tokens: 200, tools, tool_choice: 'required' })
    .finalChatCompletion();
  const [call] = answer.choices[0].message.tool_calls;
  assert(call.function.name === 'greet' && JSON.parse(call.function.arguments).name !== undefined, 'no call');
});
await check('responses', async () => {
  const ask = { model, input: question[0].content, max_output_tokens: 24, temperature: 0 };
  const whole = await client.responses.create(ask);
  const streamed = await client.responses.stream(ask).finalResponse();
  const { choices } = await client.chat.completions.create(chat);
  assert(whole.output_text === choices[0].message.content, 'not what the chat completion says');
  assert(streamed.output_text === whole.output_text && streamed.usage.output_tokens > 0, 'streamed');
});
await check('responses: a function', async () => {
  const tools = [{ type: 'function', name: 'greet', parameters: personSchema, strict: true }];
  const ask = { model, input: question, max_output_tokens: 200, tools };
  const { output } = await client.responses.create({ ...ask, tool_choice: 'required' });
  const call = output.find(({ type }) => type === 'function_call');
  assert(typeof JSON.parse(call.arguments).name === 'string', 'no call');
  const result = { type: 'function_call_output', call_id: call.call_id, output: 'Greeted.' };
  const input = [...question, ...output, result];
  const answer = await client.responses.create({ ...ask, input, tool_choice: 'none' });
  assert(answer.output[0].type === 'message', 'no answer');
});
await check('an effort of thinking', async () => {
  const { choices } = await client.chat.completions.create({ ...chat, reasoning_effort: 'low' });
  const reasoning = { effort: 'low', summary: 'auto' };
  const ask = { model, input: question, max_output_tokens: 24, reasoning, temperature: 0 };
  const answer = await client.responses.create(ask);
  assert(choices[0].message.content && answer.output_text && answer.reasoning.effort === 'low', 'effort');
});
await check('files and batches', async () => {
  const lines = ['one', 'two'].map((custom_id) =>
    JSON.stringify({
      custom_id,
      method: 'POST',
      url: '/v1/embeddings',
      body: { model: 'svc-embed-base', input: custom_id },
    }),
  );
  const refused = JSON.stringify({
    custom_id: 'three',
    method: 'POST',
    url: '/v1/embeddings',
    body: { input: 'a' },
  });
  const file = await client.files.create({
    file: await toFile(Buffer.from([...lines, refused].join('\n')), 'lines.jsonl'),
    purpose: 'batch',
  });
  assert(
    (await client.files.list()).data.some(({ id }) => id === file.id),
    'not listed',
  );
  const begun = await client.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/embeddings',
    completion_window: '24h',
    metadata: { of: 'interop' },
  });
  let batch = begun;
  while (!['completed', 'failed'].includes(batch.status)) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    batch = await client.batches.retrieve(begun.id);
  }
  const { completed, failed } = batch.request_counts;
  assert(completed === 2 && failed === 1 && batch.metadata.of === 'interop', JSON.stringify(batch));
  const output = (await (await client.files.content(batch.output_file_id)).text()).trim().split('\n');
  assert(JSON.parse(output[0]).response.body.data[0].embedding.length === 1024, 'no vector');
  const errors = await (await client.files.content(batch.error_file_id)).text();
  assert(JSON.parse(errors).response.body.error.param === 'model', errors);
  const listed = [];
  for await (const each of client.batches.list({ limit: 1 })) listed.push(each.id);
  assert(listed.includes(begun.id), 'not listed');
  assert((await client.files.delete(file.id)).deleted, 'not deleted');
});
await check('embeddings', async () => {
  const { data } = await client.embeddings.create({ model: 'svc-embed-base', input: ['a', 'b'] });
  assert(data.length === 2 && data[0].embedding.length === 1024, 'no vectors');
});
await check('moderations of several', async () => {
  const { results } = await client.moderations.create({ model: 'svc-shield-base', input: ['a', 'b'] });
  assert(results.length === 2 && typeof results[0].flagged === 'boolean', 'no results');
});
await check('models', async () => {
  const { data } = await client.models.list();
  assert((await client.models.retrieve(data[0].id)).id === data[0].id, 'not the same');
});
await check('error class', async () => {
  const error = await client.chat.completions.create({ ...chat, temperature: 9 }).catch((each) => each);
  assert(error instanceof OpenAI.BadRequestError && error.param === 'temperature', String(error));
});
