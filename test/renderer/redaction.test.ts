/** Places that the page offers to black out: fields, signatures, and personal data that the server found. */
import { describe, expect, test } from 'vitest';
import {
  samePlace,
  type Target,
  toAreas,
  toKinds,
  toPersonalTargets,
  toTargets,
  withPersonal,
} from '../../renderer/src/pages/documents/redaction/redaction-plan.ts';
import {
  type RedactionRecord,
  redactionHtml,
  redactionJson,
} from '../../renderer/src/pages/documents/redaction/redaction-report.ts';

const target = (text: string, bbox = [0, 0, 1, 1]): Target => {
  return { id: text, label: 'x', page: 1, bbox, text, personal: true };
};

test('an amount is listed by its own name, not once more by the currency read from it', () => {
  const total = { value: 5065.2, raw: '5,065.20', confidence: 1, page: 1, bbox: [0.8, 0.7, 0.9, 0.72] };
  const fields = { currency: { ...total, value: 'MYR' }, total };
  const targets = toTargets({ fields, signatures: [] } as unknown as Parameters<typeof toTargets>[0]);
  expect(targets.map(({ label }) => label)).toEqual(['total']);
});

describe('personal data in the text', () => {
  test('organizations, places, dates and job titles are offered and not chosen; names are', () => {
    const found = ['organization', 'place', 'date', 'job_title', 'name'].map((label) => ({
      reason: 'pii' as const,
      label,
      page: 1,
      bbox: [0, 0, 1, 1],
      text: 'x',
    }));
    expect(toPersonalTargets(found).map(({ personal }) => personal)).toEqual([
      ...[false, false, false, false, true],
    ]);
  });

  test('what lies in a field that is listed already is not listed again', () => {
    const field = target('a field', [0.1, 0.1, 0.5, 0.12]);
    const within = target('within', [0.2, 0.1, 0.3, 0.12]);
    const beside = target('beside', [0.6, 0.1, 0.7, 0.12]);
    expect(withPersonal([field], [within, beside])).toEqual([field, beside]);
    expect(withPersonal([field], [{ ...within, page: 2 }])).toHaveLength(2);
  });

  test('a field that holds personal data is chosen, whatever its name; one that shares letters is not', () => {
    const field = (text: string, bbox = [0.1, 0.5, 0.5, 0.52]) => ({
      ...target(text, bbox),
      personal: false,
    });
    const chosen = (text: string, found: Target[]) => withPersonal([field(text)], found)[0]?.personal;
    const name = target('Siti Nurhaliza', [0.7, 0.1, 0.9, 0.12]);
    expect(chosen('Siti Nurhaliza binti Omar', [name])).toBe(true);
    expect(chosen('Limited', [target('Lim', [0.7, 0.1, 0.9, 0.12])])).toBe(false);
    expect(chosen('elsewhere', [{ ...name, bbox: [0.2, 0.5, 0.3, 0.52] }])).toBe(true);
    expect(chosen('Siti Nurhaliza', [{ ...name, personal: false }])).toBe(false);
  });

  test('goes to the server with its text; a drawn box has none', () => {
    expect(toAreas([target('Siti'), target('')])).toEqual([
      { page: 1, bbox: [0, 0, 1, 1], label: 'x', text: 'Siti' },
      { page: 1, bbox: [0, 0, 1, 1], label: 'x' },
    ]);
  });
});

describe('choosing by kind', () => {
  const at = (id: string, label: string, bbox = [0, 0, 1, 1], page = 1): Target => ({
    ...target('x', bbox),
    id,
    label,
    page,
  });
  test('fields, signatures and boxes are one kind each, personal data one a kind', () => {
    const kinds = toKinds([
      at('field:a', 'a'),
      at('field:b', 'b'),
      at('pii:1:0', 'email'),
      at('pii:1:1', 'phone'),
      at('pii:2:2', 'email'),
      at('drawn:0', 'Box 1'),
    ]);
    expect(kinds.map(({ key, ids }) => [key, ids.length])).toEqual([
      ['field:', 2],
      ['found:email', 2],
      ['found:phone', 1],
      ['drawn:', 1],
    ]);
  });

  test('what one and the same box paints goes together', () => {
    const number = [0.1, 0.1, 0.3, 0.12];
    const targets = [
      at('field:mykad', 'mykad', number),
      at('field:birth_date', 'birth_date', number),
      at('field:line', 'line', [0.1, 0.1, 0.9, 0.12]),
      at('pii:2:0', 'mykad', number, 2),
    ];
    expect(samePlace(targets, 'field:birth_date')).toEqual(['field:mykad', 'field:birth_date']);
    expect(samePlace(targets, 'field:line')).toEqual(['field:line']);
  });
});

describe('the report', () => {
  const place = (id: string, label: string, page: number): Target => ({
    ...target('900101-14-5566'),
    id,
    label,
    page,
  });
  const record: RedactionRecord = {
    source: { name: 'a<b>.pdf', sha256: 'aa' },
    result: { name: 'a.redacted.pdf', sha256: 'bb' },
    madeAtMs: 0,
    painted: [place('pii:1:0', 'email', 2), place('pii:1:1', 'email', 2), place('drawn:0', 'Box 1', 1)],
    left: [place('pii:1:3', 'date', 1)],
    check: { passed: true, readable: [] },
  };
  test('tells page, kind, number and rule, in the order of the pages, and what was left', () => {
    const html = redactionHtml(record);
    const rows = [...html.matchAll(/<tr><td>(.*?)<\/td><\/tr>/g)].map(([, row]) => row?.split('</td><td>'));
    expect(rows).toEqual([
      ['1', 'Boxes drawn by hand', '1', 'Boxes drawn by hand'],
      ['2', 'Email address', '2', 'Personal data found in the text'],
      ['1', 'Date', '1', 'Personal data found in the text'],
    ]);
    expect(html).toContain('a&lt;b&gt;.pdf · SHA-256 aa');
  });
  test('holds none of the text that was painted over', () => {
    expect(redactionHtml(record) + redactionJson(record)).not.toContain('900101');
  });
  test('as JSON names files, rules and check', () => {
    expect(JSON.parse(redactionJson(record))).toMatchObject({
      source: { sha256: 'aa' },
      redactions: [{ rule: 'found', label: 'email', page: 2 }, {}, { rule: 'drawn' }],
      left: [{ label: 'date' }],
      check: { passed: true },
    });
  });
});
