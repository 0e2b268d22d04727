import { describe, expect, it } from 'vitest';
import { groupUsage, sumOf, usageCsv } from '../../renderer/src/pages/usage/usage-rows.ts';
import type { UsageDay } from '../../server/api/console/console.ts';

const now = Date.UTC(2026, 5, 15, 12);
const day = (over: Partial<UsageDay>): UsageDay => ({
  day: '2026-06-15',
  key_id: 'key_a',
  key_name: 'A',
  model: 'svc-embed-base',
  upstream: null,
  requests: 1,
  estimated: 0,
  prompt_tokens: 10,
  completion_tokens: 0,
  images: 0,
  frames: 0,
  pages: 0,
  ...over,
});
const big = { key_id: 'key_b', key_name: 'B, "big"', model: 'svc-parse-pro', requests: 5, prompt_tokens: 0 };
const usage = [day({ day: '2026-06-14', key_name: 'A before' }), day({}), day({ ...big, pages: 7 })];

describe('usage', () => {
  it('is added up by key under its latest label, the busiest first', () => {
    const rows = groupUsage(usage, 'key', now);
    expect(rows.map(({ label, requests }) => [label, requests])).toEqual([
      ['B, "big"', 5],
      ['A', 2],
    ]);
    expect(rows[1]?.days.slice(-3)).toEqual([0, 1, 1]);
  });

  it('is added up by model, and by day with the newest first', () => {
    expect(groupUsage(usage, 'model', now).map(({ id, pages }) => [id, pages])).toEqual([
      ['svc-parse-pro', 7],
      ['svc-embed-base', 0],
    ]);
    expect(groupUsage(usage, 'day', now).map(({ id, requests }) => [id, requests])).toEqual([
      ['2026-06-15', 6],
      ['2026-06-14', 1],
    ]);
    expect(sumOf(usage)).toMatchObject({ requests: 7, prompt_tokens: 20, pages: 7 });
  });

  it('is added up by who answered', () => {
    const away = day({ upstream: 'gpu-1', requests: 9, estimated: 4 });
    expect(
      groupUsage([...usage, away], 'engine', now).map(({ label, requests, estimated }) => [
        label,
        requests,
        estimated,
      ]),
    ).toEqual([
      ['gpu-1', 9, 4],
      ['', 7, 0],
    ]);
  });

  it('is saved line by line', () => {
    const lines = usageCsv(usage).trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'day,key_id,key,model,engine,requests,estimated,prompt_tokens,completion_tokens,images,frames,pages',
    );
    expect(lines[3]).toBe('2026-06-15,key_b,"B, ""big""",svc-parse-pro,local,5,0,0,0,0,0,7');
  });
});
