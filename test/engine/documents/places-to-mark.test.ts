/** Places to sign and boxes to tick, as a reader must know them: whose, and for which question. */

import { rgb } from 'pdf-lib';
import { expect, test } from 'vitest';
import { makePdf, parse, valuesOf } from './helpers.ts';

const black = rgb(0, 0, 0);

test('two places to sign beside each other: the one that nobody signed is told', async () => {
  const pdf = await makePdf((page, text) => {
    text('TENANCY AGREEMENT', 60, 60, 14);
    text('The tenant shall keep the rooms in good order.', 60, 90);
    for (const x of [60, 340])
      page.drawLine({ start: { x, y: 842 - 300 }, end: { x: x + 180, y: 842 - 300 }, color: black });
    const path = `M 0 20 ${Array.from({ length: 8 }, (_, at) => `Q ${8 + 14 * at} ${at % 2 ? 36 : 0} ${14 + 14 * at} ${18 + (at % 3) * 4}`).join(' ')}`;
    page.drawSvgPath(path, { x: 80, y: 842 - 268, borderColor: rgb(0, 0, 0.5), borderWidth: 1.4 });
    for (const [at, [left, right]] of [
      ['Signed for the Landlord', 'Signed for the Tenant'],
      ['Name: Puan Rohana', 'Name: Chua Ai Ling'],
      ['Date: 03/02/2026', 'Date:'],
    ].entries()) {
      text(left!, 60, 313 + 14 * at);
      text(right!, 340, 313 + 14 * at);
    }
  });
  const { signatures, fields } = await parse(pdf);
  expect(signatures.map(({ label, signed }) => [label, signed])).toEqual(
    expect.arrayContaining([
      ['Signed for the Landlord', true],
      ['Signed for the Tenant', false],
    ]),
  );
  expect(signatures).toHaveLength(2);
  expect(Object.keys(fields).filter((name) => name.startsWith('signed'))).toEqual([]);
});

test('boxes carry the question of their row or list, and answer it', async () => {
  const pdf = await makePdf((page, text) => {
    const box = (label: string, x: number, y: number, ticked: boolean): void => {
      page.drawRectangle({ x, y: 842 - y, width: 10, height: 10, borderColor: black, borderWidth: 1 });
      if (ticked)
        for (const [from, to] of [
          [2, 8],
          [8, 2],
        ] as const)
          page.drawLine({
            start: { x: x + 2, y: 842 - y + from },
            end: { x: x + 8, y: 842 - y + to },
            thickness: 1.2,
          });
      text(label, x + 15, y - 1);
    };
    text('TENANT FORM', 60, 60, 14);
    text('Pets kept?', 60, 119);
    box('Yes', 200, 120, false);
    box('No', 270, 120, true);
    text('Parking needed?', 60, 149);
    box('Yes', 200, 150, true);
    box('No', 270, 150, false);
    text('Heating', 60, 200);
    box('Gas', 60, 220, false);
    box('Electric', 60, 238, true);
  });
  const { checkboxes, fields } = await parse(pdf);
  expect(checkboxes.map(({ group, label, checked }) => [group, label, checked])).toEqual([
    ['Pets kept?', 'Yes', false],
    ['Pets kept?', 'No', true],
    ['Parking needed?', 'Yes', true],
    ['Parking needed?', 'No', false],
    ['Heating', 'Gas', false],
    ['Heating', 'Electric', true],
  ]);
  expect(valuesOf(fields)).toMatchObject({ pets_kept: 'No', parking_needed: 'Yes', heating: 'Electric' });
});
