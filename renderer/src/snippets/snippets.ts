/** The request a playground has just made, as code to take away. The key is always a placeholder, never a secret. */

export interface SnippetRequest {
  /** The baseURL of an SDK, ending in /v1. */
  baseUrl: string;
  /** Below the base URL, e.g. `/documents/parse`. */
  path: string;
  body: Record<string, unknown>;
  /** The field that carries a file's base64, and the file's name. */
  file?: { field: string; name: string };
}

export const snippetLanguages = ['curl', 'javascript', 'python'] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

export const toSnippet: Record<SnippetLanguage, (request: SnippetRequest) => string> = {
  curl: toCurl,
  javascript: toJavaScript,
  python: toPython,
};

const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const lines = (...parts: (string | false)[]): string => parts.filter((part) => part !== false).join('\n');

function toCurl({ baseUrl, path, body, file }: SnippetRequest): string {
  const target = `curl ${baseUrl}${path} \\\n  -H "Authorization: Bearer $LOKAL_API_KEY" \\`;
  if (!file) {
    return lines(
      target,
      '  -H "Content-Type: application/json" \\',
      `  -d ${shellQuote(JSON.stringify(body, null, 2))}`,
    );
  }
  const fields = Object.entries(body).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `  --form-string ${shellQuote(`${name}=${text}`)} \\`;
  });
  // In quotes a name may hold what curl reads as the end of one.
  const quoted = file.name.replaceAll(/["\\]/g, '\\$&');
  return lines(target, ...fields, `  -F ${shellQuote(`${file.field}=@"${quoted}"`)}`);
}

function toJavaScript({ baseUrl, path, body, file }: SnippetRequest): string {
  const json = JSON.stringify(body, null, 2);
  const payload = file ? `${json.slice(0, -2)},\n  "${file.field}": file\n}` : json;
  return lines(
    file !== undefined && `import { readFile } from 'node:fs/promises';\n`,
    file !== undefined && `const file = (await readFile(${JSON.stringify(file.name)})).toString('base64');`,
    `const response = await fetch('${baseUrl}${path}', {`,
    `  method: 'POST',`,
    '  headers: {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the snippet's own template
    '    Authorization: `Bearer ${process.env.LOKAL_API_KEY}`,',
    `    'Content-Type': 'application/json',`,
    '  },',
    `  body: JSON.stringify(${indent(payload)}),`,
    '});',
    `if (!response.ok) throw new Error((await response.json()).error.message);`,
    'console.log(await response.json());',
  );
}

function toPython({ baseUrl, path, body, file }: SnippetRequest): string {
  const literal = toPythonLiteral(body, 0);
  const payload = file
    ? `${literal.slice(0, -2)},\n    ${JSON.stringify(file.field)}: base64.b64encode(open(${JSON.stringify(file.name)}, "rb").read()).decode(),\n}`
    : literal;
  return lines(
    file ? 'import base64, json, os, urllib.request\n' : 'import json, os, urllib.request\n',
    `body = ${payload}`,
    'request = urllib.request.Request(',
    `    "${baseUrl}${path}",`,
    '    data=json.dumps(body).encode(),',
    '    headers={',
    '        "Authorization": f"Bearer {os.environ[\'LOKAL_API_KEY\']}",',
    '        "Content-Type": "application/json",',
    '    },',
    ')',
    'print(json.load(urllib.request.urlopen(request)))',
  );
}

const indent = (text: string): string => text.replaceAll('\n', '\n  ');

function toPythonLiteral(value: unknown, depth: number): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (typeof value !== 'object') return JSON.stringify(value);
  const pad = '    '.repeat(depth + 1);
  const close = '    '.repeat(depth);
  const items = Array.isArray(value)
    ? value.map((item) => `${pad}${toPythonLiteral(item, depth + 1)}`)
    : Object.entries(value).map(
        ([key, item]) => `${pad}${JSON.stringify(key)}: ${toPythonLiteral(item, depth + 1)}`,
      );
  const [open, end] = Array.isArray(value) ? '[]' : '{}';
  return items.length === 0 ? `${open}${end}` : `${open}\n${items.join(',\n')}\n${close}${end}`;
}
