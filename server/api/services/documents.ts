/** POST /v1/documents/parse. */
import { type Static, Type } from 'typebox';
import { Bbox, Closed, Confidence, Nullable, UnixSeconds } from '../common.ts';

export const documentTemplates = ['mykad', 'invoice', 'passport', 'generic'] as const;

export const documentOutputFormats = [
  'json',
  'text',
  'markdown',
  'chunks',
  'searchable_pdf',
  'csv',
  'xlsx',
] as const;
export type DocumentOutputFormat = (typeof documentOutputFormats)[number];

export const documentRiskKinds = [
  'hidden_text',
  'white_text',
  'tiny_text',
  'off_page_text',
  'covered_text',
  'text_differs',
  'script',
  'launch_action',
  'embedded_file',
  'external_reference',
  'look_alike_letters',
  'order_to_model',
  'broken_signature',
] as const;
export type DocumentRiskKind = (typeof documentRiskKinds)[number];

export const documentTemplatePattern = `^(${documentTemplates.join('|')}|(custom|own):[a-z0-9][a-z0-9_-]{0,63})$`;

/** The name behind `custom:`, or behind `own:`, its old form; null for a template of the four. */
export const customTemplateName = (template: string): string | null =>
  /^(?:custom|own):(.*)$/.exec(template)?.[1] ?? null;

export const DocumentsRequest = Closed(
  {
    model: Type.String(),
    file_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
    file: Type.Optional(Type.String({ minLength: 1, description: 'base64, or a data URL' })),
    template: Type.Optional(
      Type.String({
        pattern: documentTemplatePattern,
        description:
          'One of `mykad`, `invoice`, `passport`, `generic`, or `custom:` and the name of a template made on this machine, such as `custom:delivery-note`. `own:delivery-note` is accepted too, and repeated as the answer’s type. A custom template’s fields are its own; a document of another kind gives none and a warning.',
      }),
    ),
    pages: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Such as `3`, `1-3` or `1,4-6`; at most 20 pages, and needed for a longer document.',
      }),
    ),
    output_format: Type.Optional(
      Type.Enum([...documentOutputFormats], {
        default: 'json',
        description:
          'Beside the fields: `text` as laid out, `markdown` (headings, lists, tables), `chunks` (passages for search), `searchable_pdf` (pictures of the pages, their text unseen over them), `csv` (a text for each table) or `xlsx` (a workbook, a sheet for each table).',
      }),
    ),
    include_hidden: Type.Optional(
      Type.Boolean({
        description:
          'Text of a PDF that nobody sees (covered, white, tiny, off the page) stands among the rest. Default false: in `risks` alone.',
      }),
    ),
  },
  { title: 'DocumentsRequest' },
);
export type DocumentsRequest = Static<typeof DocumentsRequest>;

const PageNumber = Type.Integer({ minimum: 1, description: 'From 1' });
const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

const evidence = {
  confidence: Confidence,
  page: Nullable(PageNumber),
  bbox: Nullable(Bbox),
  raw: Nullable(Type.String({ description: 'The text as it stands on the page.' })),
  evidence: Type.Optional(
    Type.Object(
      {
        rule: Type.Enum(
          [
            'label',
            'place',
            'pattern',
            'block',
            'column',
            'sum',
            'choice',
            'form_field',
            'table',
            'mrz',
            'card_number',
            'chat',
          ],
          {
            description:
              'The way the value was chosen: by its label, a template’s place, its form alone, a block of lines, the column over it, amounts that lead to it, ticked boxes, a field of the PDF’s form, a row of a table, a machine-readable zone, a card’s number, or a chat pack.',
          },
        ),
        sources: Type.Array(Type.Enum(['text_layer', 'recognition', 'second_reading', 'ink', 'mrz']), {
          description:
            'Where its words come from: the file’s text layer, recognition of its picture, a second closer reading, the shape of the ink, or a machine-readable zone.',
        }),
      },
      { description: 'Reasons for the value, beyond the specification.' },
    ),
  ),
  currency: Type.Optional(Nullable(Type.String({ description: 'ISO 4217' }))),
  label: Type.Optional(Type.String({ description: 'What is printed beside it.' })),
  mrz_valid: Type.Optional(
    Type.Boolean({ description: 'Machine-readable zone: whether the check digit holds.' }),
  ),
  filled_by: Type.Optional(
    Type.String({ description: 'The chat pack that gave the value; absent: the rules did.' }),
  ),
};

/** One cell of a line item, e.g. its quantity. */
const ItemField = Type.Object({ value: Scalar, ...evidence });

export const DocumentField = Type.Object({
  value: Type.Union([Scalar, Type.Array(Type.Record(Type.String(), ItemField))], {
    description: 'Dates are ISO 8601; money a number; line items an array of objects of fields.',
  }),
  ...evidence,
});
export type DocumentField = Static<typeof DocumentField>;

export const DocumentTable = Type.Object({
  page: PageNumber,
  rows: Type.Array(Type.Array(Type.String())),
  bbox: Bbox,
  confidence: Confidence,
  continues: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Index of the table on the page before that this one goes on.' }),
  ),
  cells: Type.Array(
    Type.Object({
      row: Type.Integer({ minimum: 0 }),
      col: Type.Integer({ minimum: 0 }),
      row_span: Type.Integer({ minimum: 1 }),
      col_span: Type.Integer({ minimum: 1 }),
      text: Type.String(),
      bbox: Bbox,
      page: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'Of a sheet that fills several pages, where it is not the first.',
        }),
      ),
    }),
  ),
});

const DocumentChunk = Type.Object({
  text: Type.String(),
  page: PageNumber,
  bbox: Bbox,
  heading: Nullable(Type.String({ description: 'The nearest heading above.' })),
});

export const signatureKinds = ['digital', 'ink', 'stamp'] as const;
export const integrities = ['intact', 'extended', 'altered', 'unknown'] as const;

export const DocumentsResult = Type.Object(
  {
    id: Type.String({ pattern: '^req_doc_[0-9a-zA-Z]+$' }),
    model: Type.String(),
    created: UnixSeconds,
    type: Type.String(),
    fields: Type.Record(Type.String(), DocumentField),
    tables: Type.Array(DocumentTable),
    checkboxes: Type.Array(
      Type.Object({
        label: Type.String(),
        group: Type.Optional(Type.String({ description: 'The question that the box answers.' })),
        checked: Type.Boolean(),
        confidence: Confidence,
        page: PageNumber,
        bbox: Bbox,
      }),
    ),
    signatures: Type.Array(
      Type.Object({
        confidence: Confidence,
        page: PageNumber,
        bbox: Bbox,
        kind: Type.Optional(Type.Enum([...signatureKinds])),
        label: Type.Optional(
          Type.String({ description: 'Name of the form field, or what is printed beside.' }),
        ),
        signed: Type.Optional(Type.Boolean({ description: 'False for a field that nobody has signed yet.' })),
        signer: Type.Optional(
          Type.String({ description: 'Digital: name in the certificate, whose issuer is not checked.' }),
        ),
        signed_at: Type.Optional(Type.String({ description: "ISO 8601, by the signer's own clock" })),
        integrity: Type.Optional(
          Type.Enum([...integrities], {
            description:
              'Digital: whether the document is as it was signed; `extended` means added to, its signed part unchanged.',
          }),
        ),
      }),
    ),
    barcodes: Type.Optional(
      Type.Array(
        Type.Object({
          format: Type.String({ description: 'Such as QRCode, EAN13, Code128, PDF417.' }),
          text: Type.String(),
          confidence: Confidence,
          page: PageNumber,
          bbox: Bbox,
        }),
      ),
    ),
    stamps: Type.Optional(
      Type.Array(Type.Object({ confidence: Confidence, page: PageNumber, bbox: Bbox }), {
        description: 'Rubber stamps',
      }),
    ),
    text: Type.Optional(Type.String({ description: 'With output_format text: reading order, layout kept.' })),
    markdown: Type.Optional(
      Type.String({ description: 'With output_format markdown: headings, lists, paragraphs and tables.' }),
    ),
    chunks: Type.Optional(
      Type.Array(DocumentChunk, { description: 'With output_format chunks: in reading order.' }),
    ),
    searchable_pdf: Type.Optional(
      Type.String({ description: 'With output_format searchable_pdf: a PDF in base64.' }),
    ),
    csv: Type.Optional(
      Type.Array(Type.String(), { description: 'With output_format csv: one for each of `tables`.' }),
    ),
    xlsx: Type.Optional(Type.String({ description: 'With output_format xlsx: a workbook in base64.' })),
    risks: Type.Optional(
      Type.Array(
        Type.Object({
          kind: Type.Enum([...documentRiskKinds]),
          detail: Type.String(),
          page: Nullable(PageNumber),
          bbox: Nullable(Bbox),
          text: Type.Optional(
            Type.String({
              description:
                'Hidden text stands here and, but for `include_hidden`, nowhere else in the answer.',
            }),
          ),
        }),
        { description: 'What hides, deceives or asks to act; absent where nothing was found.' },
      ),
    ),
    warnings: Type.Array(Type.String()),
    confidence: Confidence,
    usage: Type.Object({ pages: Type.Integer({ minimum: 0 }) }),
  },
  { title: 'DocumentsResult' },
);
export type DocumentsResult = Static<typeof DocumentsResult>;
