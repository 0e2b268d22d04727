/** Before a file is open. */
import { Button } from '@mantine/core';
import { IconFileText, IconFolderSearch, IconTemplate } from '@tabler/icons-react';
import { FileDrop } from '../../components/input/file-drop.tsx';
import { acceptedDocuments, type SampleName } from '../../components/source-file.ts';
import { t } from '../../strings/t.ts';
import { ChooseFiles } from './batch/choose-files.tsx';
import classes from './start-drop.module.css';

export function StartDrop({
  onFile,
  onFiles,
  onSample,
  onTemplates,
  onWatch,
}: {
  onFile: (file: File) => void;
  /** Several at once. */
  onFiles: (files: File[]) => void;
  onSample: (name: SampleName) => void;
  onTemplates: () => void;
  /** Folders that the server watches. */
  onWatch: () => void;
}) {
  return (
    <FileDrop
      accept={acceptedDocuments}
      choose={t('documents.choose')}
      hint={t('documents.hint')}
      onFile={onFile}
      icon={<IconFileText size={34} stroke={1.3} aria-hidden />}
    >
      <div className={classes.samples}>
        <span>{t('documents.or_sample')}</span>
        <Button variant="default" onClick={() => onSample('invoice')}>
          {t('documents.sample_invoice')}
        </Button>
        <Button variant="default" onClick={() => onSample('form')}>
          {t('documents.sample_form')}
        </Button>
      </div>
      <div className={classes.samples}>
        <span>{t('documents.batch.many')}</span>
        <ChooseFiles accept={acceptedDocuments} onFiles={onFiles}>
          {t('documents.batch.files')}
        </ChooseFiles>
        <ChooseFiles folder onFiles={onFiles}>
          {t('documents.batch.folder')}
        </ChooseFiles>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconTemplate size={14} aria-hidden />}
          onClick={onTemplates}
        >
          {t('documents.own.title')}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconFolderSearch size={14} aria-hidden />}
          onClick={onWatch}
        >
          {t('documents.watch.title')}
        </Button>
      </div>
    </FileDrop>
  );
}
