/** Chooses several files, or a folder with all that is in it. */
import { Button } from '@mantine/core';
import { type ReactNode, useRef } from 'react';

interface ChooseFilesProps {
  accept?: string;
  folder?: boolean;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}

export function ChooseFiles({ accept, folder = false, onFiles, children }: ChooseFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="default" onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={(element) => {
          input.current = element;
          // React has no property for it.
          if (element) element.webkitdirectory = folder;
        }}
        type="file"
        accept={accept}
        multiple
        hidden
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
