/** Opens the file of one playground in another. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { bytesBlob } from '../export/download.ts';
import { work } from '../work/work-context.ts';
import type { SourceFile } from './source-file.ts';

interface HandOverProps {
  to: 'documents' | 'images';
  source: SourceFile;
  /** Media type of the file. */
  type: string;
  icon: ReactNode;
  children: string;
}

export function HandOver({ to, source, type, icon, children }: HandOverProps) {
  const navigate = useNavigate();
  function open() {
    work.deliver(to, { files: [new File([bytesBlob(source.base64, type)], source.name, { type })] });
    void navigate(`/${to}`);
  }
  return (
    <Button variant="default" leftSection={icon} onClick={open}>
      {children}
    </Button>
  );
}
