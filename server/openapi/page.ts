/** /docs: the OpenAPI document as one readable page. No script, no asset from elsewhere; one style sheet beside it. */
import type { OpenApiDocument } from './document.ts';

type Json = Record<string, unknown>;

export function renderDocs(document: OpenApiDocument): string {
  const info = document.info as { title: string; version: string; description: string };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: `${method}-${path}`,
      method,
      path,
      operation,
    })),
  );
  const links = operations.map(
    ({ id, method, path }) =>
      `<li><a href="#${escapeHtml(id)}">${badge(method)} ${escapeHtml(path)}</a></li>`,
  );
  const server = (document.servers as { url: string }[])[0]?.url ?? '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(info.title)} API</title><link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/docs/style.css"></head>
<body><nav aria-label="Operations"><p><a href="/">Lokal</a></p><h1>${escapeHtml(info.title)} API</h1><p>Version ${escapeHtml(info.version)}</p>
<ul>${links.join('')}<li><a href="#headers">Headers</a></li><li><a href="#schemas">Schemas</a></li><li><a href="#errors">Errors</a></li></ul></nav>
<main><p>${withCode(info.description)}</p>
<p>Base URL <code>${escapeHtml(server)}/v1</code>. Every request carries <code>Authorization: Bearer sk-svc-…</code>. The document behind this page: <a href="/openapi.json">openapi.json</a>.</p>
${operations.map(renderOperation).join('\n')}
${renderHeaders(document.components)}
<h2 id="schemas">Schemas</h2>${Object.entries(document.components.schemas).map(renderSchema).join('\n')}
${renderErrors(document['x-error-codes'] as ErrorRow[])}
</main></body></html>`;
}

interface Shown {
  id: string;
  method: string;
  path: string;
  operation: Json;
}

function renderOperation({ id, method, path, operation }: Shown): string {
  const scope = operation['x-scope']
    ? `<p>Scope <code>${escapeHtml(String(operation['x-scope']))}</code></p>`
    : '';
  const body = schemaName((operation.requestBody as Json | undefined)?.content as Json | undefined);
  const [status, success] = Object.entries(operation.responses as Record<string, Json>)[0] ?? [];
  const answer = schemaName(success?.content as Json | undefined);
  return `<section id="${escapeHtml(id)}"><h2>${badge(method)} <code>${escapeHtml(path)}</code></h2>
<p>${escapeHtml(String(operation.summary))}</p>${scope}
${body ? `<p>Body: <a href="#schema-${body}">${body}</a></p>` : ''}
${answer ? `<p>${status}: <a href="#schema-${answer}">${answer}</a></p>` : ''}</section>`;
}

function schemaName(content: Json | undefined): string | null {
  const schema = (content?.['application/json'] as Json | undefined)?.schema as Json | undefined;
  return typeof schema?.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? null) : null;
}

function renderSchema([name, schema]: [string, Json]): string {
  const required = new Set((schema.required ?? []) as string[]);
  const rows = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(
    ([field, property]) =>
      `<tr><td><code>${escapeHtml(field)}</code></td><td>${escapeHtml(typeOf(property))}</td><td>${required.has(field) ? 'yes' : 'no'}</td><td>${escapeHtml(note(property))}</td></tr>`,
  );
  const table = rows.length
    ? `<table><thead><tr><th>Field</th><th>Type</th><th>Required</th><th>Notes</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
    : '';
  return `<section id="schema-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${table}
<details><summary>JSON Schema</summary><pre tabindex="0">${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details></section>`;
}

function typeOf(schema: Json): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.anyOf)) return [...new Set((schema.anyOf as Json[]).map(typeOf))].join(' | ');
  if (schema.type === 'array') return `array of ${schema.items ? typeOf(schema.items as Json) : 'values'}`;
  return String(schema.type ?? 'any');
}

const noted = ['default', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'];

function note(schema: Json): string {
  const stated = { ...notNull(schema), ...schema };
  const limits = noted.filter((key) => key in stated).map((key) => `${key} ${JSON.stringify(stated[key])}`);
  return [stated.description, ...limits].filter(Boolean).join('; ');
}

/** The one branch beside null, whose limits are the field's. */
function notNull({ anyOf }: Json): Json | undefined {
  const branches = ((anyOf ?? []) as Json[]).filter(({ type }) => type !== 'null');
  return branches.length === 1 ? branches[0] : undefined;
}

function renderHeaders({ parameters, headers }: Json): string {
  const sent = Object.values(parameters as Record<string, Json>).map(({ name, ...rest }) => [name, rest]);
  const row = ([name, header]: [string, Json]) =>
    `<tr><td><code>${escapeHtml(name)}</code></td><td>${withCode(note({ ...(header.schema as Json), description: header.description }))}</td></tr>`;
  const table = (title: string, rows: [string, Json][]) =>
    `<h3>${title}</h3><table><thead><tr><th>Header</th><th>Notes</th></tr></thead><tbody>${rows.map(row).join('')}</tbody></table>`;
  return `<h2 id="headers">Headers</h2>${table('Of requests', sent as [string, Json][])}${table('Of answers', Object.entries(headers as Record<string, Json>))}`;
}

interface ErrorRow {
  code: string;
  status: number;
  type: string;
  when: string;
}

function renderErrors(rows: ErrorRow[]): string {
  const body = rows.map(
    ({ code, status, type, when }) =>
      `<tr><td>${status}</td><td><code>${escapeHtml(code)}</code></td><td>${escapeHtml(type)}</td><td>${escapeHtml(when)}</td></tr>`,
  );
  return `<h2 id="errors">Errors</h2><table><thead><tr><th>Status</th><th>Code</th><th>Type</th><th>When</th></tr></thead><tbody>${body.join('')}</tbody></table>`;
}

const badge = (method: string): string =>
  `<b class="${escapeHtml(method)}">${escapeHtml(method.toUpperCase())}</b>`;

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

/** Escaped, with `code` in backquotes. */
const withCode = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

export const docsStyle = `:root{color-scheme:light dark;--line:light-dark(#d5d9e0,#3a3f4a);--soft:light-dark(#f5f6f8,#1d2027);--link:light-dark(#1458b8,#8ab8ff)}
*{box-sizing:border-box}body{margin:0;font:15px/1.55 system-ui,sans-serif;display:grid;grid-template-columns:19rem minmax(0,1fr);background:light-dark(#fff,#15171c);color:light-dark(#1c2027,#e6e8ec)}
nav{padding:1.5rem;border-right:1px solid var(--line);height:100vh;position:sticky;top:0;overflow:auto;background:var(--soft)}nav ul{list-style:none;padding:0}nav li{margin:.35rem 0}
main{padding:1.5rem 2.5rem;max-width:70rem}a{color:var(--link);text-underline-offset:2px}h1{font-size:1.3rem;margin:0}h2{margin-top:2.5rem}section{scroll-margin-top:1rem}
table{border-collapse:collapse;width:100%;font-size:14px}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}td:first-child{white-space:nowrap}
code,pre{font:13px/1.5 ui-monospace,monospace}pre{background:var(--soft);border:1px solid var(--line);padding:1rem;overflow:auto;max-height:30rem;border-radius:6px}summary{cursor:pointer;padding:.4rem 0}
b{font:600 12px ui-monospace,monospace;padding:.1rem .35rem;border:1px solid var(--line);border-radius:4px}
@media(max-width:800px){body{grid-template-columns:1fr}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}main{padding:1rem}}`;
