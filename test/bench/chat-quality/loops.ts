/** Five hundred requests of all kinds, answered at the defaults of the API: in how many the starter says the same over and over. */
import type { Engine } from '../../../server/engine/engine.ts';
import { seededRandom } from '../../../server/services/fixtures/random.ts';
import { progress } from '../measure.ts';
import { say } from './asking.ts';
import { heldBack, type Item, paragraphs } from './items.ts';
import type { Said } from './scoring.ts';

/** Nothing that reading answers: the decoder speaks. */
const odd = [
  'a'.repeat(500),
  'ha '.repeat(100),
  'why why why why why why',
  '🙂🙂🙂',
  '...',
  '1 2 3 4 5 6 7',
  'Tell me a story about a dragon.',
  'Write a poem about rain.',
  'Ceritakan kisah kancil.',
  '写一首诗',
  '讲个故事',
  'What is the capital of France?',
  'Who are you?',
  'apa khabar',
  '你好',
  'Repeat the word yes forever.',
  'SELECT * FROM x',
  '{"a":1}',
  '<html><body>',
  'def f(x):',
  'Translate to Malay: good morning',
  'List ten animals.',
  'Count to fifty.',
  'say ok',
  '?',
  '\n\n',
  'Lorem ipsum dolor sit amet, '.repeat(30),
  'Explain quantum physics simply.',
  'Write an email to my boss about being sick.',
  'Continue: once upon a time',
  'la la la la la la la',
  'ABCABCABCABC',
  'lanjutkan: pada suatu hari',
  '继续：从前',
  'What rhymes with cat?',
  'Make a table of planets.',
  'مُنَاقَشَةُ سُبُلِ اِسْتِخْدَامِ اللُّغَةِ',
  'Ω≈ç√∫˜µ≤≥÷',
  'ﾟ･✿ヾ╲(｡◕‿◕｡)╱✿･ﾟ',
  '社會科學院語學研究所',
];

const most = 500;
/** What the API takes where a request names nothing. */
const defaults = { maxTokens: 256, temperature: 0.7 };

/** A unit of two signs and more, with a letter, four times one behind the other. */
export const isLoop = (text: string): boolean =>
  /(?=.{0,80}\p{L})(\S.{1,80}?)\1{3,}/su.test(text.replaceAll(/\s+/gu, ' '));

/** Held-back conversations first, then odd ones, then running text cut somewhere. */
function requests(): Pick<Item, 'messages' | 'schema' | 'tools'>[] {
  const random = seededRandom('loops');
  const asked = (content: string) => ({ messages: [{ role: 'user' as const, content }] });
  const texts = Object.values(paragraphs()).flat();
  const made = [...heldBack(), ...odd.map(asked)];
  while (made.length < most) {
    const text = texts[Math.floor(random() * texts.length)]!;
    made.push(asked(text.slice(0, 20 + Math.floor(random() * 300))) as (typeof made)[number]);
  }
  return made.slice(0, most);
}

export async function loops(engine: Engine<'chat'>, quick: boolean) {
  const chosen = requests().filter((_, at) => !quick || at % 150 === 0);
  let found = 0;
  for (const [seed, { messages, schema, tools = [] }] of chosen.entries()) {
    const said: Said = await say(engine, {
      ...defaults,
      seed,
      messages,
      tools,
      toolChoice: { mode: tools.length > 0 ? 'auto' : 'none' },
      parallelToolCalls: true,
      format: schema ? { type: 'json_schema', schema, strict: true } : { type: 'text' },
    });
    if (isLoop(said.text)) {
      found += 1;
      progress(`loop: ${said.text.slice(0, 200)}`);
    }
  }
  return { answers: chosen.length, loops: found };
}
