/** A template is made or changed: the sample at the left to mark fields on, the template at the right. */
import { ProblemNote } from '../../../components/feedback/problem-note.tsx';
import type { SourceFile } from '../../../components/source-file.ts';
import { PageViewer } from '../page-viewer.tsx';
import { type TemplateDraft, toTemplate } from './draft.ts';
import { MarkLayer } from './mark-layer.tsx';
import { TemplateEditor } from './template-editor.tsx';
import { useDraft } from './use-draft.ts';
import { usePageLines } from './use-page-lines.ts';
import { useTemplates } from './use-templates.ts';

interface TemplateWorkbenchProps {
  source: SourceFile;
  page: number;
  onPage: (page: number) => void;
  /** With the name of a template that is there, which it then replaces; else a new one. */
  initial: TemplateDraft;
  onSaved: (name: string) => void;
  onClose: () => void;
}

export function TemplateWorkbench({
  source,
  page,
  onPage,
  initial,
  onSaved,
  onClose,
}: TemplateWorkbenchProps) {
  const control = useDraft(initial);
  const { templates, keep, rename } = useTemplates();
  const read = usePageLines(source, page);
  const lines = read.data ?? [];
  const { draft, current, setCurrent, change, mark, take } = control;

  async function save(changed: TemplateDraft): Promise<void> {
    const isRenamed = initial.name !== '' && initial.name !== changed.name;
    if (isRenamed) await rename(initial.name, { name: changed.name });
    await keep(toTemplate(changed));
    onSaved(changed.name);
  }

  const layer = (
    <MarkLayer
      lines={lines}
      fields={draft.fields.filter(({ place }) => place?.page === page)}
      current={current}
      onCurrent={setCurrent}
      onBox={(bbox) => mark({ page, bbox }, lines)}
      onLine={(line) => take(page, line, lines)}
      onPlace={(id, bbox) => change(id, { place: { page, bbox } })}
    />
  );
  return (
    <>
      <PageViewer source={source} page={page} onPage={onPage} marks={[]} layer={layer} />
      <TemplateEditor
        control={control}
        page={page}
        lines={lines}
        notice={<ProblemNote error={read.error} onRetry={() => void read.refetch()} />}
        taken={templates.map(({ name }) => name).filter((name) => name !== initial.name)}
        onSave={save}
        onClose={onClose}
      />
    </>
  );
}
