import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toSnippet } from '../../renderer/src/snippets/snippets.ts';

const baseUrl = 'http://127.0.0.1:8787/v1';
const body = { model: 'm', input: 'it\'s $HOME `x` "q"\nnext', flags: [true, null], nested: {} };

/** What the snippet would send, by a stand-in for curl that prints its last argument or its input. */
function sentByCurl(snippet: string, cwd: string): unknown {
  const script = `curl() { local last; for last; do :; done; if [ "$last" = "@-" ]; then cat; else printf %s "$last"; fi; }\n${snippet}`;
  return JSON.parse(execFileSync('bash', ['-c', script], { cwd, encoding: 'utf8' }));
}

describe('curl', () => {
  it('survives quotes, dollars, backticks and line breaks', () => {
    expect(sentByCurl(toSnippet.curl({ baseUrl, path: '/moderations', body }), tmpdir())).toEqual(body);
  });

  it('pipes a file of any name through', () => {
    const folder = mkdtempSync(join(tmpdir(), 'snippet-'));
    try {
      const name = "in'voice 1.pdf";
      writeFileSync(join(folder, name), 'bytes');
      const snippet = toSnippet.curl({
        baseUrl,
        path: '/documents/parse',
        body,
        file: { field: 'file', name },
      });
      expect(sentByCurl(snippet, folder)).toEqual({ ...body, file: Buffer.from('bytes').toString('base64') });
    } finally {
      rmSync(folder, { recursive: true });
    }
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
