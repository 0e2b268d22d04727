/** The proof as a person runs it; and that it fails where something does talk. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { OfflineReport } from '../../server/offline-proof/prove.ts';
import { noProofReason } from '../../server/offline-proof/prove.ts';
import { verifyDocument } from '../../server/signing/document.ts';
import { temporaryFolder } from '../support/app/folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const reason = noProofReason();

const run = (args: string[], home: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '', ORT_DISABLE_TELEMETRY: '' };
    execFile(process.execPath, args, { env, maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

/** A copy of the program in which one file reads otherwise. */
function copyWith(path: string, change: (text: string) => string): string {
  const copy = temporaryFolder();
  cpSync(join(root, 'server'), join(copy, 'server'), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'models'));
  symlinkSync(join(root, 'models', 'packs'), join(copy, 'models', 'packs'));
  const file = join(copy, path);
  const before = readFileSync(file, 'utf8');
  expect(change(before)).not.toBe(before);
  writeFileSync(file, change(before));
  return copy;
}

/** Of all processes. */
const commandLines = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });

describe.skipIf(reason !== null)(`lokal prove-offline (${reason ?? 'namespaces are allowed'})`, () => {
  it('finds nothing: six services, six confined hosts, no attempt, no file outside; signed', async () => {
    const out = temporaryFolder();
    const command = [join(root, 'server', 'cli.ts'), 'prove-offline', '--quick', '--json', '--out', out];
    const { code, stdout, stderr } = await run(command, join(out, 'home'));
    const figures = JSON.parse(stdout) as object;
    const report = JSON.parse(readFileSync(join(out, 'offline-report.json'), 'utf8')) as OfflineReport;
    expect(report.failures).toEqual([]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^\[1\/20\] lokal doctor.*\n(\[\d+\/20\] .*\n)+\[20\/20\] hashes/);
    expect(figures).toMatchObject({
      passed: true,
      attempts: 0,
      files_outside: 0,
      services: 6,
      sandboxed_hosts: 6,
    });
    expect(verifyDocument(report).value).toMatch(/^[\w-]{86}$/);
    expect(() =>
      verifyDocument({ ...report, attempts: [{ at_ms: 1, kind: 'connect', target: 'x' }] }),
    ).toThrow();
    expect(report.packs.map(({ name }) => name)).toContain('embed-starter');
    expect(readFileSync(join(out, 'offline-report.html'), 'utf8')).toContain(
      'Passed: nothing tried to leave',
    );
  }, 600_000);

  it('ends all it started and clears its folder away at Ctrl+C', async () => {
    const temporary = temporaryFolder();
    const env = { ...process.env, LOKAL_HOME: join(temporary, 'home'), TMPDIR: temporary, NODE_OPTIONS: '' };
    const args = [join(root, 'server', 'cli.ts'), 'prove-offline', '--quick'];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    await once(createInterface({ input: child.stderr }), 'line');
    const proofs = () => readdirSync(temporary).filter((name) => name.startsWith('lokal-offline-'));
    const [folder] = proofs();
    expect(commandLines().filter((line) => line.includes(folder!))).not.toEqual([]);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(proofs()).toEqual([]);
    expect(commandLines().filter((line) => line.includes(folder!))).toEqual([]);
  });

  it('sees onnxruntime’s telemetry when nothing turns it off', { timeout: 600_000 }, async () => {
    const undone = copyWith('server/engine/onnx/library/library.ts', (text) =>
      text.replace('  disableTelemetry();\n', ''),
    );
    const config = join(undone, 'server', 'config.ts');
    writeFileSync(config, readFileSync(config, 'utf8').replace("ORT_DISABLE_TELEMETRY: '1',", ''));
    const script = `
      const { prove } = await import('${join(undone, 'server/offline-proof/prove.ts')}');
      const { readConfig } = await import('${config}');
      const options = { folders: readConfig().folders, env: process.env, quick: true, freeOnly: true };
      console.log(JSON.stringify(await prove(options)));`;
    const { stdout, stderr } = await run(['--input-type=module', '-e', script], join(undone, 'home'));
    if (stdout === '') throw new Error(`the proof broke: ${stderr.slice(-2_000)}`);
    const report = JSON.parse(stdout) as OfflineReport;
    expect(report.passed).toBe(false);
    expect(report.attempts.map(({ kind, target }) => `${kind} ${target}`)).toContain(
      'look-up mobile.events.data.microsoft.com',
    );
    expect(report.files_outside.join('\n')).toMatch(/onnxruntime/);
  });
});

it.skipIf(reason === null)('says by name where it cannot prove anything', async () => {
  const { code, stdout } = await run(
    [join(root, 'server', 'cli.ts'), 'prove-offline', '--json'],
    temporaryFolder(),
  );
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toEqual({ skipped: reason });
});
