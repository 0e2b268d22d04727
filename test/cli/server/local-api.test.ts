/** Commands that ask the running server, over its own certificate and without a session in its database. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { capture } from '../../../build/start/child.ts';
import { fetchPinned } from '../../../server/cli/server/pinned-fetch.ts';
import { temporaryFolder } from '../../support/app/folder.ts';
import { createAuthority } from '../../support/engines/certificates.ts';

const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

it('reach a server on all addresses behind a private certificate, and leave no session in the audit log', {
  timeout: 120_000,
}, async () => {
  const home = temporaryFolder();
  const env = { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' };
  const { cert, key } = createAuthority('Site').issue('lokal.example');
  const [certFile, keyFile] = [join(home, 'c.pem'), join(home, 'k.pem')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const tls = ['--host', '0.0.0.0', '--tls-cert', certFile, '--tls-key', keyFile];
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--json', ...tls], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  expect(JSON.parse(line).console_url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/#token=/);
  const lokal = (...args: string[]) => capture([process.execPath, cli, ...args], { cwd: home, env });
  for (const args of [['ps'], ['usage'], ['config', 'set', 'files_days', '7'], ['stop']])
    expect(await lokal(...args)).toMatchObject({ code: 0 });
  const { output } = await lokal('audit', 'list', '--json');
  expect(output).toContain('settings.change');
  expect(output).toContain('command line');
  expect(output).not.toContain('session.');
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect((await lokal('ps')).output).toContain('No Lokal is running');
});

it('send nothing to a server with another certificate', async () => {
  const authority = createAuthority('Site');
  const [own, other] = [authority.issue('lokal.example'), authority.issue('lokal.example')];
  let asked = 0;
  const server = createServer(own, (request, response) => {
    asked += 1;
    response.end(request.headers['x-console-secret']);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const init = { headers: { 'x-console-secret': 's' } };
  await expect(fetchPinned(other.fingerprint)(url, init)).rejects.toThrow('Another server than Lokal');
  expect(asked).toBe(0);
  expect(await (await fetchPinned(own.fingerprint)(url, init)).text()).toBe('s');
  server.close();
});
