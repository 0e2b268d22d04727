import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import type { ConsoleEvent } from '../../server/api/console/console.ts';
import { FailureRecord } from '../../server/api/console/installation/failures.ts';
import { openTestApp, send } from '../support/app/test-app.ts';

describe('an unexpected error', () => {
  const methods = {
    embeddings: {
      embed: () => {
        throw new TypeError('the payload: Ipoh');
      },
    },
  };

  it('is logged, published and shown under Diagnostics, without its message', async () => {
    const test = openTestApp({ methods });
    const events: ConsoleEvent[] = [];
    const stop = new AbortController();
    void (async () => {
      for await (const event of test.services.events.subscribe(stop.signal)) events.push(event);
    })();
    const body = { model: 'svc-embed-base', input: 'Ipoh' };
    const answer = await send(test, '/v1/embeddings', test.key(), { body });
    expect(answer.statusCode).toBe(500);
    const { failures, version, settings } = (
      await send(test, '/console/diagnostics', null, { headers: test.session() })
    ).json();
    expect(failures).toHaveLength(1);
    expect(Check(FailureRecord, failures[0])).toBe(true);
    expect(failures[0]).toMatchObject({
      kind: 'request',
      class: 'TypeError',
      request_id: answer.headers['x-request-id'],
      place: expect.arrayContaining([expect.stringMatching(/^failure-log\.test\.ts:/)]),
    });
    expect(version).toBe('0.0.0');
    expect(settings.max_queue).toBe(64);
    expect(events.filter(({ type }) => type === 'failure')).toHaveLength(1);
    stop.abort();
    expect(test.log.join()).toContain('"class":"TypeError"');
    expect(test.log.join() + JSON.stringify(failures)).not.toContain('Ipoh');
  });

  it('stands beside settings that name no folder, host, origin or key', async () => {
    const test = openTestApp();
    test.services.settings.update({
      mcp_folders: ['/home/sarah/clients'],
      url_allowlist: ['intranet.example'],
      cors_origins: ['https://desk.example'],
    });
    const answer = await send(test, '/console/diagnostics', null, { headers: test.session() });
    expect(answer.json().settings).toMatchObject({
      mcp_folders: 1,
      url_allowlist: 1,
      cors_origins: 1,
      guardrails: 0,
      ollama_key: false,
    });
    expect(answer.body).not.toMatch(/sarah|intranet|desk/);
  });

  it('is kept among the latest 500', () => {
    const test = openTestApp();
    for (let count = 0; count < 510; count += 1)
      test.services.failures.ofRequest(new Error('x'), `req-${count}`);
    expect(test.services.failures.latest()).toHaveLength(500);
    expect(test.services.failures.latest()[0]?.request_id).toBe('req-509');
  });
});
