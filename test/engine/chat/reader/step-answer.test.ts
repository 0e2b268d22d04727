/** Small steps from what a text tells, as the pack's words for them are read. */
import { expect, test } from 'vitest';
import { stepAnswer } from '../../../../server/engine/chat/reader/step-answer.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

const step = (context: string, question: string, language: string = 'en') =>
  stepAnswer(
    { context, question },
    {
      language,
      place: { start: 0, end: 5 },
      shareOf: (part) => question.split(' ').filter((word) => word.length > 4 && part.includes(word)).length,
      values: settings.values,
      words: settings.steps,
    },
  );

const ferry = 'The crossing takes 35 minutes. Be there half an hour before.';

test.each<[string, string, string | null, string?]>([
  ['The course runs from 18:30 to 21:00.', 'How long does one evening last?', '2 hours 30 minutes'],
  ['The course runs from 9 am to 10 am.', 'How long is it?', '1 hour'],
  ['课程从18:30到21:00。', '课程多长时间？', '2小时30分钟', 'zh'],
  [ferry, 'When does the 12:10 ferry arrive?', '12:45'],
  [ferry, 'By what time must I be there for the 15:00 boat?', '14:30'],
  [
    'Perjalanan ke Fakulti mengambil masa 12 minit, dan ke Perpustakaan Utama 18 minit.',
    'Jika bas bertolak pada 8.40 pagi, pukul berapa ia tiba di Perpustakaan Utama?',
    '8.58 pagi',
    'ms',
  ],
  ['The course runs from 18:30 to 21:00 and from 9:00 to 10:00.', 'How long is it?', null],
  ['The course begins at 18:30.', 'How long is it?', null],
  ['The boat leaves soon.', 'When does the 12:10 ferry arrive?', null],
  ['The course runs from 18:30 to 21:00.', 'Who leads it?', null],
])('%s %s %s', (context, question, answer, language) =>
  expect(step(context, question, language)).toBe(answer),
);
