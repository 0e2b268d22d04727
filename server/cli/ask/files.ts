/** `lokal image` and `lokal search`: pictures, and passages of texts and documents. */
import { Parser } from 'htmlparser2';
import type { ImagesResult } from '../../api/services/images.ts';
import { hasDocumentSignature } from '../../api/services/named-otherwise.ts';
import { maxRerankDocuments, type RerankResult } from '../../api/services/rerank.ts';
import { StartError } from '../../start-error.ts';
import { type Command, required, table, text, UsageError } from '../command.ts';
import { readDocuments } from '../read-documents.ts';
import { withApi } from '../server/local-api.ts';
import { readInputFile, withProgress } from './input.ts';

export const image: Command = {
  help: `Usage: lokal image FILE [options]

Prints the caption, the objects and the scene of a JPEG or PNG, or of frames of an MP4, WebM or GIF.

  --language LANG   en (default), ms or zh
  --json            the whole answer as one line of JSON
  --help            this text`,
  options: { language: { type: 'string' } },
  async run(input) {
    const file = await readInputFile(required(input, 0, 'FILE'));
    const language = text(input.values.language);
    const body = {
      model: 'svc-vision-pro',
      image: file.toString('base64'),
      ...(language ? { language } : {}),
    };
    const result = await withApi((api) =>
      withProgress('Looking', api.ask<ImagesResult>('/v1/images/analyze', body)),
    );
    const lines = result.results.flatMap(({ caption, objects, scene }) => [
      ...(caption ? [caption] : []),
      ...table((objects ?? []).map(({ label, confidence }) => [`  ${label}`, confidence.toFixed(2)])),
      Object.entries(scene ?? {})
        .toSorted(([, first], [, second]) => second - first)
        .slice(0, 3)
        .map(([label, score]) => `${label} ${score.toFixed(2)}`)
        .join(', '),
    ]);
    input.print(result, lines);
  },
};

/** A line of a text or a page of a document, on which it begins. */
type Place = { line: number } | { page: number };
type Paragraph = { file: string; text: string } & Place;

export const search: Command = {
  help: `Usage: lokal search QUERY FILE… [options]

Prints the paragraphs of text files, the lines of a file without blank lines, or the passages of documents (PDF, pictures,
office files, mail), the most relevant to the query first: by meaning and by shared words.

  --top N   as many at most (default 5)
  --json    one line of JSON
  --help    this text`,
  options: { top: { type: 'string' } },
  async run(input) {
    const query = required(input, 0, 'QUERY');
    required(input, 1, 'FILE');
    const top = Number(text(input.values.top) ?? 5);
    if (!Number.isInteger(top) || top < 1) throw new UsageError('--top is a whole number, 1 or more');
    const files = [...new Set(input.positionals.slice(1))];
    const paragraphs = await readAllParagraphs(files);
    if (paragraphs.length === 0) throw new StartError('The files have no text.');
    if (paragraphs.length > maxRerankDocuments) {
      const counted = `The files have ${paragraphs.length} paragraphs`;
      throw new StartError(`${counted}; at most ${maxRerankDocuments} are searched at once.`);
    }
    const documents = paragraphs.map((paragraph) => paragraph.text);
    const body = { model: 'svc-embed-base', query, documents, top_n: top };
    const { results } = await withApi((api) =>
      withProgress('Searching', api.ask<RerankResult>('/v1/rerank', body)),
    );
    const found = results.map(({ index, relevance_score }) => ({
      ...paragraphs[index]!,
      score: relevance_score,
    }));
    input.print(
      { query, results: found },
      found.map(
        ({ file, score, text: words, ...place }) =>
          `${file}:${'page' in place ? `p${place.page}` : place.line} (${score.toFixed(2)})  ${words}`,
      ),
    );
  },
};

/** In the order of the files; documents are read in one go, as the engine has to be opened for them. */
async function readAllParagraphs(files: readonly string[]): Promise<Paragraph[]> {
  const read = await Promise.all(files.map(async (file) => ({ file, content: await readInputFile(file) })));
  const documents = read.filter(isDocument);
  const results =
    documents.length === 0
      ? []
      : await withProgress(
          'Reading',
          readDocuments(
            documents.map(({ content }) => ({
              model: 'svc-parse-pro',
              file: content.toString('base64'),
              output_format: 'chunks',
            })),
            documents.map(({ file }) => file),
          ),
        );
  const passages = new Map(documents.map(({ file }, at) => [file, results[at]?.chunks ?? []]));
  return read.flatMap(
    ({ file, content }) =>
      passages.get(file)?.map(({ page, text: words }) => ({ file, page, text: words })) ??
      toParagraphs(file, content.toString('utf8')),
  );
}

const isDocument = ({ file, content }: { file: string; content: Buffer }): boolean =>
  /\.eml$/i.test(file) || hasDocumentSignature(content);

/** Paragraphs end at blank lines, those of a page of the web at its blocks too; without either, each line is one, as of a log. */
function toParagraphs(file: string, content: string): Paragraph[] {
  if (content.includes('\0')) throw new StartError(`${file} is neither a text nor a document that is read.`);
  const isPage = /\.x?html?$/i.test(file);
  const lines = (isPage ? pageText(content) : content).trimEnd().split(/\r?\n/);
  const isOfLines = !isPage && lines.every((line) => line.trim() !== '');
  const paragraphs: Paragraph[] = [];
  let isOpen = false;
  for (const [index, line] of lines.entries()) {
    for (const [at, part] of line.split(blockEnd).entries()) {
      const words = part.trim();
      if (words === '' || at > 0) isOpen = false;
      if (words === '') continue;
      if (isOpen && !isOfLines) paragraphs.at(-1)!.text += ` ${words}`;
      else paragraphs.push({ file, line: index + 1, text: words });
      isOpen = true;
    }
  }
  return paragraphs;
}

/** Unicode's paragraph separator: within a line, so that the lines keep their numbers. */
const blockEnd = '\u2029';
const blocks = new Set(
  'p div h1 h2 h3 h4 h5 h6 li ol ul dl dt dd tr td th table section article header footer main nav blockquote pre title head body html br hr'.split(
    ' ',
  ),
);
const unseen = new Set(['script', 'style']);

/** Text of HTML as a person sees it, on the lines where it stands. */
function pageText(html: string): string {
  let page = '';
  let passed = 0;
  let hidden = 0;
  const keepLines = (until: number): void => {
    page += html.slice(passed, until).replaceAll(/[^\n]+/g, '');
    passed = until;
  };
  const parser = new Parser({
    onopentag(name) {
      if (unseen.has(name)) hidden++;
      if (blocks.has(name)) page += blockEnd;
    },
    ontext(words) {
      if (hidden > 0) return;
      keepLines(parser.startIndex);
      page += words;
      passed = parser.endIndex + 1;
    },
    onclosetag(name) {
      if (unseen.has(name)) hidden--;
      if (blocks.has(name)) page += blockEnd;
    },
  });
  parser.end(html);
  keepLines(html.length);
  return page;
}
