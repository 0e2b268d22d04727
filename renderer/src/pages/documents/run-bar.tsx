/** The open file, what to read of it, and the run: start, progress, cancel. */
import { ActionIcon, Button, Progress, TextInput, Tooltip } from '@mantine/core';
import { IconFolderOpen, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ChooseFile } from '../../components/input/file-drop.tsx';
import { acceptedDocuments, type SourceFile } from '../../components/source-file.ts';
import { bytes, milliseconds } from '../../format/numbers.ts';
import { checkPages } from '../../format/pages.ts';
import { t } from '../../strings/t.ts';
import classes from './run-bar.module.css';
import { type TemplateChoice, TemplateSelect } from './templates/template-select.tsx';
import type { DocumentRun } from './use-document-run.ts';

export interface DocumentOptions {
  template: TemplateChoice;
  pages: string;
}

interface RunBarProps {
  source: SourceFile;
  options: DocumentOptions;
  onOptions: (options: DocumentOptions) => void;
  run: DocumentRun;
  onRun: () => void;
  onCancel: () => void;
  onFile: (file: File) => void;
  onClose: () => void;
  /** Beside the choice of template. */
  templates: ReactNode;
}

export function RunBar(props: RunBarProps) {
  const { source, options, onOptions, run, onRun, onCancel, onFile, onClose, templates } = props;
  const pagesProblem = toPagesProblem(options.pages);
  return (
    <form
      className={classes.bar}
      onSubmit={(event) => {
        event.preventDefault();
        if (!pagesProblem && !run.running) onRun();
      }}
    >
      <div className={classes.file}>
        <span className={classes.name} title={source.name}>
          {source.name}
        </span>
        <span className={classes.size}>{bytes(source.sizeBytes)}</span>
        <ChooseFile
          accept={acceptedDocuments}
          onFile={onFile}
          icon={<IconFolderOpen size={14} aria-hidden />}
        >
          {t('documents.other_file')}
        </ChooseFile>
        <Tooltip label={t('documents.close')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('documents.close')} onClick={onClose}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <TemplateSelect value={options.template} onChange={(template) => onOptions({ ...options, template })} />
      {templates}
      <TextInput
        w={150}
        aria-label={t('documents.pages')}
        placeholder={t('documents.pages_hint')}
        value={options.pages}
        error={pagesProblem}
        onChange={(event) => onOptions({ ...options, pages: event.currentTarget.value })}
      />
      <RunButton run={run} disabled={pagesProblem !== null} onCancel={onCancel} />
    </form>
  );
}

function RunButton({
  run,
  disabled,
  onCancel,
}: {
  run: DocumentRun;
  disabled: boolean;
  onCancel: () => void;
}) {
  if (!run.running) {
    return (
      <>
        <Button key="parse" type="submit" disabled={disabled}>
          {t('documents.parse')}
        </Button>
        {run.durationMs !== null && <span className={classes.size}>{milliseconds(run.durationMs)}</span>}
      </>
    );
  }
  const { page, pages } = run.progress ?? { page: 0, pages: 0 };
  const label = pages > 0 ? t('documents.progress', { page, pages }) : t('documents.parsing');
  return (
    <>
      {/* Keys keep the two apart: one element that turned into a submit button while it is clicked would submit. */}
      <Button key="cancel" variant="default" onClick={onCancel}>
        {t('documents.cancel')}
      </Button>
      <div className={classes.progress} role="status">
        <Progress
          size="sm"
          value={pages > 0 ? (page / pages) * 100 : 100}
          animated={pages === 0}
          aria-label={label}
        />
        <span className={classes.size}>{label}</span>
      </div>
    </>
  );
}

function toPagesProblem(pages: string): string | null {
  if (!pages.trim()) return null;
  const check = checkPages(pages);
  return check.ok ? null : t(`documents.pages_problem.${check.reason}`);
}
