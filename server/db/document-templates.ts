/** Table `document_templates`: the templates that the person made. */
import type { OwnTemplate } from '../api/templates.ts';
import type { Database } from './open.ts';

export interface DocumentTemplateStore {
  all(): OwnTemplate[];
  get(name: string): OwnTemplate | null;
  /** One of a known name replaces it. */
  put(template: OwnTemplate): void;
  /** Puts it in the place of the one called `from`. */
  rename(from: string, template: OwnTemplate): void;
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
  const parse = (text: string): OwnTemplate => JSON.parse(text) as OwnTemplate;
  return {
    all: () => all.all().map(parse),
    get: (name) => {
      const text = get.get(name);
      return text === undefined ? null : parse(text);
    },
    put: (template) => void put.run(template.name, JSON.stringify(template)),
    rename: db.transaction((from: string, template: OwnTemplate) => {
      remove.run(from);
      put.run(template.name, JSON.stringify(template));
    }),
    remove: (name) => remove.run(name).changes > 0,
  };
}
