/** `lokal image` and `lokal search`: pictures, and paragraphs of text files. */
import { Parser } from 'htmlparser2';
import type { ImagesResult } from '../../api/services/images.ts';
import { maxRerankDocuments, type RerankResult } from '../../api/services/rerank.ts';
import { StartError } from '../../start-error.ts';
import { type Command, required, table, text, UsageError } from '../command.ts';
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

interface Paragraph {
  file: string;
  line: number;
  text: string;
}

export const search: Command = {
  help: `Usage: lokal search QUERY FILE… [options]

Prints the paragraphs of text files, or the lines of a file without blank lines, the most relevant to the query first: by
meaning and by shared words.

  --top N   as many at most (default 5)
  --json    one line of JSON
  --help    this text`,
  options: { top: { type: 'string' } },
  async run(input) {
    const query = required(input, 0, 'QUERY');
    required(input, 1, 'FILE');
    const top = Number(text(input.values.top) ?? 5);
    if (!Number.isInteger(top) || top < 1) throw new UsageError('--top is a whole number, 1 or more');
    const files = input.positionals.slice(1);
    const paragraphs = (await Promise.all(files.map(readParagraphs))).flat();
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
      found.map(({ file, line, score, text: words }) => `${file}:${line} (${score.toFixed(2)})  ${words}`),
    );
  },
};

/** Paragraphs end at blank lines, those of a page of the web at its blocks too; without either, each line is one, as of a log. */
async function readParagraphs(file: string): Promise<Paragraph[]> {
  const content = (await readInputFile(file)).toString('utf8');
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
