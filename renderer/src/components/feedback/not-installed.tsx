/** No pack answers for this role: what that means, and the way to one. */
import { Button } from '@mantine/core';
import { IconPackage } from '@tabler/icons-react';
import { Link } from 'react-router';
import { t } from '../../strings/t.ts';
import { Empty } from './empty.tsx';

export function NotInstalled({ message }: { message?: string }) {
  return (
    <Empty
      icon={<IconPackage size={28} stroke={1.4} aria-hidden />}
      title={t('not_installed.title')}
      text={message || t('not_installed.text')}
      action={
        <Button component={Link} to="/packs" variant="default">
          {t('not_installed.open')}
        </Button>
      }
    />
  );
}
