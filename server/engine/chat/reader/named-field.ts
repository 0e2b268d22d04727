/** Things that an order names: “extract the e-mail address”, “list all dates”, “which people are mentioned?”. */
import type { Context, ReadingSettings } from './context.ts';
import { fillObject } from './fill.ts';
import { kindCalled, namesIn } from './listed-names.ts';
import type { SplitQuestion } from './split.ts';

/** One thing; null where nothing of the kind is asked, or told. */
export async function namedField(asked: SplitQuestion, context: Context): Promise<string | null> {
  const { settings } = context;
  const key = wordsIn(settings.objects.one, asked.question);
  if (!key) return null;
  const [only, ...others] = formedAs(key, asked.context, settings.kinds);
  if (only !== undefined && others.length === 0) return only;
  const schema = { properties: { [key]: { type: 'string' } }, required: [key] };
  const value = (await fillObject(schema, asked.context, '', { ...context, isEmptied: true }))?.[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Each value of the form that the kind has, else each name of the kind, a line each. */
export async function everyOne(
  { context: text, question }: SplitQuestion,
  context: Pick<Context, 'entities' | 'settings' | 'signal'>,
): Promise<string | null> {
  const { entities, kinds, objects } = context.settings;
  const name = wordsIn(objects.all, question) ?? wordsIn(entities.mentioned, question);
  if (!name) return null;
  const formed = formedAs(name, text, [...kinds, ...entities.forms]);
  const kind = kindCalled(name, entities);
  const found = formed.length > 0 || !kind ? formed : (await namesIn(text, context))(kind);
  return found.length > 0 ? found.join('\n') : null;
}

/** The words of the first group that took part. */
const wordsIn = (pattern: RegExp, question: string): string | undefined =>
  pattern.exec(question)?.slice(1).find(Boolean)?.trim();

const mostFound = 100;

/** Values of the text that have the form of what is named, in one or several. */
function formedAs(name: string, text: string, forms: readonly Form[]): string[] {
  const form = forms.find(({ key }) => key.test(name) || key.test(name.replace(/s$/u, '')));
  const found = form ? [...text.matchAll(form.value)].map(([words]) => words) : [];
  return [...new Set(found)].slice(0, mostFound);
}

type Form = Pick<ReadingSettings['kinds'][number], 'key' | 'value'>;
