/** Entry of the parsing thread: the only place where pdf.js runs. It answers one request at a time. */

import { parentPort } from 'node:worker_threads';
import { EngineError } from '../engine.ts';
import { ModelCalls } from '../vision/ocr/models/remote-models.ts';
import type { TextModels } from '../vision/ocr/models/text-models.ts';
import { groundValues } from './llm-extraction/ground-values.ts';

import { pageCount, pageImage } from './pages/page-image.ts';
import { pageLines, parseDocument } from './parse-document.ts';
import type { FromThread, ThreadReply, ThreadRequest, ToThread } from './thread-messages.ts';

const port = parentPort!;
const send = (message: FromThread, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);
const reply = (message: ThreadReply): void => send({ kind: 'reply', reply: message });

const modelCalls = new ModelCalls((request, transfer) => send({ kind: 'model', request }, transfer));
let opened: Promise<TextModels> | null = null;

/** The host's networks; asked for once, unless that failed. */
function models(): Promise<TextModels> {
  opened ??= modelCalls.open().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

async function* once(value: Promise<unknown>): AsyncGenerator<unknown> {
  yield await value;
}

function run(request: ThreadRequest): AsyncGenerator<unknown> {
  switch (request.method) {
    case 'parse':
      return parseDocument(request.params, { models });
    case 'pageImage':
      return once(pageImage(request.params));
    case 'pageLines':
      return once(pageLines(request.params, { models }));
    case 'pageCount':
      return once(pageCount(request.params.bytes));
    case 'groundValues':
      return once(Promise.resolve(groundValues(request.params)));
  }
}

async function answer(request: ThreadRequest): Promise<void> {
  const { id } = request;
  try {
    for await (const item of run(request)) reply({ id, kind: 'item', item });
    reply({ id, kind: 'end' });
  } catch (error) {
    const known = error instanceof EngineError;
    reply({
      id,
      kind: 'error',
      code: known ? error.code : 'internal_error',
      message: known ? error.message : 'the document could not be parsed',
      param: known ? error.param : null,
    });
  }
}

// pdf.js drops promises of damaged parts: they fail when nobody waits any more, often during the next document. What came
// of a document its own call says.
process.on('unhandledRejection', () => undefined);

port.on('message', (message: ToThread) => {
  if (message.kind === 'request') void answer(message.request);
  else modelCalls.receive(message.reply, ({ code, message: text }) => new EngineError(code, text));
});
