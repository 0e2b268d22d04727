/** Table `document_templates`: the templates that the person made. */
import type { CustomTemplate } from '../../api/console/templates.ts';
import type { Database } from '../open.ts';

export interface DocumentTemplateStore {
  all(): CustomTemplate[];
  get(name: string): CustomTemplate | null;
  /** One of a known name replaces it. */
  put(template: CustomTemplate): void;
  /** Puts it in the place of the one called `from`. */
  rename(from: string, template: CustomTemplate): void;
  /** False if there is none of that name. */
  remove(name: string): boolean;
}

export function createDocumentTemplateStore(db: Database): DocumentTemplateStore {
  const all = db.prepare<[], string>('SELECT template FROM document_templates ORDER BY name').pluck();
  const get = db.prepare<[string], string>('SELECT template FROM document_templates WHERE name = ?').pluck();
  const put = db.prepare<[string, string]>(
    'INSERT OR REPLACE INTO document_templates (name, template) VALUES (?, ?)',
  );
  const remove = db.prepare<[string]>('DELETE FROM document_templates WHERE name = ?');
  const parse = (text: string): CustomTemplate => JSON.parse(text) as CustomTemplate;
  return {
    all: () => all.all().map(parse),
    get: (name) => {
      const text = get.get(name);
      return text === undefined ? null : parse(text);
    },
    put: (template) => void put.run(template.name, JSON.stringify(template)),
    rename: db.transaction((from: string, template: CustomTemplate) => {
      remove.run(from);
      put.run(template.name, JSON.stringify(template));
    }),
    remove: (name) => remove.run(name).changes > 0,
  };
}
