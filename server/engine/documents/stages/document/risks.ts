/** Things in a document that hide, deceive or ask to act: named, with their places, for whoever hands its text on. */

import type { Document } from '../../document.ts';
import type { DocumentState } from '../../document-state.ts';
import type { Concealment } from '../../office/flow.ts';
import type { Stage } from '../../stage.ts';
import type { DocumentRisk } from '../../types.ts';

const concealments: Record<Concealment, [kind: DocumentRisk['kind'], detail: string]> = {
  hidden: ['hidden_text', 'Text that is not shown'],
  white: ['white_text', 'White text on white'],
  tiny: ['tiny_text', 'Text too small to be read'],
  off_page: ['off_page_text', 'Text beyond the edges of the page'],
  covered: ['covered_text', 'Text under something drawn over it'],
};

/** Orders to whatever model is given the text, in English, Malay and Chinese. */
const orders = [
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|your|system)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules|context|guidelines)\b/i,
  /\b(?:you are now|act as|pretend to be)\b[^.\n]{0,60}\b(?:assistant|model|AI|DAN|jailbroken)\b/i,
  /\b(?:reveal|print|repeat|output)\b[^.\n]{0,30}\b(?:system prompt|hidden instructions)\b/i,
  /\b(?:abaikan|lupakan)\b[^.\n]{0,40}\b(?:arahan|peraturan)\b/i,
  /(?:忽略|无视|忘记)[^。\n]{0,12}(?:指令|指示|提示|规则)/u,
];

const otherAlphabets = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Words of Latin letters with some of another alphabet among them that look the same. */
const mixed = (text: string): string[] =>
  (text.match(/[\p{L}\p{M}]{4,}/gu) ?? []).filter(
    (word) => /\p{Script=Latin}/u.test(word) && otherAlphabets.test(word),
  );

const longestText = 500;
const mostRisks = 200;

function concealedRisks({ pages }: Document): DocumentRisk[] {
  return pages.flatMap((page) =>
    (page.concealed ?? []).flatMap(({ how, text, box }): DocumentRisk[] => {
      const place = { page: page.number, bbox: page.toView(box), text: text.slice(0, longestText) };
      const [kind, detail] = concealments[how];
      const order = orders.some((pattern) => pattern.test(text));
      return [
        { kind, detail, ...place },
        ...(order
          ? [{ kind: 'order_to_model' as const, detail: 'A hidden order to language models', ...place }]
          : []),
      ];
    }),
  );
}

function textRisks({ text: { rows } }: DocumentState): DocumentRisk[] {
  // The whole text at once tells most documents; only the others are gone through row by row.
  const whole = rows.map(({ text }) => text).join(' ');
  const possible = orders.filter((pattern) => pattern.test(whole));
  const isMixed = otherAlphabets.test(whole);
  if (possible.length === 0 && !isMixed) return [];
  return rows.flatMap(({ page, text, pieces }, index): DocumentRisk[] => {
    // An order may run over the end of its line.
    const next = rows[index + 1]?.text ?? '';
    const order = possible.some(
      (pattern) => pattern.test(text) || (pattern.test(`${text} ${next}`) && !pattern.test(next)),
    );
    const words = isMixed ? mixed(text) : [];
    const box = pieces[0]?.box;
    const place = {
      page: page.number,
      bbox: box ? page.toView(box) : null,
      text: text.slice(0, longestText),
    };
    return [
      ...(order
        ? [{ kind: 'order_to_model' as const, detail: 'An order to language models', ...place }]
        : []),
      ...(words.length > 0
        ? [
            {
              kind: 'look_alike_letters' as const,
              detail: `Letters of two alphabets in ${words.slice(0, 5).join(', ')}`,
              ...place,
            },
          ]
        : []),
    ];
  });
}

const said = (risks: readonly DocumentRisk[]): string[] => {
  const hidden = risks.filter(({ kind }) => kind.endsWith('_text')).length;
  const ordered = risks.filter(({ kind }) => kind === 'order_to_model').length;
  const alike = risks.filter(({ kind }) => kind === 'look_alike_letters').length;
  const places = (count: number): string => (count === 1 ? 'one place' : `${count} places`);
  return [
    ...(hidden > 0 ? [`The document holds text that cannot be seen, in ${places(hidden)}: see risks.`] : []),
    ...(ordered > 0
      ? [`The document gives orders to language models, in ${places(ordered)}: see risks.`]
      : []),
    ...(alike > 0 ? [`Words mix letters that look alike, in ${places(alike)}: see risks.`] : []),
  ];
};

export const risks: Stage<DocumentState, null> = {
  name: 'risks',
  async run(state) {
    const { document, result } = state;
    const found: DocumentRisk[] = [
      ...concealedRisks(document),
      ...textRisks(state),
      ...document.pages
        .filter(({ textDiffers }) => textDiffers)
        .map(({ number: page }): DocumentRisk => {
          const detail = 'The text layer says something else than the page shows';
          return { kind: 'text_differs', detail, page, bbox: [0, 0, 1, 1] };
        }),
      ...(document.active ?? []).map(
        ({ kind, detail }): DocumentRisk => ({ kind, detail, page: null, bbox: null }),
      ),
      ...result.signatures
        .filter(({ integrity }) => integrity === 'altered')
        .map(({ page, bbox }): DocumentRisk => {
          return {
            kind: 'broken_signature',
            detail: 'Signed bytes have changed since they were signed',
            page,
            bbox,
          };
        }),
    ].slice(0, mostRisks);
    if (found.length === 0) return state;
    return { ...state, result: { ...result, risks: found, warnings: [...result.warnings, ...said(found)] } };
  },
};
