/** Entry of the parsing thread: the only place where pdf.js runs. It answers one call at a time. */

import { parentPort, workerData } from 'node:worker_threads';
import { answerCall } from '../../answer-call.ts';
import { EngineError, type EngineMethods } from '../../engine.ts';
import type { CallMessage } from '../../protocol.ts';
import { ModelCalls } from '../../vision/ocr/models/remote-models.ts';
import type { TextModels } from '../../vision/ocr/models/text-models.ts';
import { documentBudgetMs, pageBudgetMs } from '../limits.ts';
import { groundValues } from '../llm-extraction/ground-values.ts';
import { whenCanvasIsUsed } from '../pages/canvas.ts';
import { redactPages, searchablePdf } from '../pages/draw-pages.ts';
import { pageCount, pageImage } from '../pages/page-image.ts';
import { type ParseContext, pageLines, parseDocument } from '../parse-document.ts';
import { decompressAtOnce } from '../pdf/sync-decompression.ts';
import { type DocumentData, setDocumentData } from '../vocabulary/words.ts';
import type { DocumentsMethod, FromParsingThread, ToParsingThread } from './thread-messages.ts';

const port = parentPort!;
if (workerData) setDocumentData(workerData as DocumentData);
const send = (message: FromParsingThread<DocumentsMethod>, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

const modelCalls = new ModelCalls((request, transfer) => send({ type: 'model', request }, transfer));
let opened: Promise<TextModels> | null = null;

/** The host's networks; asked for once, unless that failed. */
function models(): Promise<TextModels> {
  opened ??= modelCalls.open().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

const context: ParseContext = {
  models,
  budgets: { pageMs: pageBudgetMs, documentMs: documentBudgetMs },
};

const pageDrawn = () => send({ type: 'page-drawn' });

const methods: EngineMethods<'documents'> = {
  parse: (params) => parseDocument(params, context),
  pageCount: async ({ bytes }) => ({ pages: await pageCount(bytes) }),
  pageImage: async (params) => ({ png: await pageImage(params) }),
  pageLines: async (params) => ({ lines: await pageLines(params, context) }),
  groundValues: async (params) => groundValues(params),
  redact: (params) => redactPages(params, pageDrawn),
  searchablePdf: (params) => searchablePdf(params, pageDrawn),
};
let running = { call: Promise.resolve(), controller: new AbortController() };

function begin(message: CallMessage<'documents', DocumentsMethod>): void {
  const controller = new AbortController();
  running = { call: answerCall(methods, message, { signal: controller.signal, send }), controller };
}

async function leave(): Promise<void> {
  running.controller.abort();
  modelCalls.cancel(new Error('the caller has gone'));
  await running.call;
  send({ type: 'left' });
}

whenCanvasIsUsed(() => send({ type: 'draws' }));
decompressAtOnce();

// pdf.js drops promises of damaged parts: they fail when nobody waits any more, often during the next document. What came
// of a document its own call says.
process.on('unhandledRejection', () => undefined);

port.on('message', (message: ToParsingThread<DocumentsMethod>) => {
  if (message.type === 'call') begin(message);
  else if (message.type === 'leave') void leave();
  else modelCalls.receive(message.reply, ({ code, message: text }) => new EngineError(code, text));
});
