/** Templates as files. What is in them the server checks; here they only get names that are free. */
import type { CustomTemplate } from '../../../../../server/api/console/templates.ts';
import { freeName } from './draft.ts';

/** One template, or a list as it is exported. @throws Error when it is neither. */
export function readTemplates(text: string): CustomTemplate[] {
  const content: unknown = JSON.parse(text);
  const list = Array.isArray(content)
    ? content
    : isObject(content) && Array.isArray(content.data)
      ? content.data
      : [content];
  if (list.length === 0 || !list.every((item) => isObject(item) && typeof item.name === 'string'))
    throw new Error('no templates');
  return list as CustomTemplate[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** None of them replaces another, nor one that is there. */
export function withFreeNames(
  templates: readonly CustomTemplate[],
  taken: readonly string[],
): CustomTemplate[] {
  const names = [...taken];
  return templates.map((template) => {
    const name = freeName(template.name, names);
    names.push(name);
    return { ...template, name };
  });
}

export const writeTemplates = (templates: readonly CustomTemplate[]): string =>
  JSON.stringify(templates.length === 1 ? templates[0] : { data: templates }, null, 2);
