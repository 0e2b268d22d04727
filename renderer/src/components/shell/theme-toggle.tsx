/** Light, dark, or as the system has it: one button that goes round. */
import { ActionIcon, Tooltip, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { t } from '../../strings/t.ts';

const order = ['auto', 'light', 'dark'] as const;
const icons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon };

export function ThemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = order[(order.indexOf(colorScheme) + 1) % order.length] ?? 'auto';
  const Icon = icons[colorScheme];
  const label = t('shell.theme', { scheme: t(`shell.scheme.${colorScheme}`) });
  return (
    <Tooltip label={label} position="right">
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => setColorScheme(next)}>
        <Icon size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
