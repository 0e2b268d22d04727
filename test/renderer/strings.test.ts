import { globSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { count } from '../../renderer/src/format/numbers.ts';
import { ago, toDay } from '../../renderer/src/format/time.ts';
import { en } from '../../renderer/src/strings/en.ts';
import {
  catalogues,
  chooseLanguage,
  languageChoice,
  startLanguage,
  systemLanguage,
} from '../../renderer/src/strings/language.ts';
import { ms } from '../../renderer/src/strings/ms.ts';
import { t, tn } from '../../renderer/src/strings/t.ts';
import { zh } from '../../renderer/src/strings/zh.ts';

type Tree = { [key: string]: string | Tree };

function leaves(tree: Tree, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(prefix + key, value);
    else for (const [path, text] of leaves(value, `${prefix}${key}.`)) found.set(path, text);
  }
  return found;
}

const english = leaves(en as unknown as Tree);
const translations = { ms: leaves(ms as unknown as Tree), zh: leaves(zh as unknown as Tree) };
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();
const isSingular = (key: string) => key.endsWith('.one') && english.has(key.replace(/one$/, 'other'));

function memoryStorage(kept: Record<string, string> = {}): Storage {
  const map = new Map(Object.entries(kept));
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  } as Storage;
}

afterEach(() => catalogues.changeLanguage('en'));

describe.each(['ms', 'zh'] as const)('the catalogue of %s', (language) => {
  const texts = translations[language];

  it('has every text, and none that English has not', () => {
    const wanted = [...english.keys()].filter((key) => !isSingular(key));
    expect(wanted.filter((key) => !texts.has(key))).toEqual([]);
    expect([...texts.keys()].filter((key) => !english.has(key))).toEqual([]);
  });

  it('names the same values in each text', () => {
    const wrong = [...texts].filter(
      ([key, text]) => String(placeholders(text)) !== String(placeholders(english.get(key) ?? '')),
    );
    expect(wrong).toEqual([]);
  });

  it('has short words where English has, so that buttons and tabs hold them', () => {
    // A Chinese character is about as wide as two letters.
    const width = (text: string) => [...text].reduce((sum, sign) => sum + (sign > '\u2e7f' ? 1.9 : 1), 0);
    const tooLong = [...texts].filter(([key, text]) => {
      const original = english.get(key)!.length;
      return original <= 30 && width(text) > original * 1.6 + 14;
    });
    expect(tooLong).toEqual([]);
  });

  it('leaves no English sentence behind', () => {
    const same = [...texts].filter(([key, text]) => text === english.get(key) && / \w+ /.test(text));
    expect(same).toEqual([]);
  });
});

describe('the texts of the interface', () => {
  const sources = globSync('renderer/src/**/*.{ts,tsx}', { cwd: new URL('../..', import.meta.url).pathname })
    .filter((path) => !path.includes('/strings/'))
    .map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))
    .join('\n');

  it('are all used', () => {
    const named = new Set([...sources.matchAll(/['"`]([a-z_]+(?:\.[\w-]+)+)['"`]/g)].map(([, key]) => key));
    const made = [...sources.matchAll(/`([a-z_]+\.(?:[^`$\s]|\$\{[^}]*\})*)`/g)].map(
      ([, template = '']) =>
        new RegExp(
          `^${template
            .split(/\$\{[^}]*\}/)
            .map((part) => part.replace(/\./g, '\\.'))
            .join('[\\w-]+')}$`,
        ),
    );
    const isUsed = (key: string) => named.has(key) || made.some((pattern) => pattern.test(key));
    const unused = [...english.keys()].filter(
      (key) => !isUsed(key) && !isUsed(key.replace(/\.(one|other)$/, '')),
    );
    expect(unused).toEqual([]);
  });
});

describe('the language', () => {
  it.each([
    [['zh-CN', 'en'], 'zh'],
    [['ms-MY'], 'ms'],
    [['fr-FR', 'ms'], 'ms'],
    [['fr-FR'], 'en'],
    [[], 'en'],
  ])('for the system’s %j is %s', (preferred, language) => {
    expect(systemLanguage(preferred)).toBe(language);
  });

  it('is switched at once and kept', async () => {
    const storage = memoryStorage();
    await chooseLanguage('zh', storage);
    expect(t('settings.save')).toBe('保存');
    expect(storage.getItem('lokal.language')).toBe('zh');
    await startLanguage(memoryStorage({ 'lokal.language': 'ms' }));
    expect(t('settings.save')).toBe('Simpan');
    expect(languageChoice()).toBe('ms');
  });

  it('forms plurals, numbers and dates', async () => {
    expect([tn('keys.scope_count', 1), tn('keys.scope_count', 2_000)]).toEqual(['1 scope', '2,000 scopes']);
    expect(toDay(1_795_000_000)).toBe('18 Nov 2026');
    await chooseLanguage('zh', memoryStorage());
    expect([tn('keys.scope_count', 1), tn('keys.scope_count', 2_000)]).toEqual(['1 项权限', '2,000 项权限']);
    expect(toDay(1_795_000_000)).toBe('2026年11月18日');
    expect(ago(940, 1_000_000)).toBe('1分钟前');
    await chooseLanguage('ms', memoryStorage());
    expect(count(12_345)).toBe('12,345');
    expect(ago(940, 1_000_000)).toBe('1 minit lalu');
    expect(t('problem.file_too_large', { size: '1 MB', most: '<b>' })).toContain('<b>');
  });
});
