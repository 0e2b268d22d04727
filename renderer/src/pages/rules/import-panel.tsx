/** Import of Sigma rules: drop or choose files, a folder or a zip; then what came in and what did not. */
import { Alert, Button } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import type { RuleImport } from '../../../../server/api/console/rules.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { ScrollRegion } from '../../components/frame/scroll-region.tsx';
import { t, tn } from '../../strings/t.ts';
import { fromDrop, fromInput, readRules } from './dropped-rules.ts';
import classes from './import-panel.module.css';
import { useRuleImport } from './use-rules.ts';

export function RuleImportPanel() {
  const load = useRuleImport();
  const [over, setOver] = useState(false);
  const choose = (files: FileList) => load.mutate(readRules(fromInput(files)));

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    load.mutate(fromDrop(event.dataTransfer).then(readRules));
  }

  return (
    <Panel title={t('rules.import')} note={t('rules.import_note')}>
      <section
        className={classes.drop}
        data-over={over || undefined}
        aria-label={t('rules.drop')}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <ChooseFiles label={t('rules.choose_files')} busy={load.isPending} onFiles={choose} />
        <ChooseFiles label={t('rules.choose_folder')} busy={load.isPending} onFiles={choose} folder />
        <span className={classes.hint}>{t('rules.drop_hint')}</span>
      </section>
      <div className={classes.outcome}>
        <ProblemNote error={load.error} />
        {load.data && <Outcome result={load.data} />}
      </div>
    </Panel>
  );
}

interface ChooseFilesProps {
  label: string;
  busy: boolean;
  folder?: boolean;
  onFiles: (files: FileList) => void;
}

function ChooseFiles({ label, busy, folder = false, onFiles }: ChooseFilesProps) {
  const input = useRef<HTMLInputElement | null>(null);
  return (
    <>
      <Button variant="default" loading={busy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={(element) => {
          input.current = element;
          if (element) element.webkitdirectory = folder;
        }}
        type="file"
        accept=".yml,.yaml,.zip"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          if (currentTarget.files?.length) onFiles(currentTarget.files);
          // So that the same file can be chosen again, once it is mended.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

function Outcome({ result }: { result: RuleImport }) {
  const { rules, errors } = result;
  return (
    <Alert color={errors.length > 0 ? 'yellow' : 'teal'} variant="light" role="status">
      <div>{tn('rules.imported', rules)}</div>
      {errors.length > 0 && (
        <>
          <div>{tn('rules.refused', errors.length)}</div>
          <ScrollRegion className={classes.errors} label={t('rules.refused_files')}>
            <ul>
              {errors.map(({ file, message }) => (
                <li key={file}>
                  <span className="lk-mono">{file}</span>: {message}
                </li>
              ))}
            </ul>
          </ScrollRegion>
        </>
      )}
    </Alert>
  );
}
