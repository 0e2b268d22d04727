/** The page of remote engines: one is added with a live trial, drained, removed, brought back; where requests would go is told. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { consoleCall } from './support/console-call.ts';
import { type Lokal, startLokal } from './support/lokal.ts';

test.describe.configure({ mode: 'serial' });

let lokal: Lokal;
let context: BrowserContext;
let page: Page;
let engine: Server;
let engineUrl: string;

/** As much of OpenAI's protocol as a trial and a stream ask for. */
function answerChat(stream: boolean): string {
  const choice = (delta: object, finish: string | null) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'tiny',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 };
  const events = [
    choice({ role: 'assistant', content: 'Hello ' }, null),
    choice({ content: 'friend' }, null),
    choice({}, 'stop'),
    { ...choice({}, null), choices: [], usage },
  ];
  return stream
    ? `${events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`
    : '';
}

test.beforeAll(async ({ browser }) => {
  engine = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.url === '/health') return response.end('{}');
      if (request.url === '/v1/models')
        return response
          .setHeader('content-type', 'application/json')
          .end('{"object":"list","data":[{"id":"tiny","object":"model","max_model_len":512}]}');
      if (request.url === '/v1/chat/completions')
        return response.setHeader('content-type', 'text/event-stream').end(answerChat(true));
      return response.writeHead(404).end();
    });
  });
  await new Promise<void>((done) => engine.listen(0, '127.0.0.1', done));
  engineUrl = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  lokal = await startLokal();
  context = await lokal.signIn(browser, { viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
});
test.afterAll(async () => {
  await context?.close();
  await lokal.stop();
  engine.close();
});

const row = () =>
  page.getByRole('region', { name: 'Engines', exact: true }).getByRole('row', { name: /gpu-1/ });

test('an engine is added, and its trial shown', async () => {
  await page.goto(`${lokal.url}/#/engines`);
  await expect(page.getByRole('heading', { level: 1, name: 'Remote engines' })).toBeVisible();
  await expect(page.getByText('No remote engine')).toBeVisible();
  await expectAccessible(page, ['light']);
  await page.getByRole('button', { name: 'Add engine' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('http://gpu.example:8000');
  await dialog.getByRole('button', { name: 'Add engine' }).click();
  await expect(dialog).toContainText('Lower-case letters');
  await expect(dialog).toContainText('Plain http goes to this machine only');
  await expectAccessible(page, ['light']);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('gpu-1');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(engineUrl);
  await dialog.getByLabel('svc-lingua-7b').fill('tiny');
  await dialog.getByRole('switch', { name: 'Personal data by pseudonyms' }).check();
  await dialog.getByRole('button', { name: 'Add engine' }).click();
  const trial = page.getByRole('dialog', { name: 'Trial of gpu-1' });
  await expect(trial.getByRole('status')).toContainText('used from now on');
  await expect(trial).toContainText('window 512');
  await expect(trial.getByRole('row', { name: /chat \(tiny\)/ })).toContainText('yes');
  await expectAccessible(page);
  await trial.getByRole('button', { name: 'Done' }).click();
  await expect(row()).toContainText('healthy');
  await expect(row()).toContainText('svc-lingua-7b');
  await expect(row()).toContainText('with pseudonyms');
  await expect(page.getByText('All engines listen on this machine')).toBeVisible();
});

test('it is drained, given requests again, and its services are routed', async () => {
  await page.getByRole('button', { name: /^Drain gpu-1/ }).click();
  await expect(row()).toContainText('draining');
  const routes = page.getByRole('region', { name: 'Where requests go' });
  await page.getByRole('button', { name: 'Give gpu-1 requests again' }).click();
  await expect(row()).toContainText('healthy');
  await routes.getByRole('button', { name: 'Set where svc-lingua-7b goes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Targets, first to last').fill('gpu-1');
  await dialog.getByLabel('Targets, first to last').press('Enter');
  await dialog.getByLabel('Targets, first to last').fill('local');
  await dialog.getByLabel('Targets, first to last').press('Enter');
  await expectAccessible(page, ['light']);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(routes.getByRole('row', { name: /svc-lingua-7b/ })).toContainText('gpu-1 → this machine');
  await expectAccessible(page);
});

test('an engine beyond this machine is told of before anything goes there', async () => {
  const added = await consoleCall(context, `${lokal.url}/console/engines`, {
    method: 'POST',
    data: {
      name: 'away',
      kind: 'openai',
      base_url: 'http://gpu.invalid:8000',
      allow_http: true,
      timeouts: { connect_ms: 50 },
    },
  });
  expect(added.status()).toBe(201);
  await expect(page.getByText('Sealed: engines beyond this machine are not asked.')).toBeVisible();
  const unsealed = await consoleCall(context, `${lokal.url}/console/settings`, {
    method: 'PATCH',
    data: { sealed: false },
  });
  expect(unsealed.ok()).toBe(true);
  await expect(page.getByRole('alert').filter({ hasText: 'leaves this machine for' })).toContainText(
    'away (gpu.invalid:8000)',
  );
  await expect(page.getByRole('alert').filter({ hasText: 'Without encryption' })).toContainText('away');
  await expectAccessible(page, ['light']);
});

test('one without a secret is removed and brought back', async () => {
  await page.getByRole('button', { name: 'Remove gpu-1' }).click();
  await expect(row()).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row()).toContainText('healthy');
});
