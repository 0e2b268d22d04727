import { Ollama } from 'ollama';
import { apiKey, assert, baseURL, check, personSchema, question } from './check.mjs';

const headers = { Authorization: `Bearer ${apiKey}` };
const client = new Ollama({ host: baseURL.replace(/\/v1$/, ''), headers });
const ask = { model: 'svc-lingua-7b', messages: question, options: { temperature: 0, num_predict: 24 } };

await check('whole answer', async () => {
  const { message, done, eval_count } = await client.chat(ask);
  assert(message.content && done && eval_count > 0, JSON.stringify(message));
});
await check('stream', async () => {
  const whole = await client.chat(ask);
  let text = '';
  for await (const part of await client.chat({ ...ask, stream: true })) text += part.message.content;
  assert(text === whole.message.content, text);
});
await check('format', async () => {
  const { message } = await client.chat({ ...ask, options: { num_predict: 200 }, format: personSchema });
  assert(typeof JSON.parse(message.content).name === 'string', message.content);
});
await check('generate', async () => {
  const { response } = await client.generate({
    model: ask.model,
    options: ask.options,
    prompt: question[0].content,
  });
  assert(response, 'nothing');
});
await check('embed', async () => {
  const { embeddings } = await client.embed({ model: 'svc-embed-base', input: ['a', 'b'] });
  assert(embeddings.length === 2 && embeddings[0].length === 1024, 'no vectors');
});
await check('list and show', async () => {
  const { models } = await client.list();
  const { capabilities } = await client.show({ model: models[0].name });
  assert(capabilities.includes('completion'), capabilities);
});
await check('error', async () => {
  const error = await client.chat({ ...ask, model: 'llama3' }).catch((each) => each);
  assert(error.status_code === 404 && /llama3/.test(error.message), String(error));
});
