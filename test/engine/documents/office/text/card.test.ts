import { expect, test } from 'vitest';
import { readFlow } from '../../../../../server/engine/documents/office/read-flow.ts';
import { readCard } from '../../../../../server/engine/documents/office/text/card.ts';

const card = (...lines: string[]) => readCard(['BEGIN:VCARD', ...lines, 'END:VCARD'].join('\r\n'));

test('lines are joined and values decoded', () => {
  const { text, warnings } = card(
    'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jos=C3=A9=20=',
    'bin Ali',
    'NOTE:MyKad 880101-',
    ' 14-5566\\nhome\\, work',
  );
  expect(text).toBe('BEGIN:VCARD\nFN:José bin Ali\nNOTE:MyKad 880101-14-5566\nhome, work\nEND:VCARD');
  expect(warnings).toEqual([]);
});

test('files within are left out, and told', () => {
  const { text, warnings } = card(
    'FN:Ali',
    'PHOTO;ENCODING=b;TYPE=JPEG:QWxp',
    ' QWxp',
    'LOGO:data:image/png;base64,QWxp',
  );
  expect(text).toBe('BEGIN:VCARD\nFN:Ali\nEND:VCARD');
  expect(warnings).toEqual(['Attached files that were not read: 2 within the card.']);
});

test('Rich Text Format is read as its text', () => {
  const flow = readFlow(Buffer.from("{\\rtf1\\ansi Jos\\'e9 bin Ali, 880101\\u45?14\\u45?5566}", 'latin1'));
  expect(JSON.stringify(flow.sections)).toContain('José bin Ali, 880101-14-5566');
});
