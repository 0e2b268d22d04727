/** Tells what is asked from what it is asked about. */
import type { ChatMessage } from '../../../api/services/chat.ts';

/** Signs of a question or an order, by pattern (reader.json of a pack). */
export interface QuestionWords {
  /** Begins a question or an order. */
  opening: RegExp;
  /** Asks wherever it stands: “… when”. */
  anywhere: RegExp;
  /** Is answered by yes or no: “Is …?”, “… ke?”, “……吗？” */
  polar: RegExp;
  /** Speaks of the text: “according to the passage”. */
  about: RegExp;
  /** Begins words around a text: “Read this”. */
  frame: RegExp;
  /** Stands before a text: “Passage:”. */
  mark: RegExp;
  /** Behind a question, how it is to be answered: “Answer briefly.” */
  manner: RegExp;
  /** “Question:” */
  label: RegExp;
  /** Tells to take fields from a text. */
  order: RegExp;
  /** Before a question that is asked by way of another: “Can you tell me which …”. */
  lead: RegExp;
}

export interface SplitQuestion {
  question: string;
  context: string;
}

const fences = /^\s*(?:"{3}|`{3}\w*|'{3}|-{3,}|={3,}|<\/?[\w-]+(?:\s[^>]*)?>)\s*$/u;
/** Begins a text between marks that people and programs put around it. */
const openings = /<([\w-]{1,40})(?:\s[^>]{0,300})?>|("{3}|`{3}|'{3})\w*/gu;

/** The texts between such marks, and the rest; each end is looked for once, so that texts full of begins take no longer. */
function partFenced(text: string): { inside: string; around: string } {
  const inside: string[] = [];
  const around: string[] = [];
  const missing = new Set<string>();
  let from = 0;
  for (const { 0: mark, 1: tag, 2: quotes, index } of text.matchAll(openings)) {
    const end = tag === undefined ? quotes! : `</${tag}>`;
    if (index < from || missing.has(end)) continue;
    const close = text.indexOf(end, index + mark.length);
    if (close < 0) {
      missing.add(end);
      continue;
    }
    around.push(text.slice(from, index));
    inside.push(text.slice(index + mark.length, close).trim());
    from = close + end.length;
  }
  return { inside: inside.join('\n\n'), around: [...around, text.slice(from)].join('\n') };
}

const shortQuestion = 45;
const leastContext = 6;
const mostAround = 80;

/** Words, each Chinese character as one. */
export const lengthOf = (text: string): number =>
  text.match(/\p{Script=Han}|[^\s\p{Script=Han}]+/gu)?.length ?? 0;

/** Long enough to be asked about; each separated value counts as a word. */
const isContext = (text: string): boolean => lengthOf(text.replaceAll(/[,;|](?=\S)/gu, ' ')) >= leastContext;

/** The piece of a text around a place, between `sign`s, which match everywhere. */
export function pieceAround(
  text: string,
  sign: RegExp,
  { end, start }: { start: number; end: number },
): { from: number; to: number } {
  const signs = [...text.matchAll(sign)];
  const before = signs.findLast(({ 0: said, index }) => index + said.length <= start);
  const after = signs.find(({ index }) => index >= end);
  return { from: before ? before.index + before[0].length : 0, to: after?.index ?? text.length };
}

interface Candidate {
  question: string;
  context: string;
  score: number;
}

/** Borders between a question and its text: what each is worth, and the least a question must look like one there. */
const borders = {
  paragraph: { bonus: 1, least: 0 },
  line: { bonus: 0.6, least: 1 },
  sentence: { bonus: 0.2, least: 1.5 },
};

/** An empty line, or one that people draw between a question and its text. */
const paragraphs = /\n\s*\n|\n[ \t]*(?:-{3,}|={3,})[ \t]*\n/u;
const sentences = /(?<=[.!?;:])\s+(?=\S)|(?<=[。！？；：])/u;

function askedness(part: string, words: QuestionWords): number {
  const text = part.trim().replace(/^["'“”‘’*_#>\s-]+/u, '');
  let score = 0;
  if (/[?？]["'”’)）]*$/u.test(text)) score += 2;
  else if (/[?？]/u.test(text)) score += 1;
  if (words.label.test(text)) score += 3;
  if (words.opening.test(text)) score += 1.5;
  if (words.anywhere.test(text)) score += 1;
  if (words.about.test(text)) score += 0.5;
  if (isFrame(text, words)) score -= 2.5;
  return score - Math.max(0, lengthOf(text) - 30) / 10;
}

/** Worth of a short part without a full stop beside a text that has one: people leave the question mark out. */
const unfinished = 0.75;
const longestUnfinished = 16;

const openEnd = 2.3;

const finished = /[.。!！…]["'”’)）]*\s*$/u;

const isUnfinished = (part: string, rest: readonly string[]): boolean =>
  lengthOf(part) <= longestUnfinished && !finished.test(part) && rest.some((each) => finished.test(each));

const longestFrame = 20;

/** “Read this and answer.”, “Text:”: neither the question nor the text. */
const isFrame = (text: string, words: QuestionWords): boolean =>
  lengthOf(text) <= longestFrame &&
  words.frame.test(text) &&
  !words.anywhere.test(text) &&
  !/[?？]/u.test(text);

/** Possible questions at the text's begin or end: a paragraph, a line, a sentence. */
function candidatesOf(text: string, words: QuestionWords): Candidate[] {
  const found: Candidate[] = [];
  const add = (
    parts: string[],
    glue: string,
    border: keyof typeof borders,
    [before, after]: [string, string],
  ) => {
    if (parts.length < 2 && before === '' && after === '') return;
    const { bonus, least } = borders[border];
    const ends: [question: string, rest: string[], isLast: boolean][] = [];
    if (after === '') ends.push([parts.at(-1)!, parts.slice(0, -1), true]);
    if (before === '') ends.push([parts[0]!, parts.slice(1), false]);
    for (const [question, rest, isLast] of ends) {
      const asked = askedness(question, words) + (isUnfinished(question, rest) ? unfinished : 0);
      const context = [before, rest.join(glue), after].filter((part) => part.trim() !== '').join('\n\n');
      // A text of its own seldom ends with a question that has no mark.
      const isOpen = isLast && isUnfinished(question, rest) && words.opening.test(question);
      const last = isLast ? 0.1 + (isOpen ? openEnd : 0) : 0;
      if (asked >= least) found.push({ question, context, score: asked + bonus + last });
    }
  };
  const blocks = text.split(paragraphs);
  add(blocks, '\n\n', 'paragraph', ['', '']);
  for (const isLast of [true, false]) {
    const lines = (isLast ? blocks.at(-1)! : blocks[0]!).split('\n');
    const others = (isLast ? blocks.slice(0, -1) : blocks.slice(1)).join('\n\n');
    const around: [string, string] = isLast ? [others, ''] : ['', others];
    if (lines.length > 1) add(lines, '\n', 'line', around);
    const parts = (isLast ? lines.at(-1)! : lines[0]!).split(sentences);
    const rest = (isLast ? lines.slice(0, -1) : lines.slice(1)).join('\n');
    if (parts.length > 1) {
      const near = [others, rest].filter(Boolean);
      const joined = (isLast ? near : near.reverse()).join('\n\n');
      add(
        parts,
        /\p{Script=Han}/u.test(parts[0]!) ? '' : ' ',
        'sentence',
        isLast ? [joined, ''] : ['', joined],
      );
    }
  }
  // A mark, “Passage:”, makes a text of a word.
  const holds = (context: string) => isContext(context) || words.mark.test(context);
  return found.filter(({ context }) => holds(context)).sort((a, b) => b.score - a.score);
}

/** Without frames before and behind it, and without the mark of a text. */
function cleaned(context: string, words: QuestionWords): string {
  const blocks = context.split(paragraphs).filter((block) => !fences.test(block));
  while (blocks.length > 1 && isFrame(blocks[0]!.trim(), words)) blocks.shift();
  while (blocks.length > 1 && isFrame(blocks.at(-1)!.trim(), words)) blocks.pop();
  const text = blocks.join('\n\n').replace(words.mark, '');
  return text
    .split('\n')
    .filter((line) => !fences.test(line))
    .join('\n')
    .trim();
}

/** The words of a message, its parts one behind the other. */
export const messageText = ({ content }: Pick<ChatMessage, 'content'>): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).map((part) => ('text' in part ? part.text : '')).join('\n');

/** Patterns that begin with a gap take long at each of its blanks: a wide one is told by so many. */
const widest = 32;
const wideGap = new RegExp(`\\s{${widest},}`, 'gu');

/** A message as one text without wide gaps. */
export const narrowed = (message: ChatMessage): ChatMessage => ({
  ...message,
  content: messageText(message).replaceAll(wideGap, (gap) => gap.slice(0, widest)),
});

/** All that was said, but for short words of the system: what fields are read from. */
export const wholeText = (messages: readonly Pick<ChatMessage, 'role' | 'content'>[]): string =>
  messages
    .filter(({ role }) => role !== 'assistant')
    .map((message) => ({ role: message.role, content: messageText(message) }))
    .filter(({ role, content }) => role !== 'system' || isLong(content))
    .map(({ content }) => content)
    .join('\n\n');

/** More than an instruction. */
const isLong = (content: string): boolean => lengthOf(content) > shortQuestion / 2;

/** “Answer from the text. Text: …” */
const holdsText = (content: string, { mark }: QuestionWords): boolean =>
  content.split(sentences).some((part) => mark.test(part));

/** Without “Answer briefly.” behind it. */
function withoutManner(question: string, { manner }: QuestionWords): string {
  const plain = question.replace(manner, '').trim();
  return plain === '' ? question.trim() : plain;
}

/** Null where there is no text that the question could be about. */
export function splitQuestion(
  messages: readonly Pick<ChatMessage, 'role' | 'content'>[],
  words: QuestionWords,
): SplitQuestion | null {
  const contents = messages
    .filter(({ role }) => role !== 'assistant')
    .map((message) => ({ role: message.role, content: messageText(message) }));
  const last = contents.pop()?.content ?? '';
  const earlier = contents
    .filter(({ role, content }) => role !== 'system' || isLong(content) || holdsText(content, words))
    .map(({ content }) => content)
    .join('\n\n');
  if (lengthOf(last) <= shortQuestion && isContext(earlier) && lengthOf(earlier) > lengthOf(last)) {
    return { question: last.trim(), context: earlier };
  }
  const parts = partFenced(last);
  const around = parts.around.replaceAll(/\n{2,}/gu, '\n').trim();
  if (isContext(parts.inside) && around !== '' && lengthOf(around) <= mostAround)
    return { question: around.replace(words.label, '').trim(), context: parts.inside.trim() };
  const [best] = candidatesOf(last, words);
  if (!best) return isContext(earlier) ? { question: last, context: earlier } : null;
  return {
    question: withoutManner(best.question.replace(words.label, ''), words),
    context: cleaned(best.context, words),
  };
}
