/** Reads multipart/form-data: fields and one file, up to the limit of the settings. Brackets of a field's name nest it. */
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../errors.ts';
import { nameUpload } from '../../../services/batches/uploads.ts';
import { dropRest } from './drop-rest.ts';

interface Form {
  fields: Record<string, unknown>;
  file: { name: string; bytes: Buffer } | null;
}

const mostFields = 16;
const mostFieldBytes = 1024;

export function acceptMultipart(app: FastifyInstance, bodyLimitMb: () => number): void {
  app.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    if (!request.exchange.spec?.multipart) {
      return done(new ApiError('unsupported_media_type', 'The Content-Type must be application/json.'));
    }
    const limit = bodyLimitMb() * 1024 * 1024;
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limit + 64 * 1024) return dropRest(payload, announced, () => done(tooLarge(limit)));
    readForm(payload, request.headers['content-type']!, limit).then(({ fields, file }) => {
      if (!file) return done(null, fields);
      request.exchange.files = new Map([[file.name, file.bytes]]);
      done(null, { ...fields, file: file.name });
    }, done);
  });
}

/** @throws ApiError invalid_value, unknown_parameter, payload_too_large */
function readForm(payload: Readable, contentType: string, limit: number): Promise<Form> {
  return new Promise((resolve, reject) => {
    let parser: InstanceType<typeof Busboy>;
    try {
      const limits = { fields: mostFields, fieldSize: mostFieldBytes, files: 1, fileSize: limit, parts: 32 };
      parser = new Busboy({ headers: { 'content-type': contentType }, limits });
    } catch {
      return reject(malformed());
    }
    const form: Form = { fields: {}, file: null };
    let failed: ApiError | null = null;
    const fail = (error: ApiError) => {
      failed ??= error;
    };
    parser.on('file', (field, stream, filename) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () => fail(tooLarge(limit)));
      stream.on('end', () => {
        if (field !== 'file') return fail(unknown(field));
        const bytes = Buffer.concat(chunks);
        form.file = { name: nameUpload((filename ?? 'file').slice(0, 255), bytes), bytes };
      });
    });
    parser.on('field', (field, value, _nameCut, isCut) => {
      const [outer = '', inner] = field.split(/\[(\w+)\]$/);
      if (outer === 'file' || !/^\w{1,64}$/.test(outer)) return fail(unknown(field));
      if (isCut) return fail(invalid(outer, 'is too long'));
      const worth = /^\d{1,15}$/.test(value) ? Number(value) : value;
      if (inner === undefined) form.fields[outer] = worth;
      else form.fields[outer] = { ...(form.fields[outer] as object | undefined), [inner]: worth };
    });
    parser.on('filesLimit', () => fail(invalid('file', 'must be one file')));
    parser.on('fieldsLimit', () => fail(malformed()));
    parser.on('partsLimit', () => fail(malformed()));
    parser.on('error', () => reject(failed ?? malformed()));
    parser.on('finish', () => (failed ? reject(failed) : resolve(form)));
    // A client that leaves in the middle ends in 'close' alone.
    payload
      .on('error', () => reject(malformed()))
      .on('close', () => !payload.readableEnded && reject(malformed()));
    payload.pipe(parser);
  });
}

const malformed = () => new ApiError('invalid_value', 'The body is not valid multipart/form-data.');
const tooLarge = (limit: number) =>
  new ApiError('payload_too_large', `The file is larger than ${limit} bytes.`);
const invalid = (param: string, why: string) => new ApiError('invalid_value', `${param} ${why}.`, { param });
const unknown = (field: string) => {
  const param = field.slice(0, 64);
  return new ApiError('unknown_parameter', `Unknown parameter: '${param}'.`, { param });
};
