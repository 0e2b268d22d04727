import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';

const schemes = ['auto', 'light', 'dark'] as const;

/** Kept in this browser, not on the server. */
export function AppearancePanel() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel part="appearance" title={t('settings.appearance')} note={t('settings.appearance_note')}>
      <SegmentedControl
        aria-label={t('settings.colors')}
        data={schemes.map((value) => ({ value, label: t(`settings.schemes.${value}`) }))}
        value={colorScheme}
        onChange={(value) => setColorScheme(value as MantineColorScheme)}
      />
    </Panel>
  );
}
