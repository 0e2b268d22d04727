/** One field for everything: pages, actions, recent work, packs, settings. */
import { Modal } from '@mantine/core';
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../../strings/t.ts';
import classes from './palette.module.css';
import { type PaletteItem, searchPalette } from './palette-search.ts';
import { type PaletteActions, usePaletteItems } from './use-palette-items.ts';

const mostShown = 80;

export function Palette({ onClose, ...actions }: PaletteActions & { onClose: () => void }) {
  const items = usePaletteItems(actions);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const found = searchPalette(items, typed).slice(0, mostShown);
  const grouped = typed.trim() === '';
  const idOf = (index: number) => `${listId}-${index}`;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });

  function run(item: PaletteItem | undefined): void {
    if (!item) return;
    onClose();
    item.run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const last = found.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) setAt(next);
    else if (event.key === 'Enter') run(found[at]);
    else return;
    event.preventDefault();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('work.palette.title')}
      size="lg"
      yOffset="12vh"
      centered={false}
      withCloseButton={false}
      classNames={{ header: classes.header ?? '', body: classes.body ?? '' }}
      transitionProps={{ duration: 0 }}
    >
      <input
        className={classes.input}
        type="text"
        role="combobox"
        aria-label={t('work.palette.title')}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? idOf(at) : undefined}
        aria-autocomplete="list"
        placeholder={t('work.palette.hint')}
        value={typed}
        data-autofocus
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={listId}
        className={classes.options}
        role="listbox"
        aria-label={t('work.palette.title')}
      >
        {found.map((item, index) => (
          <Fragment key={item.id}>
            {grouped && item.group !== found[index - 1]?.group && (
              <div className={classes.group} role="presentation">
                {t(`work.palette.groups.${item.group}`)}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field above has the focus and the keys */}
            <div
              id={idOf(index)}
              role="option"
              aria-selected={index === at}
              className={classes.option}
              onMouseMove={() => setAt(index)}
              onClick={() => run(item)}
            >
              <span className={classes.title}>{item.title}</span>
              {item.note && <span className={classes.note}>{item.note}</span>}
              {item.keys && <kbd className={classes.keys}>{item.keys}</kbd>}
            </div>
          </Fragment>
        ))}
      </div>
      {found.length === 0 && (
        <p className={classes.none} role="status">
          {t('work.palette.none')}
        </p>
      )}
    </Modal>
  );
}
