/** A place to drop a file or to choose one. The whole area takes a drop; the button inside takes the keyboard. */
import { Button } from '@mantine/core';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import classes from './file-drop.module.css';

interface FileDropProps {
  accept: string;
  /** The button's words. */
  choose: string;
  hint?: string;
  onFile: (file: File) => void;
  icon?: ReactNode;
  /** More ways to begin, e.g. samples. */
  children?: ReactNode;
}

export function FileDrop({ accept, choose, hint, onFile, icon, children }: FileDropProps) {
  const { over, handlers } = useFileDrop(onFile);
  return (
    <div className={classes.drop} data-fill data-over={over || undefined} {...handlers}>
      {icon && <div className={classes.icon}>{icon}</div>}
      <ChooseFile accept={accept} onFile={onFile} variant="filled" isMainField>
        {choose}
      </ChooseFile>
      {hint && <div className={classes.hint}>{hint}</div>}
      {children}
    </div>
  );
}

interface ChooseFileProps {
  accept: string;
  onFile: (file: File) => void;
  variant?: 'filled' | 'default';
  icon?: ReactNode;
  /** A file is being read. */
  busy?: boolean;
  /** New work begins here (focus-field.ts). */
  isMainField?: boolean;
  children: ReactNode;
}

export function ChooseFile(props: ChooseFileProps) {
  const { accept, onFile, variant = 'default', icon, busy = false, isMainField = false, children } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant={variant}
        leftSection={icon}
        loading={busy}
        data-main-field={isMainField || undefined}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}

/** Drop handlers for any element, and whether a file hangs over it now. */
export function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  return {
    over,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event: DragEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        setOver(false);
        const [file, ...others] = event.dataTransfer.files;
        // Several go to the frame, which knows who takes many.
        if (!file || others.length > 0) return;
        event.preventDefault();
        onFile(file);
      },
    },
  };
}
