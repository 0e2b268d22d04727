/** Reads multipart/form-data: fields and one file, up to the limit of the settings. Brackets of a field's name nest it. */
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../errors.ts';
import { nameUpload } from '../../../services/batches/uploads.ts';
import { dropRest } from './drop-rest.ts';
import { parseJson } from './json-text.ts';

interface Form {
  fields: Record<string, unknown>;
  file: { name: string; bytes: Buffer } | null;
}

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
}

interface FormSpec {
  contentType: string;
  /** Bytes of the file. */
  limit: number;
  fileField: string;
  body: JsonSchema;
}

const mostFields = 16;
const mostFieldBytes = 64 * 1024;

export function acceptMultipart(app: FastifyInstance, bodyLimitMb: () => number): void {
  app.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    // Other operations have refused the media type before.
    const { fileField = 'file', body } = request.exchange.spec!;
    const limit = bodyLimitMb() * 1024 * 1024;
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limit + 64 * 1024) return dropRest(payload, announced, () => done(tooLarge(limit)));
    const contentType = request.headers['content-type']!;
    readForm(payload, { contentType, limit, fileField, body: body as JsonSchema }).then(
      ({ fields, file }) => {
        if (!file) return done(null, fields);
        request.exchange.files = new Map([[file.name, file.bytes]]);
        done(null, { ...fields, [fileField]: file.name });
      },
      done,
    );
  });
}

/** @throws ApiError invalid_value, unknown_parameter, payload_too_large */
function readForm(payload: Readable, { contentType, limit, fileField, body }: FormSpec): Promise<Form> {
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
        if (field !== fileField) return fail(unknown(field));
        const bytes = Buffer.concat(chunks);
        form.file = { name: nameUpload((filename ?? 'file').slice(0, 255), bytes), bytes };
      });
    });
    parser.on('field', (field, value, _nameCut, isCut) => {
      const [outer = '', inner] = field.split(/\[(\w+)\]$/);
      if (outer === fileField) return fail(invalid(outer, 'must be sent as a file'));
      if (!/^\w{1,64}$/.test(outer) || outer === '__proto__') return fail(unknown(field));
      if (isCut) return fail(invalid(outer, 'is too long'));
      const schema = body.properties?.[outer];
      if (inner === undefined) form.fields[outer] = toValue(value, schema);
      else
        form.fields[outer] = {
          ...(form.fields[outer] as object | undefined),
          [inner]: toValue(value, schema?.properties?.[inner]),
        };
    });
    parser.on('filesLimit', () => fail(invalid(fileField, 'must be one file')));
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

/** A form has texts alone: what is no text by its schema is written as JSON. */
function toValue(text: string, schema: JsonSchema | undefined): unknown {
  if (!schema || schema.type === 'string' || schema.enum) return text;
  try {
    return parseJson(Buffer.from(text));
  } catch {
    return text;
  }
}

const malformed = () => new ApiError('invalid_value', 'The body is not valid multipart/form-data.');
const tooLarge = (limit: number) =>
  new ApiError('payload_too_large', `The file is larger than ${limit} bytes.`);
const invalid = (param: string, why: string) => new ApiError('invalid_value', `${param} ${why}.`, { param });
const unknown = (field: string) => {
  const param = field.slice(0, 64);
  return new ApiError('unknown_parameter', `Unknown parameter: '${param}'.`, { param });
};
