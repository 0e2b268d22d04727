/** Folders worked through: once each by content, on from where a run stopped, failures put aside. */
import { appendFile, mkdir, mkdtemp, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { documentChoice } from '../../../server/services/folders/document-outputs.ts';
import {
  type FolderJob,
  type FolderOutcome,
  FolderRun,
} from '../../../server/services/folders/folder-work.ts';

let from: string;
let out: string;
let worked: string[];
let told: FolderOutcome[];
beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), 'folder-work-'));
  [from, out, worked, told] = [join(root, 'in'), join(root, 'in', 'out'), [], []];
  await mkdir(join(from, 'sub'), { recursive: true });
  await writeFile(join(from, 'a.txt'), 'alpha');
  await writeFile(join(from, 'same.txt'), 'alpha');
  await writeFile(join(from, 'sub', 'b.txt'), 'beta');
  await writeFile(join(from, 'bad.txt'), 'no good');
  await writeFile(join(from, '.hidden'), 'x');
});

const open = () =>
  FolderRun.open({
    kind: 'test',
    from,
    out,
    report: (outcome) => told.push(outcome),
    async work(bytes, name) {
      worked.push(name);
      if (bytes.toString().startsWith('no')) throw new Error('it is no good');
      return [{ suffix: '.up', data: bytes.toString().toUpperCase() }];
    },
  });

describe('a folder', () => {
  test('is worked through once each by content, failures put aside with their reason', async () => {
    const run = await open();
    expect(await run.pass()).toBe(1);
    expect(worked).toEqual(['a.txt', 'bad.txt', join('sub', 'b.txt')]);
    expect(told.map(({ result }) => result).toSorted()).toEqual(['done', 'done', 'failed', 'known']);
    expect(await readFile(join(out, 'sub', 'b.txt.up'), 'utf8')).toBe('BETA');
    expect((await readdir(join(out, 'errors'))).toSorted()).toEqual(['bad.txt', 'bad.txt.error.txt']);
    expect(await readFile(join(out, 'errors', 'bad.txt.error.txt'), 'utf8')).toBe('it is no good\n');
    await run.pass();
    expect(worked).toHaveLength(3);
  });

  test('puts no copy of what fails beside answers that are to be free of it', async () => {
    const work = () => Promise.reject(new Error('it is no good'));
    const run = await FolderRun.open({
      kind: 'test',
      from,
      out,
      secret: true,
      report: () => undefined,
      work,
    });
    await run.pass();
    const below = (await readdir(join(out, 'errors'), { recursive: true })).toSorted();
    expect(below).toContain('bad.txt.error.txt');
    expect(below).not.toContain('bad.txt');
  });

  test('is done anew where something else is chosen', async () => {
    let done = 0;
    const work = async () => [{ suffix: '.out', data: String(++done) }];
    const counts: number[] = [];
    for (const pii of ['email', 'email', 'all', 'email']) {
      const run = await FolderRun.open({
        kind: 'test',
        from,
        out,
        choice: { pii },
        report: () => undefined,
        work,
      });
      await run.pass();
      counts.push(done);
    }
    // Two of the four files are of one content; the answers of a former choice were replaced by those of the next.
    expect(counts).toEqual([3, 3, 6, 9]);
  });

  test('keeps no failure of a file that is through, and other failures', async () => {
    await writeFile(join(from, 'sub', 'worse.txt'), 'no, no');
    await (await open()).pass();
    const errors = async () => (await readdir(join(out, 'errors'), { recursive: true })).toSorted();
    expect(await errors()).toContain(join('sub', 'worse.txt.error.txt'));
    await writeFile(join(from, 'sub', 'worse.txt'), 'better');
    await (await open()).pass();
    expect(await errors()).toEqual(['bad.txt', 'bad.txt.error.txt']);
    await writeFile(join(from, 'bad.txt'), 'good');
    await (await open()).pass();
    expect(await readdir(out)).not.toContain('errors');
  });

  test('keeps no weaker answer where a stricter choice fails, or writes other files', async () => {
    const run = async (pii: string, work: FolderJob['work'], secret = true) => {
      const report = (outcome: FolderOutcome) => told.push(outcome);
      await (await FolderRun.open({ kind: 'test', from, out, secret, choice: { pii }, report, work })).pass();
      return (await readdir(out)).filter((name) => name.startsWith('a.txt')).toSorted();
    };
    const parts = async () => ['.1', '.2'].map((suffix) => ({ suffix, data: 'x' }));
    const whole = async () => [{ suffix: '.1', data: 'y' }];
    const fails = () => Promise.reject(new Error('something can still be read'));
    expect(await run('email', parts)).toEqual(['a.txt.1', 'a.txt.2']);
    expect(await run('name', whole)).toEqual(['a.txt.1']);
    expect(await run('all', fails)).toEqual([]);
    const reason = 'something can still be read; the answer of an earlier choice was removed';
    expect(told.at(-1)).toMatchObject({ result: 'failed', reason });
    expect(await readFile(join(out, 'errors', 'a.txt.error.txt'), 'utf8')).toBe(`${reason}\n`);
    // It is gone, so the earlier choice is work again.
    expect(await run('name', whole)).toEqual(['a.txt.1']);
    expect(await run('open', fails, false)).toEqual(['a.txt.1']);
  });

  test('is read anew in another form or by another template', () => {
    expect(documentChoice('json', null)).toBeUndefined();
    expect(documentChoice('json', '')).toBeUndefined();
    const choices = [documentChoice('markdown', null), documentChoice('json', 'invoice')];
    expect(choices).toEqual([
      { format: 'markdown', template: null },
      { format: 'json', template: 'invoice' },
    ]);
  });

  test('is done anew where a file has its former content again', async () => {
    const run = await open();
    for (const content of ['one', 'two', 'one']) {
      await writeFile(join(from, 'a.txt'), content);
      await utimes(join(from, 'a.txt'), 1, told.length + 1);
      await run.pass();
      expect(await readFile(join(out, 'a.txt.up'), 'utf8')).toBe(content.toUpperCase());
    }
  });

  test.skipIf(process.platform !== 'linux')('ends on a full disk, in one line', async () => {
    await mkdir(out);
    await symlink('/dev/full', join(out, '.lokal-test.jsonl'));
    await expect((await open()).pass()).rejects.toThrow(`${out}: there is no room on its disk`);
  });

  test('gives a file the name that its work asks for', async () => {
    const work = async () => [{ suffix: '.md', inPlaceOf: '.txt', data: 'x' }];
    const run = await FolderRun.open({ kind: 'test', from, out, report: () => undefined, work });
    await run.pass();
    expect(await readdir(out)).toContain('a.md');
  });

  test('refuses a file that is nothing of what its name says', async () => {
    await writeFile(join(from, 'bill.pdf'), 'junk');
    await writeFile(
      join(from, 'message.pdf'),
      `From: a@b.c\n\n${'A page saved under another name. '.repeat(5)}`,
    );
    await writeFile(join(from, 'cut.pdf'), '%PDF-1.7 cut');
    await (await open()).pass();
    expect(worked).toEqual(expect.arrayContaining(['message.pdf', 'cut.pdf']));
    expect(worked).not.toContain('bill.pdf');
    expect(await readFile(join(out, 'errors', 'bill.pdf.error.txt'), 'utf8')).toContain('named .pdf, but');
  });

  test('is not its own output folder, and skips it below, by whichever path it is named', async () => {
    const link = join(from, '..', 'link');
    await symlink(from, link);
    const job = { kind: 'test', report: () => undefined, work: async () => [{ suffix: '.up', data: 'x' }] };
    for (const out of [from, link, join(from, 'sub', '..')])
      await expect(FolderRun.open({ ...job, from, out })).rejects.toThrow('is the folder that is read');
    const seen: string[] = [];
    const report = ({ name }: FolderOutcome) => seen.push(name);
    const run = await FolderRun.open({ ...job, from: link, out, report });
    for (let pass = 0; pass < 2; pass++) await run.pass();
    expect(seen.toSorted()).toEqual(['a.txt', 'bad.txt', 'same.txt', join('sub', 'b.txt')]);
  });

  test('goes on where it stopped, a half-written line of the journal notwithstanding', async () => {
    await (await open()).pass();
    await appendFile(join(out, '.lokal-test.jsonl'), '{"sha256":"00');
    await writeFile(join(from, 'c.txt'), 'gamma');
    worked = [];
    await (await open()).pass();
    expect(worked).toEqual(['bad.txt', 'c.txt']);
  });

  test('a file that was just written waits for the next pass', async () => {
    const run = await open();
    await run.pass({ settled: false });
    expect(worked).toEqual([]);
  });

  test('a lone file is a folder of one', async () => {
    from = join(from, 'a.txt');
    await (await open()).pass();
    expect(await readFile(join(out, 'a.txt.up'), 'utf8')).toBe('ALPHA');
  });

  test('what is not there is said in one line', async () => {
    from = join(from, 'nothing');
    await expect(open()).rejects.toThrow('is not there');
  });
});
