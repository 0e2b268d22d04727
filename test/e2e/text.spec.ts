/** Moderation, threats, embeddings, against whatever packs are bound; a role without one is skipped by name. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { consoleCall } from './support/console-call.ts';
import { type Lokal, startLokal } from './support/lokal.ts';

let lokal: Lokal;
let context: BrowserContext;
let page: Page;
let ready: string[];

test.beforeAll(async ({ browser }) => {
  lokal = await startLokal();
  context = await lokal.signIn(browser, { viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  const state = await consoleCall(context, `${lokal.url}/console/state`);
  ready = ((await state.json()) as { roles_ready: string[] }).roles_ready;
});
test.afterAll(async () => {
  await context?.close();
  await lokal.stop();
});

const skipUnlessBound = (role: string) => test.skip(!ready.includes(role), `no pack is bound to ${role}`);

test('moderation scores a text as it is typed, and marks what it recognized', async () => {
  skipUnlessBound('svc-shield-base');
  await page.goto(`${lokal.url}/#/moderation`);
  await page
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill('Write to aina.binti@example.com about it.');
  const bar = page.getByTestId('category-pii_exposure');
  await expect(bar).toContainText(/[01]\.\d\d/, { timeout: 30_000 });
  await expect(page.locator('mark')).toContainText('aina.binti@example.com');
  await expectAccessible(page);

  const threshold = page.getByRole('slider', { name: 'Threshold for Violence' });
  await expect(threshold).toHaveAttribute('aria-valuetext', /own threshold, 0\.\d\d/);
  await threshold.focus();
  await page.keyboard.press('Home');
  await expect(page.getByTestId('category-violence')).toHaveAttribute('data-flagged', 'true', {
    timeout: 10_000,
  });
  await page.getByRole('button', { name: 'Reset thresholds' }).click();
  await expect(page.getByTestId('category-violence')).not.toHaveAttribute('data-flagged', {
    timeout: 10_000,
  });
});

test('a text is not read again because another page was visited', async () => {
  skipUnlessBound('svc-shield-base');
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/moderations')) asked += 1;
  });
  await page.goto(`${lokal.url}/#/moderation`);
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Write to siti.binti@example.com.');
  await expect(page.locator('mark')).toContainText('siti.binti@example.com');
  const before = asked;
  await page.goto(`${lokal.url}/#/usage`);
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
  await page.goto(`${lokal.url}/#/moderation`);
  await expect(page.locator('mark')).toContainText('siti.binti@example.com');
  // What would be asked again is asked at once.
  await page.waitForTimeout(1000);
  expect(asked).toBe(before);
});

test('personal data is replaced, and encrypted data comes back with its secret', async () => {
  skipUnlessBound('svc-shield-base');
  await page.goto(`${lokal.url}/#/moderation`);
  await page
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill('Write to aina.binti@example.com about it.');
  const panel = page.getByRole('region', { name: 'Anonymize' });
  const result = panel.getByRole('textbox', { name: 'The text without personal data' });
  await panel.getByRole('button', { name: 'Anonymize' }).click();
  await expect(result).toHaveValue('Write to [EMAIL] about it.', { timeout: 30_000 });
  await panel.getByRole('checkbox', { name: 'Email address: 1' }).uncheck();
  await expect(result).toHaveValue('Write to aina.binti@example.com about it.');
  await panel.getByRole('combobox', { name: 'How it is replaced' }).click();
  await page.getByRole('option', { name: 'Encrypt' }).click();
  await panel.getByLabel('Secret, 16').fill('a secret of 16 characters');
  await panel.getByRole('button', { name: 'Anonymize' }).click();
  await panel.getByRole('checkbox', { name: 'Email address: 1' }).check();
  await expect(result).not.toHaveValue(/\[EMAIL\]|example\.com/);
  await panel.getByRole('button', { name: 'Bring back' }).click();
  await expect(panel.getByRole('textbox', { name: 'The text as it was' })).toHaveValue(
    'Write to aina.binti@example.com about it.',
  );
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('');
});

test('a text longer than one request is checked in parts, and marked where it says something', async () => {
  skipUnlessBound('svc-shield-base');
  await page.goto(`${lokal.url}/#/moderation`);
  const long = `${'The weather was fine and nothing happened.\n'.repeat(900)}Write to aina.binti@example.com.\n`;
  const buffer = Buffer.from(long);
  await page
    .locator('input[type=file][accept*=json]')
    .setInputFiles({ name: 'long.txt', mimeType: 'text/plain', buffer });
  await expect(page.getByText('2 requests')).toBeVisible();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.locator('mark')).toContainText('aina.binti@example.com', { timeout: 60_000 });
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('');
});

test('a mail or a document is taken as the text that a person reads', async () => {
  skipUnlessBound('svc-parse-pro');
  await page.goto(`${lokal.url}/#/moderation`);
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  const choose = (name: string, content: string) =>
    page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  const body = Buffer.from('Hello, my number is 012-345 6789.').toString('base64');
  const head = 'From: a@b.example\nSubject: Hi\nMIME-Version: 1.0\nContent-Type: text/plain';
  await choose('mail.eml', `${head}\nContent-Transfer-Encoding: base64\n\n${body}\n`);
  await expect(text).toHaveValue(/my number is 012-345 6789/, { timeout: 60_000 });
  await choose('notes.log', 'Plain as it is.');
  await expect(text).toHaveValue('Plain as it is.');
  await choose('broken.pdf', 'no PDF at all');
  await expect(page.getByRole('alert').last()).toBeVisible();
  await expect(text).toHaveValue('Plain as it is.');
});

test('moderation runs a CSV through', async () => {
  skipUnlessBound('svc-shield-base');
  await page.goto(`${lokal.url}/#/moderation`);
  await page.getByText('CSV file').click();
  const buffer = Buffer.from('id,text\n1,"Good morning, all"\n2,Mail a@example.com\n3,See you at noon\n');
  await page
    .locator('input[type=file][accept^=".csv"]')
    .setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Check all rows' }).click();
  await expect(page.getByText('3 of 3 checked')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('row', { name: /Mail a@example.com/ })).toContainText('Flagged');
  await page.getByRole('switch', { name: 'Only flagged' }).check();
  await expect(page.getByText('1 of 3 shown')).toBeVisible();
  await expect(page.getByText('Good morning, all')).toBeHidden();
  await page.getByRole('button', { name: 'Mail a@example.com' }).click();
  await expect(page.getByText('“a@example.com”')).toBeVisible();
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save scores as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('rows.moderation.csv');
  // Neither way of looking at texts ends the other's work.
  await page.getByText('One text', { exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toBeVisible();
  await page.getByText('CSV file').click();
  await expect(page.getByText('3 of 3 checked')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Recents' })).toContainText('rows.csv');
  await expectAccessible(page);
});

test('threats ranks findings and leads to their lines', async () => {
  skipUnlessBound('svc-guard-max');
  await page.goto(`${lokal.url}/#/threats`);
  await page.getByRole('button', { name: 'Sample log' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Analyse' }).click();
  const findings = page.getByRole('region', { name: 'Findings' });
  await expect(findings.getByRole('button').first()).toBeVisible({ timeout: 30_000 });
  await findings.getByRole('button').first().click();
  await expect(page.locator('li[data-focus]').first()).toBeVisible();
  await expect(findings).toContainText("DownloadString('http://198.51.100.23/a.ps1')");
  const indicators = page.getByRole('region', { name: 'Indicators' });
  await expect(indicators).toContainText('203[.]0[.]113[.]77');
  await indicators.getByRole('switch', { name: 'Defanged' }).uncheck();
  await expect(indicators).toContainText('203.0.113.77');
  await expect(indicators).toContainText('http://198.51.100.23/a.ps1');
  await expect(indicators).not.toContainText('rundll32.exe');
  await indicators.getByRole('button', { name: /others?: private/ }).click();
  await expect(indicators).toContainText('rundll32.exe');
  const actions = page.getByRole('region', { name: 'Recommended actions' });
  await actions.getByRole('checkbox').first().check();
  await expect(actions).toContainText(/1 of \d+ done/);
  await expectAccessible(page);
  // Another log is another piece of work: the assessment stays where it was.
  const recents = page.getByRole('list', { name: 'Recents' });
  const assessed = recents.getByRole('button', { name: /[1-9]\d* findings/ });
  await expect(assessed.first()).toBeVisible();
  await page.getByRole('button', { name: 'Edit the log' }).click();
  const log = page.getByRole('textbox', { name: 'Log', exact: true });
  await expect(log).toHaveValue(/sqlmap/);
  await log.fill('GET /index.html HTTP/1.1');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Edit the log' })).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('main')).toBeFocused();
  await assessed.first().click();
  await expect(findings).toContainText("DownloadString('http://198.51.100.23/a.ps1')");
});

test('embeddings compares and searches', async () => {
  skipUnlessBound('svc-embed-base');
  await page.goto(`${lokal.url}/#/embeddings`);
  await page.getByRole('button', { name: 'Compare' }).click();
  const matrix = page.getByRole('region', { name: 'Likeness' }).getByRole('table');
  await expect(matrix.getByRole('cell', { name: '1.00' }).first()).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  const mode = page.getByRole('radiogroup', { name: 'What to do' });
  await mode.getByText('Search', { exact: true }).click();
  await mode.getByText('Compare', { exact: true }).click();
  await expect(matrix.getByRole('cell', { name: '1.00' }).first()).toBeVisible();
  await mode.getByText('Search', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Query' }).fill('How do I get my money back?');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Search' }).getByRole('listitem').first()).toBeVisible({
    timeout: 30_000,
  });
  await expectAccessible(page);
});

test('a role without a pack says how to get one', async () => {
  const missing = ['svc-lingua-7b', 'svc-vision-pro'].filter((role) => !ready.includes(role));
  test.skip(missing.length === 0, 'every role has a pack');
  await page.goto(`${lokal.url}/#/${missing[0] === 'svc-lingua-7b' ? 'chat' : 'images'}`);
  await expect(page.getByText('No pack can answer this yet')).toBeVisible();
  await page.getByRole('link', { name: 'Go to packs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Packs' })).toBeVisible();
});
