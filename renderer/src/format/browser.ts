/** A browser's own description of itself, in two words. */
import { t } from '../strings/t.ts';

const browsers: [RegExp, string][] = [
  [/Electron\//, 'Lokal'],
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chromium'],
  [/Safari\//, 'Safari'],
];

const systems: [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Enough to tell two apart; the whole of it is the row's title. */
export function toBrowser(agent: string): string {
  const find = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(agent))?.[1];
  const names = [find(browsers), find(systems)].filter((name) => name !== undefined);
  return names.length > 0 ? names.join(', ') : agent || t('settings.unknown_browser');
}
