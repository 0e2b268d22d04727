/** The model's place: dropped here, found by looking through this machine's folders, or named by its path. */
import { Button, TextInput } from '@mantine/core';
import { IconFolderSearch, IconPackageImport } from '@tabler/icons-react';
import { type DragEvent, type FormEvent, useState } from 'react';
import { desktopBridge } from '../../../api/session.ts';
import { t } from '../../../strings/t.ts';
import { BrowseDialog } from './browse-dialog.tsx';
import classes from './choose-source.module.css';
import { type DroppedFile, readDrop } from './dropped-files.ts';

interface ChooseSourceProps {
  disabled: boolean;
  onPath: (path: string) => void;
  onFiles: (files: DroppedFile[]) => void;
}

export function ChooseSource({ disabled, onPath, onFiles }: ChooseSourceProps) {
  const [path, setPath] = useState('');
  const [browsing, setBrowsing] = useState(false);
  const [over, setOver] = useState(false);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (path.trim()) onPath(path.trim());
  }

  function choose(chosen: string) {
    setPath(chosen);
    setBrowsing(false);
    onPath(chosen);
  }

  function onDrop(event: DragEvent) {
    setOver(false);
    if (disabled || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    // The desktop window knows where it lies, so that nothing is copied; one thing at a time is imported.
    const [first] = event.dataTransfer.files;
    const known = first && desktopBridge()?.pathOf(first);
    if (known) choose(known);
    else void readDrop(event.dataTransfer).then((files) => files.length > 0 && onFiles(files));
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard has the field and the buttons inside
    <div
      className={classes.drop}
      data-over={over || undefined}
      data-testid="pack-drop"
      onDragOver={(event) => {
        if (disabled || !event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={onDrop}
    >
      <div className={classes.hint}>
        <IconPackageImport size={22} stroke={1.4} aria-hidden />
        <span>{t('packs.drop')}</span>
      </div>
      <form className={classes.form} onSubmit={submit}>
        <TextInput
          className={classes.path}
          label={t('packs.path')}
          placeholder={t('packs.path_hint')}
          value={path}
          disabled={disabled}
          spellCheck={false}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Button
          variant="default"
          leftSection={<IconFolderSearch size={14} aria-hidden />}
          disabled={disabled}
          onClick={() => setBrowsing(true)}
        >
          {t('packs.browse')}
        </Button>
        <Button type="submit" disabled={disabled || !path.trim()}>
          {t('packs.look')}
        </Button>
      </form>
      {browsing && (
        <BrowseDialog start={path.trim() || null} onChoose={choose} onClose={() => setBrowsing(false)} />
      )}
    </div>
  );
}
