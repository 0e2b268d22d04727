/** `lokal watch`, `lokal redact` and `lokal anonymize`: folders of files through the documents service and the shield. */
import { scryptSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DocumentsResult, documentOutputFormats } from '../../api/services/documents.ts';
import {
  encodedContent,
  encodedMessage,
  isReadAsDocument,
  leftOutWarning,
  withoutEscapes,
} from '../../api/services/encoded-text.ts';
import {
  type AnonymizeResult,
  anonymizeMethods,
  type DeanonymizeResult,
  type KindName,
  personalDataKinds,
} from '../../api/services/redaction.ts';
import { whyUnread } from '../../read-failure.ts';
import { documentChoice, documentOutputs } from '../../services/folders/document-outputs.ts';
import {
  type FolderJob,
  type FolderOutcome,
  type FolderOutput,
  FolderRun,
} from '../../services/folders/folder-work.ts';
import { StartError } from '../../start-error.ts';
import { type Command, type CommandInput, required, text, texts, UsageError } from '../command.ts';
import { type LocalApi, withApi } from '../server/local-api.ts';
import { checkOwnTemplate, templateOption } from '../template-option.ts';
import { redactInPieces } from './redact-in-pieces.ts';
import { throughRestarts } from './through-restarts.ts';

const pollMs = 2_000;
/** A restart or an update takes seconds; a run that is to end does not wait for a server that stays away. */
const patienceMs = 60_000;
const model = 'svc-parse-pro';

const outFolder = (input: CommandInput): string => {
  const out = text(input.values.out);
  if (!out) throw new UsageError('--out FOLDER is missing');
  return out;
};

const told = ({ name, result, reason, at, of }: FolderOutcome): void => {
  const what = result === 'known' ? 'done before' : result === 'failed' ? `failed: ${reason}` : 'done';
  process.stderr.write(`[${at}/${of}] ${name}: ${what}\n`);
};

const warnOf =
  (name: string) =>
  (warning: string): void => {
    process.stderr.write(`${name}: warning: ${warning}\n`);
  };

/** Counts of a run, printed at its end. @throws StartError where files failed, or the server stays away */
async function runOnce(
  { work, ...job }: Omit<FolderJob, 'report'>,
  { api, input }: { api: LocalApi; input: CommandInput },
): Promise<void> {
  const counts = { done: 0, known: 0, failed: 0 };
  const report = (outcome: FolderOutcome): void => {
    counts[outcome.result]++;
    told(outcome);
  };
  const stop = new AbortController();
  const steadily = throughRestarts({ api, stop, patienceMs });
  const run = await FolderRun.open({
    ...job,
    report,
    signal: stop.signal,
    work: (bytes, name) => steadily(() => work(bytes, name)),
  });
  await run.pass();
  input.print(counts, [`${counts.done} done, ${counts.known} done before, ${counts.failed} failed`]);
  const what = job.secret ? 'Why files failed stands' : 'Files that failed are';
  if (counts.failed > 0) throw new StartError(`${what} in ${join(job.out, 'errors')}.`);
}

async function parseOutputs(
  bytes: Buffer,
  { api, format, template }: { api: LocalApi; format: string; template: string | undefined },
): Promise<FolderOutput[]> {
  const body = {
    model,
    file: bytes.toString('base64'),
    output_format: format,
    ...(template ? { template } : {}),
  };
  return documentOutputs(await api.ask<DocumentsResult>('/v1/documents/parse', body));
}

export const watch: Command = {
  help: `Usage: lokal watch FOLDER --out FOLDER [options]

Reads every document that is dropped into a folder, once each by its content, and writes its fields as JSON and its tables as
CSV. Goes on until it is stopped, and where it was when it is started again; another template or format does them anew. Files
that fail are put into errors/ until they are read. While the server is away it waits, and goes on when it is back.

  --out FOLDER      where the answers go
  --template NAME   mykad, invoice, passport, generic, or custom:NAME
  --format NAME     ${documentOutputFormats.join(', ')}: written beside the JSON
  --once            ends when everything that is there is through
  --help            this text`,
  options: {
    out: { type: 'string' },
    template: { type: 'string' },
    format: { type: 'string' },
    once: { type: 'boolean' },
  },
  async run(input) {
    const [from, out] = [required(input, 0, 'FOLDER'), outFolder(input)];
    const format = text(input.values.format) ?? 'json';
    if (!(documentOutputFormats as readonly string[]).includes(format))
      throw new UsageError(`--format is one of ${documentOutputFormats.join(', ')}`);
    const template = templateOption(input);
    await withApi(async (api) => {
      await checkOwnTemplate(api, template);
      const job = {
        kind: 'watch',
        from,
        out,
        choice: documentChoice(format, template),
        work: (bytes: Buffer) => parseOutputs(bytes, { api, format, template }),
      };
      if (input.values.once) return runOnce(job, { api, input });
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort());
      process.once('SIGTERM', () => stop.abort());
      const { signal } = stop;
      const steadily = throughRestarts({ api, stop });
      const work = (bytes: Buffer) => steadily(() => job.work(bytes));
      const run = await FolderRun.open({ ...job, work, signal, report: told });
      try {
        while (!signal.aborted) {
          await run.pass({ settled: false });
          await sleep(pollMs, undefined, { signal });
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
  },
};

const isKind = (word: string): word is KindName => (personalDataKinds as readonly string[]).includes(word);

/** True for `all`. @throws UsageError for a word that is no kind of personal data: its values would stay readable */
export function kindsOf(input: CommandInput, option: string): KindName[] | true | undefined {
  const words = texts(input, option);
  const odd = words?.find((word) => word !== 'all' && !isKind(word));
  if (odd !== undefined)
    throw new UsageError(
      `--${option} has no kind ${odd}; there are ${['all', ...personalDataKinds].join(', ')}`,
    );
  return words?.includes('all') ? true : words?.filter(isKind);
}

export const redact: Command = {
  help: `Usage: lokal redact FILE|FOLDER --out FOLDER [options]

Writes a PDF of pictures of each document, with what is chosen blacked out, and a report; the new pages are read again, and a
file in which something can still be read is not written. Without a choice all personal data is blacked out. A PDF of more than
20 pages becomes several, of 20 pages each. Why a file failed stands in errors/; what was done stays done until another choice,
whose failure takes the earlier file away. Where the server is away for a minute it ends; the same command goes on from there.

  --out FOLDER      where the PDFs and reports go
  --pii KINDS       kinds of personal data such as email,mykad, or all
  --fields NAMES    fields of the template, or *
  --template NAME   as for lokal parse
  --pattern RE2     may be given several times
  --json            the counts as one line of JSON
  --help            this text`,
  options: {
    out: { type: 'string' },
    pii: { type: 'string' },
    fields: { type: 'string' },
    template: { type: 'string' },
    pattern: { type: 'string', multiple: true },
  },
  async run(input) {
    const [from, out] = [required(input, 0, 'FILE'), outFolder(input)];
    const [pii, fields] = [kindsOf(input, 'pii'), texts(input, 'fields')];
    const patterns = Array.isArray(input.values.pattern) ? input.values.pattern.map(String) : undefined;
    const template = templateOption(input);
    const choice = {
      model,
      ...(pii ? { pii } : {}),
      ...(fields ? { fields } : {}),
      ...(patterns ? { patterns } : {}),
      ...(template ? { template } : {}),
    };
    await withApi(async (api) => {
      await checkOwnTemplate(api, template);
      await runOnce(
        {
          kind: 'redact',
          from,
          out,
          secret: true,
          choice,
          work: (bytes, name) => redactInPieces(bytes, choice, { api, warn: warnOf(name) }),
        },
        { api, input },
      );
    });
  },
};

/** UTF-8 without a NUL; null for a document that must be read first. */
function plainText(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

interface TextSource {
  name: string;
  api: Pick<LocalApi, 'ask'>;
}

/** The text of a file as a person reads it. @throws Error where a part of it cannot be read, or is still encoded in the text */
export async function readableText(bytes: Buffer, { name, api }: TextSource): Promise<string> {
  const plain = plainText(bytes);
  if (plain !== null && !isReadAsDocument(name, plain)) return withoutEncoded(withoutEscapes(plain));
  const body = { model, file: bytes.toString('base64'), output_format: 'text' };
  const { text: read = '', warnings } = await api.ask<DocumentsResult>('/v1/documents/parse', body);
  const left = leftOutWarning(warnings);
  if (left) throw new Error(left);
  if (read.trim() === '') throw new Error('No text was found in it.');
  return plain === null ? read : withoutEncoded(read);
}

function withoutEncoded(read: string): string {
  const encoded = encodedContent(read);
  if (encoded !== null) throw new Error(encodedMessage(encoded));
  return read;
}

const anonymizedEnd = '.anonymized.txt';

/** A restored text of `a.txt` is `a.txt` again; what came from another kind of file is a text now. */
export function anonymizedOutput(name: string, data: string, restored: boolean): FolderOutput {
  if (!restored) return { suffix: anonymizedEnd, data };
  if (!name.endsWith(anonymizedEnd)) return { suffix: '.restored.txt', data };
  return {
    suffix:
      /\.(?:pdf|docx?|xlsx?|pptx?|eml|msg|mht(?:ml)?|ics|vc[fs]|png|jpe?g|tiff?|x?html?|od[tsp]|rtf)\.anonymized\.txt$/iu.test(
        name,
      )
        ? '.txt'
        : '',
    inPlaceOf: anonymizedEnd,
    data,
  };
}

interface AnonymizeChoice {
  method: string;
  kinds: string[] | undefined;
  key: string | undefined;
}

/** Of a run, for its journal; the key is as slow to guess from it as from what it encrypts. */
export const anonymizeChoice = ({ method, kinds, key }: AnonymizeChoice) => ({
  // Files that were done when the source of a mail was taken for its text are done anew.
  reads: 'decoded',
  method,
  kinds: kinds?.toSorted(),
  key: key && scryptSync(key, 'lokal anonymize', 32).toString('hex'),
});

export const anonymize: Command = {
  help: `Usage: lokal anonymize FILE|FOLDER --out FOLDER [options]

Writes the text of each file with its personal data masked, replaced by pseudonyms, or encrypted. Mails are read with what is
attached to them, pages of the web, RTF and contacts as a person sees them; a file of which a part cannot be read, such as an
archive in a mail or a picture in base64, fails. Where the server is away for a minute it ends; the same command goes on from
there.

  --out FOLDER      where the texts go
  --method NAME     ${anonymizeMethods.join(', ')} (default mask)
  --key-file FILE   the key for encrypt, or for pseudonyms that are the same in all files; 16 characters or more
  --kinds KINDS     such as email,mykad; default all
  --restore         turns encrypted texts back with the key
  --json            the counts as one line of JSON
  --help            this text`,
  options: {
    out: { type: 'string' },
    method: { type: 'string' },
    'key-file': { type: 'string' },
    kinds: { type: 'string', multiple: true },
    restore: { type: 'boolean' },
  },
  async run(input) {
    const [from, out] = [required(input, 0, 'FILE'), outFolder(input)];
    const method = text(input.values.method) ?? 'mask';
    if (!(anonymizeMethods as readonly string[]).includes(method))
      throw new UsageError(`--method is one of ${anonymizeMethods.join(', ')}`);
    const keyFile = text(input.values['key-file']);
    const restore = input.values.restore === true;
    if (!keyFile && (restore || method === 'encrypt')) throw new UsageError('--key-file FILE is missing');
    const key = keyFile && (await readKey(keyFile));
    const chosen = kindsOf(input, 'kinds');
    const kinds = chosen === true ? undefined : chosen;
    const rest = { ...(key ? { key } : {}), ...(restore ? {} : { method, ...(kinds ? { kinds } : {}) }) };
    const path = restore ? '/v1/text/deanonymize' : '/v1/text/anonymize';
    await withApi((api) =>
      runOnce(
        {
          kind: restore ? 'restore' : 'anonymize',
          from,
          out,
          secret: !restore,
          choice: anonymizeChoice({ method, kinds, key }),
          async work(bytes, name) {
            const read = restore ? plainText(bytes) : null;
            const body = { text: read ?? (await readableText(bytes, { name, api })), ...rest };
            const answer = await api.ask<AnonymizeResult | DeanonymizeResult>(path, body);
            return [anonymizedOutput(name, answer.text, restore)];
          },
        },
        { api, input },
      ),
    );
  },
};

const readKey = (path: string): Promise<string> =>
  readFile(path, 'utf8').then(
    (content) => content.trim(),
    (error: NodeJS.ErrnoException) => {
      throw new StartError(`The key file ${path} ${whyUnread(error)}.`);
    },
  );
