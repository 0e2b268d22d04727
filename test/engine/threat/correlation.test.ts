import { expect, test } from 'vitest';
import type { LogEvent } from '../../../server/engine/threat/readers/event.ts';
import { createEvent } from '../../../server/engine/threat/readers/event.ts';
import type { RuleMatch } from '../../../server/engine/threat/sigma/correlation.ts';
import { compileCorrelation } from '../../../server/engine/threat/sigma/correlation.ts';
import type { CorrelationDocument } from '../../../server/engine/threat/sigma/parse-rule.ts';
import { parseRules } from '../../../server/engine/threat/sigma/parse-rule.ts';

function match(name: string, second: number, fields: Record<string, string> = {}): RuleMatch {
  const event: LogEvent = createEvent(
    { line: 1, endLine: 1, start: second, end: second + 1, raw: 'x' },
    'json',
  );
  event.timeMs = second * 1000;
  for (const [key, value] of Object.entries(fields)) event.fields.set(key, [value]);
  return { names: [name], event };
}

const compile = (body: string) =>
  compileCorrelation(parseRules(`title: C\ncorrelation:\n${body}`)[0] as CorrelationDocument);

test('event_count counts within the span and a group', () => {
  const { match: run } = compile(
    '  {type: event_count, rules: [a], group-by: [user], timespan: 1m, condition: {gte: 3}}',
  );
  const close = [0, 10, 20].map((s) => match('a', s, { user: 'x' }));
  expect(run(close)).toHaveLength(1);
  expect(
    run([match('a', 0, { user: 'x' }), match('a', 100, { user: 'x' }), match('a', 200, { user: 'x' })]),
  ).toHaveLength(0);
  expect(
    run([match('a', 0, { user: 'x' }), match('a', 1, { user: 'y' }), match('a', 2, { user: 'x' })]),
  ).toHaveLength(0);
});

test('value_count counts different values', () => {
  const { match: run } = compile(
    '  {type: value_count, rules: [a], group-by: [ip], timespan: 1h, condition: {field: user, gt: 2}}',
  );
  expect(run(['x', 'y', 'z'].map((user, i) => match('a', i, { ip: '1', user })))).toHaveLength(1);
  expect(run(['x', 'y', 'x'].map((user, i) => match('a', i, { ip: '1', user })))).toHaveLength(0);
});

test('temporal wants all rules, temporal_ordered in order', () => {
  const any = compile('  {type: temporal, rules: [a, b], timespan: 1m}');
  const ordered = compile('  {type: temporal_ordered, rules: [a, b], timespan: 1m}');
  const backwards = [match('b', 0), match('a', 5)];
  expect(any.match(backwards)).toHaveLength(1);
  expect(ordered.match(backwards)).toHaveLength(0);
  expect(ordered.match([match('a', 0), match('b', 5)])).toHaveLength(1);
  expect(any.match([match('a', 0), match('b', 500)])).toHaveLength(0);
});

test('aliases join differently named fields', () => {
  const { match: run } = compile(
    '  type: temporal\n  rules: [a, b]\n  timespan: 1m\n  group-by: [who]\n  aliases:\n    who: {a: src, b: dst}',
  );
  expect(run([match('a', 0, { src: 'h1' }), match('b', 1, { dst: 'h1' })])).toHaveLength(1);
  expect(run([match('a', 0, { src: 'h1' }), match('b', 1, { dst: 'h2' })])).toHaveLength(0);
});

test('sums and percentiles', () => {
  const sum = compile('  {type: value_sum, rules: [a], timespan: 1m, condition: {field: n, gt: 10}}');
  expect(sum.match([match('a', 0, { n: '6' }), match('a', 1, { n: '5' })])).toHaveLength(1);
  expect(sum.match([match('a', 0, { n: '6' })])).toHaveLength(0);
});

test.each([
  ['  {type: sometimes, rules: [a], timespan: 1m}', /type/u],
  ['  {type: event_count, rules: [a], timespan: soon, condition: {gt: 1}}', /timespan/u],
  ['  {type: event_count, rules: [a], timespan: 1m}', /condition/u],
  ['  {type: value_count, rules: [a], timespan: 1m, condition: {gt: 1}}', /field/u],
  ['  {type: event_count, timespan: 1m, condition: {gt: 1}}', /rules/u],
])('refuses %s', (body, message) => {
  expect(() => compile(body)).toThrow(message);
});
