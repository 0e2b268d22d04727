import Anthropic from '@anthropic-ai/sdk';
import { apiKey, assert, baseURL, check, model, personSchema } from './check.mjs';

const client = new Anthropic({ baseURL: baseURL.replace(/\/v1$/, ''), apiKey, maxRetries: 0 });
const messages = [{ role: 'user', content: 'Say hello to a friend.' }];
const ask = { model, messages, max_tokens: 24, temperature: 0 };
const tools = [{ name: 'greet', description: 'Greet somebody.', input_schema: personSchema }];

await check('whole answer', async () => {
  const { content, usage, stop_reason } = await client.messages.create(ask);
  assert(content[0].type === 'text' && usage.output_tokens > 0 && stop_reason, JSON.stringify(content));
});
await check('stream', async () => {
  const whole = await client.messages.create(ask);
  const streamed = await client.messages.stream(ask).finalMessage();
  assert(streamed.content[0].text === whole.content[0].text, 'not the same text');
  assert(streamed.usage.output_tokens === whole.usage.output_tokens, 'not the same usage');
});
await check('tool call and its result', async () => {
  const called = await client.messages
    .stream({ ...ask, max_tokens: 200, tools, tool_choice: { type: 'any' } })
    .finalMessage();
  const call = called.content.find((block) => block.type === 'tool_use');
  assert(
    called.stop_reason === 'tool_use' && typeof call.input.name === 'string',
    JSON.stringify(called.content),
  );
  const result = { type: 'tool_result', tool_use_id: call.id, content: 'Greeted.' };
  const answer = await client.messages.create({
    ...ask,
    tools,
    tool_choice: { type: 'none' },
    messages: [
      ...messages,
      { role: 'assistant', content: called.content },
      { role: 'user', content: [result] },
    ],
  });
  assert(answer.content[0].type === 'text', JSON.stringify(answer.content));
});
await check('output format', async () => {
  const output_config = { format: { type: 'json_schema', schema: personSchema } };
  const { content } = await client.messages.create({ ...ask, max_tokens: 200, output_config });
  assert(typeof JSON.parse(content[0].text).name === 'string', content[0].text);
});
await check('thinking asked for', async () => {
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  const { content } = await client.messages.stream({ ...ask, thinking }).finalMessage();
  assert(content.at(-1).type === 'text' && content.at(-1).text, JSON.stringify(content));
});
await check('counted tokens', async () => {
  const { input_tokens } = await client.messages.countTokens({ model, messages });
  const { usage } = await client.messages.create(ask);
  assert(input_tokens === usage.input_tokens, `${input_tokens} ${usage.input_tokens}`);
});
await check('stream given up', async () => {
  const stream = client.messages.stream({ ...ask, max_tokens: 200 });
  for await (const event of stream) if (event.type === 'message_start') break;
  assert((await client.messages.create(ask)).content.length === 1, 'no answer afterwards');
});
await check('error class', async () => {
  const error = await client.messages.create({ ...ask, max_tokens: 0 }).catch((each) => each);
  assert(error.status === 400 && /max_tokens/.test(error.message), String(error));
});
