/**
 * The language of the interface: the person's choice, kept in this browser, or else the system's. i18next holds the
 * catalogues and chooses plural forms; English is part of the page, the others are loaded when they are first chosen.
 */
import { createInstance, type i18n } from 'i18next';
import { useSyncExternalStore } from 'react';
import type { Catalogue } from './catalogue.ts';
import { en } from './en.ts';

export const languages = ['en', 'ms', 'zh'] as const;
export type Language = (typeof languages)[number];
export type LanguageChoice = Language | 'auto';

/** Each by its own name, for whoever cannot read the one that is set. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  ms: 'Bahasa Melayu',
  zh: '简体中文',
};

const locales: Record<Language, string> = { en: 'en-GB', ms: 'ms-MY', zh: 'zh-CN' };

export const catalogues: i18n = createInstance({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: en } },
  keySeparator: '.',
  nsSeparator: false,
  // `pages.one` and `pages.other`.
  pluralSeparator: '.',
  interpolation: { prefix: '{', suffix: '}', escapeValue: false },
  initAsync: false,
});
void catalogues.init();

const loaders: Record<Exclude<Language, 'en'>, () => Promise<Catalogue>> = {
  ms: async () => (await import('./ms.ts')).ms,
  zh: async () => (await import('./zh.ts')).zh,
};

const stored = 'lokal.language';
const listeners = new Set<() => void>();
let choice: LanguageChoice = 'auto';

export const currentLanguage = (): Language => catalogues.language as Language;
export const currentLocale = (): string => locales[currentLanguage()];
export const languageChoice = (): LanguageChoice => choice;

const isLanguage = (text: unknown): text is Language => languages.some((each) => each === text);

/** The first of the system's languages that Lokal has, else English. Traditional Chinese readers get the simplified script. */
export function systemLanguage(preferred: readonly string[]): Language {
  const found = preferred.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage);
  return found ?? 'en';
}

async function show(language: Language): Promise<void> {
  if (language !== 'en' && !catalogues.hasResourceBundle(language, 'translation'))
    catalogues.addResourceBundle(language, 'translation', await loaders[language]());
  await catalogues.changeLanguage(language);
  if (typeof document !== 'undefined') document.documentElement.lang = locales[language];
  for (const listener of listeners) listener();
}

/** Switches at once; kept for the next start in this browser. */
export async function chooseLanguage(next: LanguageChoice, storage: Storage = localStorage): Promise<void> {
  choice = next;
  if (next === 'auto') storage.removeItem(stored);
  else storage.setItem(stored, next);
  await show(next === 'auto' ? systemLanguage(navigator.languages) : next);
}

/** At the start of the page, before it is drawn. */
export async function startLanguage(storage: Storage = localStorage): Promise<void> {
  const kept = storage.getItem(stored);
  choice = isLanguage(kept) ? kept : 'auto';
  await show(choice === 'auto' ? systemLanguage(navigator.languages) : choice);
}

/** Draws the component anew when the language changes, and all below it that it makes. */
export const useLanguage = (): Language =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    currentLanguage,
    currentLanguage,
  );

/** A formatter of the language that is set, made once for each. */
export function perLanguage<T>(make: (locale: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const locale = currentLocale();
    const known = made.get(locale) ?? make(locale);
    made.set(locale, known);
    return known;
  };
}

export const numbers = perLanguage((locale) => new Intl.NumberFormat(locale));
