import { describe, expect, test } from 'vitest';
import { createEvent } from '../../../server/engine/threat/readers/event.ts';
import { flattenJson } from '../../../server/engine/threat/readers/formats/flatten.ts';
import { RuleSet } from '../../../server/engine/threat/rule-set.ts';
import { compileDetection } from '../../../server/engine/threat/sigma/detection.ts';
import { requiredLiterals } from '../../../server/engine/threat/sigma/literals/required-literals.ts';
import { toMatchEvent } from '../../../server/engine/threat/sigma/node.ts';
import { parseRules } from '../../../server/engine/threat/sigma/parse-rule.ts';

const options = { placeholders: { admins: ['root', 'administrator'] } };

function matches(detection: Record<string, unknown>, fields: unknown): boolean {
  const raw = JSON.stringify(fields);
  const event = createEvent({ line: 1, endLine: 1, start: 0, end: raw.length, raw }, 'json');
  flattenJson(event, fields);
  return compileDetection({ condition: 's', ...detection }, options).matches(toMatchEvent(event));
}

const cases: [name: string, selection: unknown, event: unknown, expected: boolean][] = [
  ['equality ignores case', { a: 'CMD.exe' }, { a: 'cmd.EXE' }, true],
  ['cased does not', { 'a|cased': 'CMD.exe' }, { a: 'cmd.exe' }, false],
  ['equality is the whole value', { a: 'cmd' }, { a: 'cmd.exe' }, false],
  ['number', { a: 4688 }, { a: '4688' }, true],
  ['list is any', { a: ['x', 'y'] }, { a: 'y' }, true],
  ['map is all', { a: 'x', b: 'y' }, { a: 'x' }, false],
  ['field values in a list', { a: 'x' }, { a: ['y', 'x'] }, true],
  ['nested fields', { 'a.b.c': 'x' }, { a: { b: { c: 'x' } } }, true],
  ['contains', { 'a|contains': 'ell' }, { a: 'Hello' }, true],
  ['contains all', { 'a|contains|all': ['he', 'lo'] }, { a: 'hello' }, true],
  ['contains all misses one', { 'a|contains|all': ['he', 'xx'] }, { a: 'hello' }, false],
  ['startswith', { 'a|startswith': 'he' }, { a: 'Hello' }, true],
  ['endswith', { 'a|endswith': '\\cmd.exe' }, { a: 'C:\\Windows\\cmd.exe' }, true],
  ['star inside', { a: 'a*c*e' }, { a: 'abcde' }, true],
  ['star inside needs order', { a: 'a*d*c' }, { a: 'abcd' }, false],
  ['question mark is one character', { a: 'a?c' }, { a: 'abc' }, true],
  ['question mark is not none', { a: 'a?c' }, { a: 'ac' }, false],
  ['escaped star is plain', { a: 'a\\*c' }, { a: 'abc' }, false],
  ['escaped star matches itself', { a: 'a\\*c' }, { a: 'a*c' }, true],
  ['two backslashes are one', { 'a|contains': 'a\\\\b' }, { a: 'a\\b' }, true],
  ['re is case sensitive and unanchored', { 'a|re': 'b+c' }, { a: 'xxbbc' }, true],
  ['re cased', { 'a|re': 'B+c' }, { a: 'bbc' }, false],
  ['re|i', { 'a|re|i': 'B+c' }, { a: 'bbc' }, true],
  ['re|s lets the dot cross lines', { 'a|re|s': 'a.b' }, { a: 'a\nb' }, true],
  ['re|m anchors lines', { 'a|re|m': '^b$' }, { a: 'a\nb' }, true],
  ['cidr', { 'a|cidr': '10.0.0.0/8' }, { a: '10.2.3.4' }, true],
  ['cidr v6', { 'a|cidr': 'fe80::/10' }, { a: 'fe80::1' }, true],
  ['cidr no address', { 'a|cidr': '10.0.0.0/8' }, { a: 'ten' }, false],
  ['windash slash for dash', { 'a|contains|windash': ' -enc ' }, { a: 'ps /enc x' }, true],
  ['windash en dash', { 'a|contains|windash': ' -enc ' }, { a: 'ps \u2013enc x' }, true],
  ['base64', { 'a|base64': 'http://' }, { a: 'aHR0cDovLw==' }, true],
  [
    'base64offset at the second offset',
    { 'a|base64offset|contains': 'foobar' },
    { a: Buffer.from('zfoobar!').toString('base64') },
    true,
  ],
  [
    'base64offset at the third offset',
    { 'a|base64offset|contains': 'foobar' },
    { a: Buffer.from('zzfoobar!').toString('base64') },
    true,
  ],
  [
    'wide base64offset',
    { 'a|wide|base64offset|contains': 'IEX' },
    { a: Buffer.from('xIEXy', 'utf16le').toString('base64') },
    true,
  ],
  [
    'utf16le alias',
    { 'a|utf16le|base64offset|contains': 'ping' },
    { a: Buffer.from('ping', 'utf16le').toString('base64') },
    true,
  ],
  ['exists', { 'a|exists': true }, { a: '' }, true],
  ['exists false', { 'a|exists': false }, { b: 1 }, true],
  ['null is absent or empty', { a: null }, { b: 1 }, true],
  ['null is not a value', { a: null }, { a: 'x' }, false],
  ['gt', { 'a|gt': 5 }, { a: 6 }, true],
  ['gte', { 'a|gte': 6 }, { a: 6 }, true],
  ['lt', { 'a|lt': 5 }, { a: 5 }, false],
  ['lte', { 'a|lte': 5 }, { a: '5' }, true],
  ['gt needs a number', { 'a|gt': 5 }, { a: 'x' }, false],
  ['neq', { 'a|neq': 'x' }, { a: 'y' }, true],
  ['neq equal', { 'a|neq': 'x' }, { a: 'X' }, false],
  ['fieldref', { 'a|fieldref': 'b' }, { a: 'X', b: 'x' }, true],
  ['fieldref endswith', { 'a|fieldref|endswith': 'b' }, { a: 'foobar', b: 'bar' }, true],
  ['expand', { 'a|expand': '%admins%' }, { a: 'Administrator' }, true],
  ['time part', { 'a|hour': 3 }, { a: '2025-03-04T03:12:44Z' }, true],
  ['keyword', 'needle', { a: 'hay NEEDLE hay' }, true],
  ['keywords any', ['x1', 'needle'], { a: 'needle' }, true],
  ['keywords all', { '|all': ['x1', 'needle'] }, { a: 'needle' }, false],
];

describe('detection items', () => {
  test.each(cases)('%s', (_, selection, event, expected) => {
    expect(matches({ s: selection }, event)).toBe(expected);
  });
});

describe('conditions', () => {
  const detection = { sel_a: { a: 1 }, sel_b: { b: 1 }, filter_x: { x: 1 }, _private: { p: 1 } };
  test.each<[condition: string, event: object, expected: boolean]>([
    ['sel_a and sel_b', { a: 1 }, false],
    ['sel_a or sel_b', { b: 1 }, true],
    ['sel_a and not filter_x', { a: 1, x: 1 }, false],
    ['not sel_a', { b: 1 }, true],
    ['1 of sel_*', { b: 1 }, true],
    ['all of sel_*', { b: 1 }, false],
    ['all of sel_*', { a: 1, b: 1 }, true],
    ['any of sel_*', { a: 1 }, true],
    ['2 of sel_*', { a: 1 }, false],
    ['1 of them', { p: 1 }, false],
    ['sel_a and (sel_b or filter_x)', { a: 1, x: 1 }, true],
    ['sel_a or sel_b and filter_x', { a: 1 }, true],
    ['not (sel_a or sel_b)', { x: 1 }, true],
    ['not not sel_a', { a: 1 }, true],
    ['sel_a and not 1 of filter_*', { a: 1 }, true],
  ])('%s', (condition, event, expected) => {
    expect(matches({ ...detection, condition }, event)).toBe(expected);
  });

  test.each([
    ['sel_a and', /too early/u],
    ['(sel_a', /not closed/u],
    ['sel_c', /not defined/u],
    ['sel_a sel_b', /unexpected/u],
    ['1 of none_*', /names nothing/u],
    ['sel_a | count() > 5', /correlation/u],
    [`${'not '.repeat(200)}sel_a`, /too deeply/u],
  ])('refuses %s', (condition, message) => {
    expect(() => compileDetection({ ...detection, condition }, options)).toThrow(message);
  });
});

const rule = (body: string) => `title: T\nid: r\nlogsource: {category: x}\n${body}`;

/** Each list names the one before nine times. */
const aliasBomb = (levels: number) =>
  [
    'a0: &a0 [x]',
    ...Array.from({ length: levels }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`),
  ].join('\n');

describe('rule files', () => {
  test.each([
    ['alias bomb', aliasBomb(9), /alias/u],
    ['small alias bomb', aliasBomb(5), /too large/u],
    ['deep nesting', `title: ${'['.repeat(2000)}`, /YAML/u],
    ['huge file', `title: ${'x'.repeat(600_000)}`, /larger/u],
    ['many nodes', rule(`detection: {condition: s, s: [${'a,'.repeat(30_000)}a]}`), /too large/u],
    ['broken', 'title: [', /YAML/u],
    ['not a map', '- a\n- b', /not a map/u],
    ['no title', 'logsource: {}\ndetection: {}', /title/u],
    ['no detection', 'title: T\nlogsource: {product: x}', /detection/u],
    ['unknown level', rule('level: awful\ndetection: {s: {a: 1}, condition: s}'), /level/u],
    ['empty', '', /no rule/u],
  ])('%s is refused', (_, text, message) => {
    expect(() => parseRules(text)).toThrow(message);
  });

  test('errors are listed by file and the others load', () => {
    const rules = new RuleSet();
    const files = [
      { name: 'good.yml', text: rule('detection: {s: {a: 1}, condition: s}') },
      {
        name: 'look-around.yml',
        text: `title: L\nlogsource: {category: x}\ndetection: {s: {a|re: '(?=x)y'}, condition: s}`,
      },
      {
        name: 'modifier.yml',
        text: `title: M\nlogsource: {category: x}\ndetection: {s: {a|sounds: y}, condition: s}`,
      },
    ];
    const { imported, errors } = rules.add(files, 'imported');
    expect(imported).toBe(1);
    expect(errors.map(({ file }) => file)).toEqual(['look-around.yml', 'modifier.yml']);
  });
});

test.each<[pattern: string, literals: string[] | null]>([
  ['abc', ['abc']],
  ['(foo|ba?r)x', ['foox', 'barx', 'brx']],
  ['a*', null],
  ['x+\\.exe$', ['.exe']],
  ['\\bunion\\b.+select', ['select']],
  ['[^a]b?', null],
  ['(?i)Foo.*', ['foo']],
])('literals of %s', (pattern, literals) => {
  expect(requiredLiterals(pattern)).toEqual(literals);
});
