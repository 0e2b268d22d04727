import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openPreferences } from '../../electron/preferences.ts';

const folder = mkdtempSync(join(tmpdir(), 'lokal-preferences-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('keeps what was changed, and starts from the platform’s defaults', () => {
  const file = join(folder, 'new', 'preferences.json');
  expect(openPreferences(file, 'linux').value.closeToTray).toBe(false);
  const preferences = openPreferences(file, 'win32');
  expect(preferences.value).toEqual({ maximized: false, closeToTray: true, hintShown: false });
  const bounds = { x: -5, y: 0, width: 800, height: 600 };
  preferences.change({ bounds, hintShown: true });
  expect(openPreferences(file, 'win32').value).toMatchObject({ bounds, hintShown: true });
});

it('takes nothing from a damaged file but what is whole', () => {
  const file = join(folder, 'damaged.json');
  writeFileSync(file, '{"bounds":{"x":1},"maximized":"yes","closeToTray":true,"other":1}');
  expect(openPreferences(file, 'linux').value).toEqual({
    maximized: false,
    closeToTray: true,
    hintShown: false,
  });
  writeFileSync(file, '{"bounds":');
  expect(openPreferences(file, 'linux').value.closeToTray).toBe(false);
});

it('goes on where nothing can be written', () => {
  writeFileSync(join(folder, 'file'), '');
  const preferences = openPreferences(join(folder, 'file', 'preferences.json'), 'linux');
  preferences.change({ maximized: true });
  expect(preferences.value.maximized).toBe(true);
});
