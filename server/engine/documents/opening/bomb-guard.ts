/**
 * Refuses decompression bombs before the PDF reader, which inflates whole streams in memory, meets them.
 *
 * A PDF stream is always a top-level object (ISO 32000-1, 7.5.7: streams never lie inside object streams), so every
 * one of them can be found in the raw bytes. Only streams long enough to pass the limit are inflated here, piece by
 * piece and into nothing; image data is left alone, as the reader is told not to decode images.
 */

import { constants, createInflate, inflateSync } from 'node:zlib';
import { EngineError } from '../../engine.ts';
import { maxInflatedBytes, minSuspectBytes } from '../limits.ts';

interface RawStream {
  dictionary: string;
  data: Buffer;
}

const imageFilters = /\/(DCTDecode|JPXDecode|CCITTFaxDecode|JBIG2Decode|DCT|CCF)\b/;
const flateFilter = /\/(FlateDecode|Fl)\b/g;

function* rawStreams(file: Buffer): Generator<RawStream> {
  let position = 0;
  while (true) {
    const keyword = file.indexOf('stream', position, 'latin1');
    if (keyword < 0) return;
    position = keyword + 6;
    if (file.toString('latin1', keyword - 3, keyword) === 'end') continue;
    const end = file.indexOf('endstream', position, 'latin1');
    const stop = end < 0 ? file.length : end;
    const dictionary = file.toString('latin1', Math.max(0, keyword - 1024), keyword);
    const start = file[position] === 0x0d ? position + 2 : position + 1;
    yield {
      dictionary: dictionary.slice(dictionary.lastIndexOf(' obj') + 1),
      data: file.subarray(start, stop),
    };
    if (end < 0) return;
    position = end + 9;
  }
}

/** Inflated size, counted up to the limit; broken data counts as far as it goes. */
function inflatedSize(data: Buffer): Promise<number> {
  return new Promise((resolve) => {
    let size = 0;
    const inflate = createInflate({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 1 << 20 });
    const done = (): void => {
      inflate.destroy();
      resolve(size);
    };
    inflate.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxInflatedBytes) done();
    });
    inflate.on('end', done);
    inflate.on('error', done);
    inflate.end(data);
  });
}

/** A stream deflated twice can hide a gigabyte in a kilobyte: its outer layer is opened to see how long the inner is. */
function innerLayer(data: Buffer): Buffer {
  try {
    return inflateSync(data, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxInflatedBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return refuse();
    return Buffer.alloc(0);
  }
}

function refuse(): never {
  throw new EngineError(
    'document_unreadable',
    'the document expands to more data than can be read safely',
    'file',
  );
}

/** @throws document_unreadable for a file with a stream that inflates beyond the limit. */
export async function refuseBombs(bytes: Uint8Array): Promise<void> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { dictionary, data } of rawStreams(file)) {
    const layers = dictionary.match(flateFilter)?.length ?? 0;
    if (layers === 0 || imageFilters.test(dictionary)) continue;
    let inner = data;
    for (let layer = 1; layer < Math.min(layers, 4); layer++) inner = innerLayer(inner);
    if (inner.length >= minSuspectBytes && (await inflatedSize(inner)) > maxInflatedBytes) refuse();
  }
}
