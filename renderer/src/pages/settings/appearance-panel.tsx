import { type MantineColorScheme, SegmentedControl, Select, useMantineColorScheme } from '@mantine/core';
import { Panel } from '../../components/frame/panel.tsx';
import {
  chooseLanguage,
  type LanguageChoice,
  languageChoice,
  languageNames,
  languages,
} from '../../strings/language.ts';
import { t } from '../../strings/t.ts';
import classes from './settings-page.module.css';

const schemes = ['auto', 'light', 'dark'] as const;

/** Kept in this browser, not on the server. */
export function AppearancePanel() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel part="appearance" title={t('settings.appearance')} note={t('settings.appearance_note')}>
      <div className={classes.appearance}>
        <div>
          <div className={classes.label}>{t('settings.colors')}</div>
          <SegmentedControl
            aria-label={t('settings.colors')}
            data={schemes.map((value) => ({ value, label: t(`settings.schemes.${value}`) }))}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as MantineColorScheme)}
          />
        </div>
        <Select
          label={t('settings.language')}
          data={[
            { value: 'auto', label: t('settings.language_auto') },
            ...languages.map((value) => ({ value, label: languageNames[value] })),
          ]}
          value={languageChoice()}
          allowDeselect={false}
          onChange={(value) => void chooseLanguage(value as LanguageChoice)}
        />
      </div>
    </Panel>
  );
}
