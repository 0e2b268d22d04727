/** Every key of the frame in one list. */
import { Kbd, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../strings/t.ts';
import { machine, playgrounds, service } from '../nav-items.tsx';
import classes from './shortcut-sheet.module.css';
import { goKeys } from './shortcuts.ts';

const isMac = () => /mac/i.test(navigator.userAgent);

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('work.shortcuts.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <div className={classes.columns}>
        <div className={classes.parts}>
          <Part title={t('work.shortcuts.everywhere')}>
            <Row keys={[isMac() ? '⌘ K' : 'Ctrl K']} text={t('work.shortcuts.palette')} />
            <Row keys={['?']} text={t('work.shortcuts.sheet')} />
            <Row keys={['n']} text={t('work.shortcuts.fresh')} />
            <Row keys={[isMac() ? '⌘ Z' : 'Ctrl Z']} text={t('work.shortcuts.undo_last')} />
            <Row keys={['Delete']} text={t('work.shortcuts.remove')} />
            <Row keys={['Esc']} text={t('work.shortcuts.close')} />
          </Part>
          <Part title={t('work.shortcuts.inside')}>
            <Row keys={[isMac() ? '⌘ Z' : 'Ctrl Z']} text={t('work.shortcuts.undo')} />
            <Row keys={['j / k / a']} text={t('work.shortcuts.batch')} />
            <Row keys={['↑']} text={t('work.shortcuts.edit_last')} />
            <Row keys={['Shift Enter']} text={t('work.shortcuts.line')} />
            <Row keys={[isMac() ? '⌘ Enter' : 'Ctrl Enter']} text={t('work.shortcuts.analyse')} />
          </Part>
        </div>
        <Part title={t('work.shortcuts.go')}>
          {[...playgrounds, ...service, ...machine].flatMap(({ to, label }) =>
            goKeys[to] ? <Row key={to} keys={['g', goKeys[to]]} text={t(label)} /> : [],
          )}
        </Part>
      </div>
    </Modal>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className={classes.heading}>{title}</h3>
      <dl className={classes.list}>{children}</dl>
    </section>
  );
}

function Row({ keys, text }: { keys: string[]; text: string }) {
  return (
    <div className={classes.row}>
      <dt>{text}</dt>
      <dd>
        {keys.map((key, index) => (
          <span key={key}>
            {index > 0 && <span className={classes.then}>{t('work.shortcuts.after')}</span>}
            <Kbd>{key}</Kbd>
          </span>
        ))}
      </dd>
    </div>
  );
}
