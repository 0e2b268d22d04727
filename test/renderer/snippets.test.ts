import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { toSnippet } from '../../renderer/src/snippets/snippets.ts';

const baseUrl = 'http://127.0.0.1:8787/v1';
const body = { model: 'm', input: 'it\'s $HOME `x` "q"\nnext', flags: [true, null], nested: {} };

/** What a shell hands to curl. */
function curlArguments(snippet: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${snippet}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('curl', () => {
  it('survives quotes, dollars, backticks and line breaks', () => {
    const sent = curlArguments(toSnippet.curl({ baseUrl, path: '/moderations', body }));
    expect(JSON.parse(sent.at(-1)!)).toEqual(body);
  });

  it('sends a file of any name as the part of a form, the fields as they are', () => {
    const name = 'in\'voice "1"; a,b.pdf';
    const sent = curlArguments(
      toSnippet.curl({ baseUrl, path: '/documents/parse', body, file: { field: 'file', name } }),
    );
    expect(sent.slice(-10)).toEqual([
      ...['--form-string', 'model=m', '--form-string', `input=${body.input}`],
      ...['--form-string', 'flags=[true,null]', '--form-string', 'nested={}'],
      ...['-F', String.raw`file=@"in'voice \"1\"; a,b.pdf"`],
    ]);
  });
});

describe('JavaScript', () => {
  it('is a module that sends the body', async () => {
    const snippet = toSnippet.javascript({ baseUrl, path: '/moderations', body });
    const run = new Function('fetch', 'process', 'console', `return (async () => {${snippet}})()`);
    let sent: { url: string; init: RequestInit } | undefined;
    const fetch = async (url: string, init: RequestInit) => {
      sent = { url, init };
      return Response.json({});
    };
    await run(fetch, { env: { LOKAL_API_KEY: 'k' } }, { log: () => undefined });
    expect(sent?.url).toBe(`${baseUrl}/moderations`);
    expect(JSON.parse(String(sent?.init.body))).toEqual(body);
    expect(sent?.init.headers).toMatchObject({ Authorization: 'Bearer k' });
  });

  it('reads the file where there is one', () => {
    const snippet = toSnippet.javascript({
      baseUrl,
      path: '/x',
      body: { model: 'm' },
      file: { field: 'file', name: 'a.pdf' },
    });
    expect(snippet).toContain('await readFile("a.pdf")');
    expect(snippet).toContain('"file": file');
  });
});

describe('Python', () => {
  it('writes literals as Python has them', () => {
    const snippet = toSnippet.python({ baseUrl, path: '/x', body, file: { field: 'file', name: 'a.pdf' } });
    expect(snippet).toContain('True,\n        None\n    ]');
    expect(snippet).toContain('"nested": {}');
    expect(snippet).toContain('"file": base64.b64encode(open("a.pdf", "rb").read()).decode(),');
  });
});
