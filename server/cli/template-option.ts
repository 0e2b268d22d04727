/** The option --template of the commands on documents. */
import type { CustomTemplateList } from '../api/console/templates.ts';
import { customTemplateName, type DocumentsRequest, documentTemplates } from '../api/services/documents.ts';
import { type CommandInput, text, UsageError } from './command.ts';
import type { LocalApi } from './server/local-api.ts';

type Template = NonNullable<DocumentsRequest['template']>;

const isTemplate = (name: string): name is Template =>
  (documentTemplates as readonly string[]).includes(name) || customTemplateName(name) !== null;

/** @throws UsageError for a word that names none */
export function templateOption({ values }: CommandInput): Template | undefined {
  const template = text(values.template);
  if (template === undefined || isTemplate(template)) return template;
  throw new UsageError(`--template is one of ${documentTemplates.join(', ')}, or custom:NAME`);
}

/** Every file would fail by it. @throws UsageError for one of the person's own that is not there */
export async function checkOwnTemplate(api: Pick<LocalApi, 'console'>, template = ''): Promise<void> {
  const own = customTemplateName(template);
  if (own === null) return;
  const { data } = await api.console<CustomTemplateList>('GET', '/console/templates');
  if (!data.some(({ name }) => name === own))
    throw new UsageError(`there is no template ${template} on this machine`);
}
