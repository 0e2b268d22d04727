/** `lokal parse FILE`: the documents service on one file, without a server. */
import {
  type DocumentOutputFormat,
  type DocumentsRequest,
  type DocumentsResult,
  documentTemplates,
} from '../api/services/documents.ts';
import { beliedMessage, beliedName } from '../api/services/named-otherwise.ts';
import { ApiError } from '../errors.ts';
import { StartError } from '../start-error.ts';
import { readInputFile } from './ask/input.ts';
import { type Command, type CommandInput, required, text, UsageError } from './command.ts';
import { documentLines } from './document-lines.ts';
import { terminalWidth } from './fitted-table.ts';
import { readDocuments } from './read-documents.ts';
import { templateOption } from './template-option.ts';
import { writeOutput } from './write-output.ts';

const help = `Usage: lokal parse FILE [options]

Reads a document (- for what is piped in) and prints its fields and tables: PDF, PNG, JPEG, TIFF, DOCX, XLSX, PPTX, ODT, ODS,
HTML, e-mail (EML, MSG), CSV, Markdown and text.

  --template NAME   ${documentTemplates.join(', ')},
                    or custom:NAME for a template made in the interface
  --pages RANGE     such as 3, 1-3 or 1,4-6; without it the whole document, twenty pages at a time
  --text            print the text in reading order
  --markdown        print it as Markdown: headings, lists and tables
  --chunks          print passages for search, one line of JSON each
  --searchable FILE write a PDF of the pages' pictures with their text over them, to be searched
  --csv             print the tables as comma-separated values
  --xlsx FILE       write a workbook with a sheet for each table
  --json            print the whole answer as one line of JSON
  --help            this text`;

export const parse: Command = {
  help,
  options: {
    template: { type: 'string' },
    pages: { type: 'string' },
    text: { type: 'boolean' },
    markdown: { type: 'boolean' },
    chunks: { type: 'boolean' },
    searchable: { type: 'string' },
    csv: { type: 'boolean' },
    xlsx: { type: 'string' },
  },
  async run(input) {
    const { values } = input;
    const path = required(input, 0, 'FILE');
    const file = await readInputFile(path);
    const belied = beliedName(path, file);
    if (belied) throw new StartError(beliedMessage(belied));
    const template = templateOption(input);
    const pages = text(values.pages);
    const request: DocumentsRequest = {
      model: 'svc-parse-pro',
      file: file.toString('base64'),
      output_format: formatOf(values),
      ...(template ? { template } : {}),
      ...(pages ? { pages } : {}),
    };
    const {
      searchable_pdf: pdf,
      xlsx,
      ...result
    } = await readDocuments([request])
      .then(([only]) => only!)
      .catch(inWordsOfCommand);
    const to = text(values.searchable) ?? text(values.xlsx);
    const made = pdf ?? xlsx;
    if (made && to) writeOutput(to, Buffer.from(made, 'base64'));
    if (result.csv?.length === 0 && !values.json)
      process.stderr.write('lokal: The document has no tables: there is nothing to print.\n');
    input.print(result, linesOf(result));
  },
};

/** The service names fields of its request; here they are options. */
function inWordsOfCommand(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'invalid_page_range') throw error;
  throw new StartError(error.message.replace('"pages"', '--pages'));
}

/** @throws UsageError for two of the options */
function formatOf(values: CommandInput['values']): DocumentOutputFormat {
  const [first = 'json', second] = (
    ['text', 'markdown', 'chunks', 'searchable', 'csv', 'xlsx'] as const
  ).filter((name) => values[name]);
  if (second) throw new UsageError(`--${first} or --${second}, not both`);
  return first === 'searchable' ? 'searchable_pdf' : first;
}

function linesOf(result: DocumentsResult): string[] {
  if (result.chunks) return result.chunks.map((chunk) => JSON.stringify(chunk));
  if (result.csv) return result.csv;
  const text = result.text ?? result.markdown;
  return text === undefined ? documentLines(result, terminalWidth()) : [text];
}
