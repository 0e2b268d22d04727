/** The chat playground against a stand-in for the API: what the page asks for and does with answers. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, type Download, expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { answerChats, scoreOf, textChunk, toChunk, toStream } from './support/completions.ts';
import { consoleCall } from './support/console-call.ts';
import { type Lokal, startLokal } from './support/lokal.ts';
import { samplePdf } from './support/sample-pdf.ts';

// Each test goes on where the one before it stopped.
test.describe.configure({ mode: 'serial' });

let lokal: Lokal;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  lokal = await startLokal();
  context = await lokal.signIn(browser, { viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  await consoleCall(context, `${lokal.url}/console/packs/bind`, {
    method: 'POST',
    data: { role: 'svc-lingua-7b', pack: null },
  });
  await page.goto(`${lokal.url}/#/chat`);
});
test.afterAll(async () => {
  await context?.close();
  await lokal.stop();
});

const message = () => page.getByRole('textbox', { name: 'Message', exact: true });
const log = () => page.getByRole('log');
const button = (name: string) => page.getByRole('button', { name, exact: true });
async function startAnew(): Promise<void> {
  const fresh = button('New conversation').first();
  if (await fresh.isEnabled()) await fresh.click();
}

async function say(text: string): Promise<void> {
  await message().fill(text);
  await message().press('Enter');
}

test('without a pack the page says so and leads to one', async () => {
  await expect(log()).toContainText('No chat pack is bound');
  await expect(log().getByRole('link', { name: 'Go to packs' })).toBeVisible();
});

test('an answer comes with its figures, and the whole conversation is sent next', async () => {
  const asked = await answerChats(page, () => toStream(textChunk('Selamat '), textChunk('pagi!')));
  await page.getByRole('textbox', { name: 'System prompt' }).fill('Be brief.');
  await say('Good morning');
  await expect(log()).toContainText('Selamat pagi!');
  await expect(log()).toContainText('12 prompt tokens · 3 generated');
  await message().fill('And in Chinese?');
  await button('Send').click();
  await expect(log().getByRole('article')).toHaveCount(4);
  expect(asked[1]?.body.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
    'system: Be brief.',
    'user: Good morning',
    'assistant: Selamat pagi!',
    'user: And in Chinese?',
  ]);
  await expectAccessible(page);
});

test('edited messages and further answers are branches to go through', async () => {
  await startAnew();
  // The conversation before is left as it was.
  await expect(page.getByRole('list', { name: 'Recents' })).toContainText('Good morning');
  await expect(page.getByRole('textbox', { name: 'System prompt' })).toHaveValue('Be brief.');
  const asked = await answerChats(page, (_, turn) => toStream(textChunk(`Answer ${turn}`)));
  await say('First');
  await expect(log()).toContainText('Answer 1');
  await button('Answer again').click();
  await expect(log()).toContainText('Answer 2');
  const versions = log().getByRole('group', { name: 'Versions of this message' });
  await expect(versions).toHaveText('2/2');
  await versions.getByRole('button', { name: 'Previous version' }).click();
  await expect(log()).toContainText('Answer 1');
  await expect(log()).not.toContainText('Answer 2');

  await message().press('ArrowUp');
  const editor = page.getByRole('textbox', { name: 'Edited message' });
  await expect(editor).toBeFocused();
  await editor.press('Escape');
  await expect(editor).toHaveCount(0);
  await message().press('ArrowUp');
  await editor.fill('Second');
  await editor.press('Enter');
  await expect(log()).toContainText('Answer 3');
  await expect(log().getByRole('article')).toHaveCount(2);
  expect(asked[2]?.body.messages.slice(1)).toEqual([{ role: 'user', content: 'Second' }]);
  await versions.getByRole('button', { name: 'Previous version' }).first().click();
  await expect(log()).toContainText('Answer 1');
  await expect(versions).toHaveText(['1/2', '1/2']);
});

test('Markdown is shown as elements; tags and dangerous addresses stay text', async () => {
  await startAnew();
  const text =
    '## Title\n\n**bold**\n\n- item\n\n```js\nlet a = 1;\n```\n\n<img src=x onerror="document.title=1"> [a](javascript:1) [b](https://example.org)';
  await answerChats(page, () => toStream(textChunk(text)));
  await say('Markdown');
  await expect(log().getByRole('heading', { name: 'Title' })).toBeVisible();
  await expect(log().getByRole('listitem')).toHaveText('item');
  await expect(log().getByRole('region', { name: 'js' })).toHaveText('let a = 1;');
  await expect(log().getByRole('button', { name: 'js: copy' })).toBeVisible();
  await expect(log()).toContainText('<img src=x');
  await expect(log().locator('img')).toHaveCount(0);
  await expect(log().getByRole('link')).toHaveText(['b']);
});

test('generation stops with Esc, and what came stays', async () => {
  await startAnew();
  await page.unroute('**/v1/chat/completions');
  await page.route('**/v1/chat/completions', () => undefined);
  await say('Hello');
  await expect(button('Stop')).toBeVisible();
  const aborted = page.waitForEvent('requestfailed');
  await page.keyboard.press('Escape');
  await aborted;
  await expect(button('Send')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('an error inside the stream is shown, what came before stays, and it can be tried again', async () => {
  await startAnew();
  const type = 'service_unavailable_error';
  const error = { message: 'The engine ended.', type, param: null, code: 'engine_crashed' };
  await answerChats(page, (_, turn) =>
    turn === 1
      ? `${textChunk('Half an ans')}data: ${JSON.stringify({ error })}\n\n`
      : toStream(textChunk('Whole')),
  );
  await say('Hello');
  await expect(page.getByRole('alert')).toContainText('The engine ended.');
  await expect(log()).toContainText('Half an ans');
  await button('Try again').click();
  await expect(log()).toContainText('Whole');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a conversation that no longer fits is explained, with ways out', async () => {
  await startAnew();
  await page.unroute('**/v1/chat/completions');
  const type = 'invalid_request_error';
  const error = { message: 'It has 9,000 tokens.', type, param: 'messages', code: 'context_length_exceeded' };
  await page.route('**/v1/chat/completions', (route) => route.fulfill({ status: 400, json: { error } }));
  await say('Hello');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('no longer fits');
  await expect(alert).toContainText('9,000');
  await expect(alert.getByRole('link', { name: 'Go to packs' })).toBeVisible();
  await expectAccessible(page);
});

test('tokens show how likely they were and what else could have stood there', async () => {
  await startAnew();
  const scored = (token: string, likelihood: number, other: string) =>
    toChunk([{ delta: { content: token }, logprobs: { content: [scoreOf(token, likelihood, other)] } }]);
  const asked = await answerChats(page, () =>
    toStream(scored('Kuala', 0.9, 'George'), scored(' Lumpur', 0.3, ' Town')),
  );
  await page.getByText('More parameters').filter({ visible: true }).click();
  await page.getByRole('switch', { name: 'Probabilities of tokens' }).click();
  await say('Capital?');
  await button('Show token by token').click();
  expect(asked[0]?.body).toMatchObject({ logprobs: true, top_logprobs: 5 });
  await log().getByText('Lumpur').hover();
  const detail = log().getByRole('status');
  await expect(detail).toContainText('30.0 %');
  await expect(detail).toContainText('Town');
  await log().getByRole('group', { name: 'Answer token by token' }).press('ArrowLeft');
  await expect(detail).toContainText('90.0 %');
  await expectAccessible(page);
  await page.getByRole('switch', { name: 'Probabilities of tokens' }).click();
});

test('a schema is checked as it is typed, with the line of its mistake', async () => {
  await startAnew();
  const asked = await answerChats(page, () => toStream(textChunk('{}')));
  await page.getByRole('tab', { name: 'Format' }).click();
  await page.getByText('JSON schema', { exact: true }).filter({ visible: true }).click();
  const schema = page.getByRole('textbox', { name: 'JSON schema' });
  await schema.fill('{\n  "type": "object",\n  "required": "a"\n}');
  await expect(page.getByText('Line 3, column 3: “required” must be a list of names.')).toBeVisible();
  await message().fill('Hello');
  await expect(button('Send')).toBeDisabled();
  await expectAccessible(page);
  await button('Verdict').click();
  await button('Send').click();
  await expect(log().getByRole('article')).toHaveCount(2);
  expect(asked[0]?.body.response_format).toMatchObject({
    json_schema: { schema: { required: ['label', 'confidence', 'reason'] } },
  });
  await page.getByText('Text', { exact: true }).filter({ visible: true }).click();
});

test('tools are called, their results typed in, and the model goes on', async () => {
  await startAnew();
  const call = { index: 0, id: 'call_1', type: 'function' as const };
  const asked = await answerChats(page, (_, turn) =>
    turn === 1
      ? toStream(
          toChunk([
            { delta: { tool_calls: [{ ...call, function: { name: 'get_weather', arguments: '' } }] } },
          ]),
          toChunk([{ delta: { tool_calls: [{ index: 0, function: { arguments: '{"city":"Ipoh"}' } }] } }]),
        )
      : toStream(textChunk('It rains.')),
  );
  await page.getByRole('tab', { name: 'Tools' }).click();
  await button('Weather').click();
  await say('Weather in Ipoh?');
  await expect(log()).toContainText('Calls get_weather');
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Result of get_weather' }).fill('{"rain": true}');
  await button('Give the results to the model').click();
  await expect(log()).toContainText('It rains.');
  expect(asked[0]?.body.tools?.[0]?.function.name).toBe('get_weather');
  expect(asked[1]?.body.messages.slice(2)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Ipoh"}' } },
      ],
    },
    { role: 'tool', content: '{"rain": true}', tool_call_id: 'call_1' },
  ]);
});

const textOf = async (download: Download): Promise<string> => readFile(await download.path(), 'utf8');

test('the conversation goes out as Markdown, JSON and code', async () => {
  const exported = async (name: string) => {
    await button('Export').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name }).click(),
    ]);
    return { name: download.suggestedFilename(), text: await textOf(download) };
  };
  const markdown = await exported('Markdown');
  expect(markdown.name).toBe('weather-in-ipoh.md');
  expect(markdown.text).toContain('## Assistant\n\nIt rains.');
  const json = await exported('JSON');
  expect(JSON.parse(json.text).request.messages).toHaveLength(5);
  await page.getByRole('tab', { name: 'Code' }).click();
  await expect(page.getByRole('region', { name: 'curl' })).toContainText('/chat/completions');
  await page.getByText('Python', { exact: true }).filter({ visible: true }).click();
  await expect(page.getByRole('region', { name: 'Python' })).toContainText('"get_weather"');
});

test('presets keep parameters under a name', async () => {
  await page.getByRole('tab', { name: 'Parameters' }).click();
  const temperature = page.getByRole('textbox', { name: 'Temperature' });
  await temperature.fill('0.25');
  await button('Save as preset').click();
  await page.getByRole('textbox', { name: 'Name of the preset' }).fill('Careful');
  await page.keyboard.press('Enter');
  const presets = page.getByRole('combobox', { name: 'Preset' });
  await expect(presets).toHaveValue('Careful');
  await presets.click();
  await page.getByRole('option', { name: 'Defaults' }).click();
  await expect(temperature).toHaveValue('0.7');
  await presets.click();
  await page.getByRole('option', { name: 'Careful' }).click();
  await expect(temperature).toHaveValue('0.25');
  await button('Remove this preset').click();
  await expect(presets).toHaveValue('Defaults');
});

test('the history is off, keeps conversations when on, and forgets them all', async () => {
  await startAnew();
  await answerChats(page, () => toStream(textChunk('Kept')));
  await button('History').click();
  const drawer = page.getByRole('dialog', { name: 'History' });
  await drawer.getByRole('switch', { name: 'Keep conversations' }).click();
  await expect(drawer).toContainText('Nothing is kept yet');
  await page.keyboard.press('Escape');
  await say('Remember this');
  await expect(log()).toContainText('Kept');
  await startAnew();
  await expect(log().getByRole('article')).toHaveCount(0);
  await page.reload();
  await button('History').click();
  await expectAccessible(page);
  await drawer.getByRole('button', { name: /^Remember this/ }).click();
  await expect(log()).toContainText('Kept');
  await button('History').click();
  await drawer.getByRole('switch', { name: 'Keep conversations' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off and forget all' }).click();
  await expect(drawer.getByRole('switch', { name: 'Keep conversations' })).not.toBeChecked();
});

test('two packs answer the same question side by side', async () => {
  await page.keyboard.press('Escape');
  await startAnew();
  const asked = await answerChats(page, ({ pack }) => toStream(textChunk(`From ${pack ?? 'the bound one'}`)));
  await page.route('**/console/packs', async (route) => {
    const response = await route.fetch();
    const overview = (await response.json()) as { packs: object[] };
    const [pack] = overview.packs;
    const roles = ['svc-lingua-7b'];
    const other = { ...pack, ref: 'other@1', name: 'Other', version: '1', roles, size_bytes: 5_000_000_000 };
    const small = { ...other, ref: 'small@1', name: 'Small', size_bytes: 50_000_000 };
    await route.fulfill({ json: { ...overview, packs: [...overview.packs, other, small] } });
  });
  await page.reload();
  await page.getByRole('switch', { name: 'Compare two packs' }).click();
  const right = page.getByRole('combobox', { name: 'Pack at the right' });
  await expect(right).toHaveValue(/Lingua Starter/);
  // Each pack is offered once; questions fit the pack that is asked.
  await page.getByRole('combobox', { name: 'Pack at the left' }).click();
  await expect(page.getByRole('option', { name: 'Small 1' })).toBeVisible();
  await expect(page.getByRole('option', { name: /Lingua Starter/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await right.click();
  await page.getByRole('option', { name: 'Small 1' }).click();
  await expect(page.getByRole('button', { name: 'Write a program' })).toHaveCount(0);
  await right.click();
  await page.getByRole('option', { name: 'Other 1' }).click();
  await expect(page.getByRole('button', { name: 'Write a program' })).toBeVisible();
  await say('Who are you?');
  await expect(page.getByRole('log', { name: 'Left conversation' })).toContainText('From the bound one');
  await expect(page.getByRole('log', { name: 'Right conversation' })).toContainText('From other@1');
  expect(asked.map(({ pack }) => pack).toSorted()).toEqual(['other@1', undefined]);
  await page.getByRole('switch', { name: 'Compare two packs' }).click();
  await expect(log()).toHaveCount(1);
});

/** The page's own words for tokens: four letters each. */
const countTokens = () =>
  page.route('**/v1/tokenize', async (route) => {
    const { prompt } = route.request().postDataJSON() as { prompt: string };
    const count = Math.ceil(prompt.length / 4);
    await route.fulfill({ json: { count, max_model_len: 2048, tokens: [], token_strs: null } });
  });

test('documents, pictures and texts go along as text, told in their chips, and can be taken out', async () => {
  test.slow();
  await startAnew();
  await countTokens();
  const asked = await answerChats(page, () => toStream(textChunk('307.80')));
  const notes = {
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Kuching at nine. </document>'),
  };
  await page
    .getByTestId('attach')
    .last()
    .setInputFiles([await samplePdf(), notes]);
  const composer = page.getByRole('list', { name: 'Attached files' });
  await expect(composer.getByRole('listitem').first()).toContainText('2 pages', { timeout: 90_000 });
  await expect(composer.getByRole('listitem').first()).toContainText('read by the parser, sent as text');
  await expect(composer.getByRole('listitem').last()).toContainText('17 tokens · sent as it is');
  await expect(page.getByText(/of the 2,048 tokens that the model can hold/)).toBeVisible();
  await expectAccessible(page);
  await say('What is the total?');
  await expect(log()).toContainText('307.80');
  const sent = String(asked[0]?.body.messages.at(-1)?.content);
  expect(sent).toContain('<document name="test-invoice.pdf" pages="2">');
  expect(sent).toContain('INV-2026-0042');
  expect(sent.match(/<\/document>/g)).toHaveLength(2);
  expect(sent.endsWith('What is the total?')).toBe(true);
  await log().getByRole('button', { name: 'notes.txt' }).click();
  const shown = page.getByRole('dialog', { name: 'What the model is sent for notes.txt' });
  await expect(shown).toContainText('Kuching at nine.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(composer).toHaveCount(1);
});

test('a file that is no text, or too long for the model, keeps the message back until it is taken out', async () => {
  await startAnew();
  const binary = { name: 'a.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 159, 146]) };
  const long = { name: 'long.txt', mimeType: 'text/plain', buffer: Buffer.from('word '.repeat(3_000)) };
  await page.getByTestId('attach').last().setInputFiles([binary, long]);
  await expect(page.getByRole('alert')).toContainText('neither a document, a picture nor a text');
  await message().fill('Hello');
  await expect(button('Send')).toBeDisabled();
  await expect(page.getByText('Remove the file that could not be read')).toBeVisible();
  await button('Remove a.bin').click();
  await expect(
    page.getByText('The files are longer than the model can hold', { exact: false }),
  ).toBeVisible();
  await button('Remove long.txt').click();
  await expect(button('Send')).toBeEnabled();
  await message().fill('');
});

test('files are dropped on the conversation and pasted into the message', async () => {
  for (const [kind, name] of [
    ['drop', 'dropped.md'],
    ['paste', 'pasted.txt'],
  ] as const) {
    await message().evaluate(
      (field, [type, file]) => {
        const data = new DataTransfer();
        data.items.add(new File(['Words'], file));
        const fields = { bubbles: true, cancelable: true };
        field.dispatchEvent(
          type === 'drop'
            ? new DragEvent('drop', { ...fields, dataTransfer: data })
            : new ClipboardEvent('paste', { ...fields, clipboardData: data }),
        );
      },
      [kind, name] as const,
    );
    await expect(page.getByRole('list', { name: 'Attached files' })).toContainText(name);
    await button(`Remove ${name}`).click();
  }
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('tools of a server run after it was started, each call once it is allowed', async () => {
  await startAnew();
  const script = fileURLToPath(new URL('../support/mcp/scripted-server.mjs', import.meta.url));
  const call = { index: 0, type: 'function' as const };
  const asked = await answerChats(page, (one, turn) =>
    one.body.messages.at(-1)?.role === 'tool'
      ? toStream(textChunk(`It is ${one.body.messages.at(-1)?.content}`))
      : toStream(
          toChunk([
            {
              delta: {
                tool_calls: [
                  {
                    ...call,
                    id: `call_mcp_${turn}`,
                    function: { name: 'add', arguments: '{"a":20,"b":22}' },
                  },
                ],
              },
            },
          ]),
        ),
  );
  await page.getByRole('tab', { name: 'Tools' }).click();
  const panel = page.getByRole('region', { name: 'Servers of tools (MCP)' });
  await panel.getByRole('textbox', { name: 'Name' }).fill('Scripted');
  await panel.getByRole('textbox', { name: /^Command or address/ }).fill(`"${process.execPath}" "${script}"`);
  await panel.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(panel.getByText('not started')).toBeVisible();
  await panel.getByRole('button', { name: 'Start Scripted' }).click();
  await expect(panel.getByRole('list', { name: 'Tools of Scripted' })).toContainText('add');

  await say('Add');
  const consent = log().getByRole('group', { name: 'Allow the tool “add” of Scripted?' });
  await expect(consent).toBeVisible();
  await expectAccessible(page);
  expect(asked[0]?.body.tools?.map((tool) => tool.function.name)).toContain('add');
  await consent.getByRole('button', { name: 'Refuse' }).click();
  await expect(log()).toContainText('It is The person refused this call.');

  await say('Add again');
  await consent.getByRole('button', { name: 'Always for this tool' }).click();
  await expect(log()).toContainText('It is 42');
  await say('And again');
  await expect(log().getByText('It is 42')).toHaveCount(2);
  await expect(consent).toHaveCount(0);
  await panel.getByText('2 calls made').click();
  await expect(panel.getByRole('listitem').filter({ hasText: 'Scripted · add' })).toHaveCount(2);
  await panel.getByRole('button', { name: 'Ask again before add' }).click();
  await panel.getByRole('button', { name: 'Stop Scripted' }).click();
  await expect(panel.getByText('not started')).toBeVisible();
  await panel.getByRole('button', { name: 'Remove Scripted' }).click();
  await expect(panel.getByRole('button', { name: 'Start Scripted' })).toHaveCount(0);
});

test('an answer that repeats itself is ended, with the reason and a way to a better model', async () => {
  await startAnew();
  const chunk = textChunk('and again ');
  await page.evaluate((line) => {
    const real = window.fetch;
    window.fetch = (input, init) => {
      if (!String(input).endsWith('/v1/chat/completions')) return real(input, init);
      window.fetch = real;
      const lines = new ReadableStream<Uint8Array>({
        start(controller) {
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        },
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          controller.enqueue(new TextEncoder().encode(line));
        },
      });
      return Promise.resolve(new Response(lines, { headers: { 'content-type': 'text/event-stream' } }));
    };
  }, chunk);
  await say('Repeat');
  await expect(log()).toContainText('ended here: the answer was repeating itself');
  await expect(button('Send')).toBeVisible();
  await log().getByRole('link', { name: 'A better model for this machine' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Models for this machine' })).toBeVisible();
});

test('an answer of nothing is told of, and the browser asks before a conversation is lost', async () => {
  await page.goto(`${lokal.url}/#/chat`);
  await startAnew();
  await answerChats(page, () => toStream(textChunk('')));
  await say('Hello');
  await expect(log()).toContainText('The model answered nothing.');
  const asked = page.waitForEvent('dialog');
  const reloading = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await reloading;
});
