import { expect, test } from 'vitest';
import { openOn } from '../../../../server/engine/chat/reader/open-days.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

const asked = (text: string, question: string) =>
  openOn(question, text, settings.values.weekdays, settings.opening)?.isTrue ?? null;

const clinic =
  'The clinic is open Monday to Friday from 9 to 5 and on Saturday from 9 to 12. Closed on Sunday.';

test.each([
  [clinic, 'Is the clinic open on Saturday?', true],
  [clinic, 'Is the clinic open on Wednesday?', true],
  [clinic, 'Is the clinic open on Sunday?', false],
  [clinic, 'Is the clinic closed on Sunday?', true],
  ['Opening hours: Mon-Fri 8:00-18:00, Sat 9:00-13:00, Sun closed.', 'Are you open on Saturday?', true],
  ['Opening hours: Mon-Fri 8:00-18:00, Sat 9:00-13:00, Sun closed.', 'Are you open on Sunday?', false],
  ['We are open every day except Tuesday.', 'Are you open on Tuesday?', false],
  ['We are open every day except Tuesday.', 'Are you open on Friday?', true],
  ['The museum opens Tuesday to Sunday from 10 to 5.', 'Is the museum open on Monday?', false],
  ['The museum opens Tuesday to Sunday from 10 to 5.', 'Is the museum closed on Monday?', true],
  ['Closed on Saturday and Sunday.', 'Is it open on Sunday?', false],
  ['Klinik dibuka Isnin hingga Sabtu. Tutup pada hari Ahad.', 'Adakah klinik buka pada hari Sabtu?', true],
  ['Klinik dibuka Isnin hingga Sabtu. Tutup pada hari Ahad.', 'Klinik buka tak hari Ahad?', false],
  ['诊所周一至周六开门，周日休息。', '诊所周六开门吗？', true],
  ['诊所周一至六开门，周日休息。', '诊所周五营业吗？', true],
  ['诊所周一至周六开门，周日休息。', '诊所周日开门吗？', false],
])('“%s” “%s” %s', (text, question, isTrue) => expect(asked(text, question)).toBe(isTrue));

test.each([
  [clinic, 'When is the clinic open on Saturday?'],
  [clinic, 'Is the clinic open on Saturday at 11?'],
  [clinic, 'Is the clinic open?'],
  ['The shop sat on a hill in the sun.', 'Is it open on Saturday?'],
  ['Museum: open on Monday. Library: closed on Monday.', 'Is it open on Monday?'],
  ['Open on Saturday and Sunday.', 'Is it open on Monday?'],
  ['', 'Is it open on Monday?'],
])('“%s” “%s” is not told by days', (text, question) => expect(asked(text, question)).toBe(null));

test('a long text of signs is read to its end', () => {
  const text = `${'mon, '.repeat(3_000)}Monday closed`;
  expect(asked(text, 'Is it open on Monday?')).toBe(false);
});
