/** Messages that are no reading task: greetings, thanks, and what a starter says of itself where it can do no more. */
import type { ChatMessage } from '../../../api/services/chat.ts';
import type { ReadingLanguage, ReadingSettings } from './context.ts';
import { lengthOf, messageText } from './split.ts';
import { talkKinds } from './talk-words.ts';

export const languageOf = (text: string, malay: RegExp): ReadingLanguage =>
  /\p{Script=Han}/u.test(text) ? 'zh' : malay.test(text) ? 'ms' : 'en';

/** The last words of the user. */
export const lastSaid = (messages: readonly ChatMessage[]): string => {
  const last = messages.findLast(({ role }) => role === 'user');
  return last ? messageText(last) : '';
};

const longestTalk = 14;

/** Null where a message says more than a greeting, thanks or a question about the model. */
export function talkAnswer(said: string, { answers, malay, talk }: ReadingSettings): string | null {
  if (lengthOf(said) > longestTalk) return null;
  const kind = talkKinds.find((each) => talk[each].test(said));
  return kind ? answers[languageOf(said, malay)][kind] : null;
}

/** A picture as the prompt tells it: its caption, its objects, the text on it. */
const pictures = /<picture>\n((?:[^<]|<(?!\/?picture>))*)\n<\/picture>/gu;

/** The words that stand for the pictures of the last message, where nothing else is asked. */
export function pictureAnswer(messages: readonly ChatMessage[], { talk }: ReadingSettings): string | null {
  const said = lastSaid(messages);
  const told = [...said.matchAll(pictures)].map(([, words]) => words!.replace(/^\w+: /u, ''));
  const isAsked = told.length > 0 && talk.picture.test(said.replaceAll(pictures, '').trim());
  return isAsked ? told.join('\n\n') : null;
}

const mostRead = 20_000;

/** The answer in the decoder's place; null where it has the skill, or the text is longer than anything is read. */
export function otherAnswer(
  messages: readonly ChatMessage[],
  { answers, malay, talk }: ReadingSettings,
): string | null {
  const said = messages.filter(({ role }) => role !== 'assistant').map(messageText);
  const isLong = said.reduce((sum, text) => sum + lengthOf(text), 0) > mostRead;
  if (isLong || said.some((text) => talk.decoder.test(text))) return null;
  return answers[languageOf(lastSaid(messages), malay)].other;
}
