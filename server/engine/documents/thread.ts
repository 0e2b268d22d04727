/** Entry of the parsing thread: the only place where pdf.js runs. It answers one request at a time. */

import { parentPort } from 'node:worker_threads';
import { EngineError } from '../engine.ts';
import { parseDocument } from './parse.ts';
import { pageCount, renderPage } from './pdf/render.ts';
import type { ThreadReply, ThreadRequest } from './thread-messages.ts';

const port = parentPort!;
const reply = (message: ThreadReply): void => port.postMessage(message);

async function* once(value: Promise<unknown>): AsyncGenerator<unknown> {
  yield await value;
}

function run(request: ThreadRequest): AsyncGenerator<unknown> {
  switch (request.method) {
    case 'parse':
      return parseDocument(request.params);
    case 'pageImage':
      return once(renderPage(request.params));
    case 'pageCount':
      return once(pageCount(request.params.bytes));
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

port.on('message', (request: ThreadRequest) => void answer(request));
