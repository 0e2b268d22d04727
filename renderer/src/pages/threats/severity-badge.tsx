import { Badge } from '@mantine/core';
import { t } from '../../strings/t.ts';
import type { Severity } from './indicators.ts';

const colors = {
  informational: 'gray',
  low: 'blue',
  medium: 'yellow',
  high: 'orange',
  critical: 'red',
} as const;

export function SeverityBadge({ level, large }: { level: Severity; large?: boolean }) {
  return (
    <Badge color={colors[level]} size={large ? 'lg' : 'sm'}>
      {t(`threats.levels.${level}`)}
    </Badge>
  );
}
