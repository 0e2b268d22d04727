/** Everything the palette offers now. */
import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useRead } from '../../../api/queries.ts';
import { titleOf } from '../../../format/pack-title.ts';
import { ago } from '../../../format/time.ts';
import { chooseLanguage, type Language, languageNames, languages } from '../../../strings/language.ts';
import { type TextKey, t } from '../../../strings/t.ts';
import { work } from '../../../work/work-context.ts';
import { elsewhere, machine, playgroundOf, playgrounds, service } from '../nav-items.tsx';
import { useRecents } from '../work/use-recents.ts';
import type { PaletteItem } from './palette-search.ts';
import { goKeys } from './shortcuts.ts';

export interface PaletteActions {
  onShortcuts: () => void;
  /** New work was begun on the page that is being opened. */
  onFresh: () => void;
}

export function usePaletteItems({ onShortcuts, onFresh }: PaletteActions): PaletteItem[] {
  const navigate = useNavigate();
  const { items: recent, open } = useRecents();
  const { setColorScheme } = useMantineColorScheme();
  const packs = useRead('GET /console/packs').data?.packs;
  const state = useRead('GET /console/state').data;
  const go = (to: string) => () => void navigate(to);
  const scheme = (name: 'light' | 'dark' | 'auto') => () => setColorScheme(name);
  return [
    ...recent.map(
      (item): PaletteItem => ({
        id: `work:${item.id}`,
        group: 'recents',
        title: item.title,
        note: `${t(playgroundOf(item.kind).label)} · ${ago(item.updatedMs / 1000)}`,
        run: () => void open(item),
      }),
    ),
    ...playgrounds.map(
      ({ kind, label, to }): PaletteItem => ({
        id: `new:${kind}`,
        group: 'actions',
        title: t('work.fresh_of', { kind: t(label) }),
        run: () => {
          work.begin(kind);
          void Promise.resolve(navigate(to)).then(onFresh);
        },
      }),
    ),
    action('light', t('work.palette.light'), scheme('light')),
    action('dark', t('work.palette.dark'), scheme('dark')),
    action('system', t('work.palette.system'), scheme('auto')),
    ...languages.map((language) => ({
      ...action(`language-${language}`, languageNames[language], () => void chooseLanguage(language)),
      words: `${t('settings.language')} ${namesOf(language)}`,
    })),
    action(
      'copy-url',
      t('work.palette.copy_url'),
      () => void navigator.clipboard.writeText(state?.base_url ?? ''),
    ),
    { ...action('shortcuts', t('work.palette.shortcuts'), onShortcuts), keys: '?' },
    ...[...playgrounds, ...service, ...machine, ...elsewhere].map(
      ({ label, to }): PaletteItem => ({
        id: `page:${to}`,
        group: 'pages',
        title: t(label),
        ...wordsOf(to),
        ...(goKeys[to] && { keys: `g ${goKeys[to]}` }),
        run: go(to),
      }),
    ),
    ...(packs ?? []).map(
      (pack): PaletteItem => ({
        id: `pack:${pack.ref}`,
        group: 'packs',
        title: titleOf(pack),
        note: pack.ref,
        run: go('/packs'),
      }),
    ),
    ...settingsParts.map(
      (part): PaletteItem => ({
        id: `settings:${part}`,
        group: 'settings',
        title: t(`settings.${part}`),
        note: t('settings.title'),
        run: go(`/settings?part=${part}`),
      }),
    ),
    ...settingRows.map(
      ({ part, label }): PaletteItem => ({
        id: `setting:${label}`,
        group: 'settings',
        title: t(label),
        note: t(`settings.${part}`),
        run: go(`/settings?part=${part}`),
      }),
    ),
  ];
}

/** The name of a language in each language of the interface. */
const namesOf = (language: Language): string =>
  languages.map((into) => new Intl.DisplayNames(into, { type: 'language' }).of(language)).join(' ');

const settingsParts = ['appearance', 'work', 'limits', 'engines', 'network', 'sessions'] as const;

interface SettingRow {
  part: (typeof settingsParts)[number];
  label: Extract<
    TextKey,
    | `settings.${'numbers' | 'threat_summaries' | 'document_fields' | 'require_confinement'}${string}label`
    | `settings.${'work_keep' | 'data_folder' | 'sealed' | 'url_fetch' | 'cors'}`
  >;
}

/** Settings that people look for by their name. */
const settingRows: SettingRow[] = [
  { part: 'work', label: 'settings.work_keep' },
  { part: 'work', label: 'settings.data_folder' },
  ...(['idle_unload_seconds', 'memory_ceiling_mb', 'threads', 'max_queue', 'body_limit_mb'] as const).map(
    (name): SettingRow => ({ part: 'engines', label: `settings.numbers.${name}.label` }),
  ),
  { part: 'engines', label: 'settings.threat_summaries.label' },
  { part: 'engines', label: 'settings.document_fields.label' },
  { part: 'engines', label: 'settings.require_confinement.label' },
  { part: 'network', label: 'settings.sealed' },
  { part: 'network', label: 'settings.url_fetch' },
  { part: 'network', label: 'settings.cors' },
];

const worded = [
  'chat',
  'documents',
  'moderation',
  'threats',
  'packs',
  'network',
  'diagnostics',
  'keys',
  'settings',
] as const;

function wordsOf(to: string): Pick<PaletteItem, 'words'> {
  const page = worded.find((each) => to === `/${each}`);
  return page ? { words: t(`work.palette.words.${page}`) } : {};
}

const action = (id: string, title: string, run: () => void): PaletteItem => ({
  id: `action:${id}`,
  group: 'actions',
  title,
  run,
});
