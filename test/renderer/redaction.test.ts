/** Places that the page offers to black out: fields, signatures, and personal data that the server found. */
import { describe, expect, test } from 'vitest';
import {
  type Target,
  toAreas,
  toPersonalTargets,
  withPersonal,
} from '../../renderer/src/pages/documents/redaction/redaction-plan.ts';

const target = (text: string, bbox = [0, 0, 1, 1]): Target => {
  return { id: text, label: 'x', page: 1, bbox, text, personal: true };
};

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
