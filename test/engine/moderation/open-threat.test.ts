import { expect, it } from 'vitest';
import { openThreatScore } from '../../../server/engine/moderation/open-threat.ts';

it.each([
  'Saya akan bunuh kamu',
  'saya akan bunuh awak!',
  'Kami akan bakar rumah kamu',
  'Ingat, kami akan tikam anak awak malam ini',
  'Saya pasti akan bunuh keluarga anda',
  'Kami mahu tembak awak esok.',
  'I will kill you',
  "We're going to burn your house down tonight",
  'I’ll stab you and your family',
  '我要杀了你',
  '我们一定会打死你们！',
])('hears an open threat: %s', (text) => expect(openThreatScore(text)).toBeGreaterThan(0.5));

it.each([
  'saya akan bunuh proses itu',
  'Saya tidak akan bunuh awak',
  'Dia kata saya akan bunuh awak',
  'Saya akan bakar ikan untuk kamu',
  'Saya akan bunuh awak dalam permainan ini',
  'Kami akan bunuh nyamuk di rumah kamu',
  'Saya nak belasah awak dalam catur',
  'Adakah saya akan bunuh awak?  Tidak.',
  'I will kill the process for you',
  "I'll kill you at chess",
  'I will not kill you',
  'He said I will kill you',
  'Mum is going to kill me',
  'I will shoot you an e-mail',
  "I'm going to burn you a CD",
  'I will kill your process',
  '我要杀了这个进程',
  '我不会杀了你',
  '他说我要杀了你',
  '我要打死你的蚊子',
])('leaves to the classifier: %s', (text) => expect(openThreatScore(text)).toBe(0));
