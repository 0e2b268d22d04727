/** Things that an order names: “extract the e-mail address”, “list all dates”. */
import type { Context, ReadingSettings } from './context.ts';
import { fillObject } from './fill.ts';
import type { SplitQuestion } from './split.ts';

/** One thing; null where nothing of the kind is asked, or told. */
export async function namedField(asked: SplitQuestion, context: Context): Promise<string | null> {
  const { settings } = context;
  const key = settings.objects.one.exec(asked.question)?.slice(1).find(Boolean)?.trim();
  if (!key) return null;
  const [only, ...others] = formedAs(key, asked.context, settings);
  if (only !== undefined && others.length === 0) return only;
  const schema = { properties: { [key]: { type: 'string' } }, required: [key] };
  const value = (await fillObject(schema, asked.context, '', { ...context, isEmptied: true }))?.[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Each value of the form that the kind has, a line each. */
export function everyOne(
  { context, question }: SplitQuestion,
  settings: Pick<ReadingSettings, 'kinds' | 'objects'>,
): string | null {
  const name = settings.objects.all.exec(question)?.slice(1).find(Boolean)?.trim();
  const found = name ? formedAs(name, context, settings) : [];
  return found.length > 0 ? found.join('\n') : null;
}

const mostFound = 100;

/** Values of the text that have the form of what is named, in one or several. */
function formedAs(name: string, text: string, { kinds }: Pick<ReadingSettings, 'kinds'>): string[] {
  const kind = kinds.find(({ key }) => key.test(name) || key.test(name.replace(/s$/u, '')));
  const found = kind ? [...text.matchAll(kind.value)].map(([words]) => words) : [];
  return [...new Set(found)].slice(0, mostFound);
}
