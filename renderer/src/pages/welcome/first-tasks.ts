/** First things to do, each done to its end on this machine with a sample: run, and told in a sentence and a few lines. */
import type { Client } from '../../api/client.ts';
import { fetchSample } from '../../components/source-file.ts';
import { t, tn } from '../../strings/t.ts';
import { sampleLog } from '../threats/sample-log.ts';

export const taskNames = ['document', 'text', 'log', 'question'] as const;
export type TaskName = (typeof taskNames)[number];

export interface TaskResult {
  summary: string;
  lines: string[];
}

type Task = (client: Client, signal: AbortSignal) => Promise<TaskResult>;

/** Playgrounds in which each goes on. */
export const placeOf: Record<TaskName, string> = {
  document: '/documents?sample=invoice',
  text: '/moderation',
  log: '/threats',
  question: '/chat',
};

const mostLines = 6;
/** These are looked at first on an invoice. */
const firstFields = ['total', 'invoice_number', 'invoice_date', 'seller_name'];
const placeAmong = (name: string) =>
  (firstFields.indexOf(name) + firstFields.length + 1) % (firstFields.length + 1);
const lookedForFirst = ([a]: [string, unknown], [b]: [string, unknown]) => placeAmong(a) - placeAmong(b);
const mostTokens = 200;

export const tasks: Record<TaskName, Task> = {
  async document(client, signal) {
    const { base64: file } = await fetchSample('invoice');
    const body = { model: 'svc-parse-pro', template: 'invoice', file };
    const { data } = await client.call('POST /v1/documents/parse', { body, signal });
    const values = Object.entries(data.fields)
      .toSorted(lookedForFirst)
      .flatMap(([name, { value, currency }]) =>
        value === null || typeof value === 'object'
          ? []
          : `${name.replaceAll('_', ' ')}: ${value}${currency ? ` ${currency}` : ''}`,
      );
    return { summary: tn('welcome.done.document', values.length), lines: values.slice(0, mostLines) };
  },

  async text(client, signal) {
    const input = t('welcome.samples.text');
    const body = { model: 'svc-shield-base', input, categories: ['pii_exposure' as const] };
    const { data } = await client.call('POST /v1/moderations', { body, signal });
    const [result] = data.results;
    const spans = result && 'spans' in result ? result.spans : [];
    const found = [...new Set(spans.map(({ start, end }) => input.slice(start, end)))];
    return { summary: tn('welcome.done.text', found.length), lines: found.slice(0, mostLines) };
  },

  async log(client, signal) {
    const body = { model: 'svc-guard-max', input: sampleLog };
    const { data } = await client.call('POST /v1/moderations', { body, signal });
    const [result] = data.results;
    const findings = result && 'findings' in result ? result.findings : [];
    const titles = [...new Set(findings.map(({ title }) => title))];
    return { summary: tn('welcome.done.log', titles.length), lines: titles.slice(0, mostLines) };
  },

  async question(client, signal) {
    const content = t('chat.suggestions.passage.text');
    const body = {
      model: 'svc-lingua-7b',
      messages: [{ role: 'user' as const, content }],
      temperature: 0,
      max_tokens: mostTokens,
    };
    const { data } = await client.call('POST /v1/chat/completions', { body, signal });
    const answer = 'choices' in data ? String(data.choices[0]?.message.content ?? '') : '';
    return { summary: t('welcome.done.question'), lines: [content, answer] };
  },
};
