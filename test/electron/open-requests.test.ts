/** What the system may ask the app to open, and nothing else. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../../build/start/paths.ts';
import { createLoginItem } from '../../electron/login-item.ts';
import { linkedPages, readArguments, readLink, readOpenedFile } from '../../electron/open-requests.ts';
import { createStandIn } from './stand-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'lokal-open-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string) => {
  const path = join(folder, name);
  writeFileSync(path, name);
  return path;
};

describe('links', () => {
  it('lead to every page of the interface', () => {
    const routes = readFileSync(join(root, 'renderer', 'src', 'routes.tsx'), 'utf8');
    const paths = [...routes.matchAll(/path: '([a-z/]{2,})'/g)].map(([, path]) => path);
    expect(linkedPages.toSorted()).toEqual(paths.filter((path) => path !== 'welcome').sort());
  });

  it.each(['lokal://documents', 'lokal://threats/rules/'])('%s opens a page', (link) => {
    expect(readLink(link)).toEqual({ kind: 'page', page: `/${link.slice(8).replace(/\/$/, '')}` });
  });

  it.each([
    'lokal://keys?create=all',
    'lokal://keys#token=1',
    'lokal://user@keys',
    'lokal://keys/../packs',
    'lokal://keys:80',
    'lokal:keys',
    'lokal://console/keys',
    'lokal://Keys',
    'https://keys',
    'javascript:alert(1)',
  ])('%s opens nothing', (link) => expect(readLink(link)).toBeNull());
});

describe('files', () => {
  it('goes to the page as bytes, a model by its path', () => {
    expect(readOpenedFile(write('Rechnung Ä.PDF'))).toEqual({
      kind: 'file',
      name: 'Rechnung Ä.PDF',
      bytes: Buffer.from('Rechnung Ä.PDF'),
    });
    const pack = write('model.lokalpack');
    expect(readOpenedFile(pack)).toEqual({ kind: 'pack', path: pack });
  });

  it('is refused where no page takes it or it is none', () => {
    for (const path of [write('run.exe'), write('page.html'), join(folder, 'absent.pdf'), folder])
      expect(readOpenedFile(path)).toBeNull();
  });

  it('is found among the options of a command line', () => {
    write('a.png');
    write('model.gguf');
    const args = ['--port', '8787', 'a.png', 'lokal://keys', '--hidden', 'model.gguf', 'nothing'];
    expect(readArguments(args, folder).map(({ kind }) => kind)).toEqual(['file', 'page', 'pack']);
  });
});

describe('opening at login', () => {
  it('is an autostart entry on Linux', () => {
    const autostartFolder = join(folder, 'config', 'autostart');
    const { app } = createStandIn();
    const item = createLoginItem({
      app,
      platform: 'linux',
      program: '/opt/My $App/100%/lokal',
      autostartFolder,
    });
    expect(item.enabled()).toBe(false);
    item.set(true);
    expect(item.enabled()).toBe(true);
    const entry = readFileSync(join(autostartFolder, 'local.lokal.desktop'), 'utf8');
    expect(entry).toContain('\nExec="/opt/My \\\\$App/100%%/lokal" --hidden\n');
    item.set(false);
    item.set(false);
    expect(item.enabled()).toBe(false);
  });

  it.each<NodeJS.Platform>(['darwin', 'win32'])('is left to the system on %s', (platform) => {
    const { app } = createStandIn();
    const item = createLoginItem({ app, platform, program: '', autostartFolder: '' });
    item.set(true);
    expect(app.loginItem).toEqual({ openAtLogin: true, args: ['--hidden'] });
    expect(item.enabled()).toBe(true);
  });
});
