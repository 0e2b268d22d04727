import { describe, expect, test } from 'vitest';
import { decodeLine, type Step } from '../../../../server/engine/documents/mrz/mrz-ctc-decoder.ts';
import { zoneLayouts } from '../../../../server/engine/documents/mrz/mrz-layouts.ts';

/** Steps that see each character of `text` surely, with nothing new between. */
const stepsOf = (text: string, sureness = 0.9): Step[] => [
  new Map([['', 0.9]]),
  ...[...text].flatMap((char) => [
    new Map([
      [char, sureness],
      ['', 0.05],
    ]),
    new Map([['', 0.9]]),
  ]),
];

describe('lines of a zone from CTC steps', () => {
  const [names, numbers] = zoneLayouts.TD3 as [string[], string[]];
  const line = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10';

  test('what may not stand at a place is read as what may', () => {
    const seen = line.replace('UTO', 'UT0').replace('740812', '74O8I2');
    expect(decodeLine(stepsOf(seen), numbers)?.text).toBe(line);
  });

  test('a run of fillers that ran together is counted by the length of the line', () => {
    const steps = stepsOf(line).map((step, at) =>
      at >= 76 && at <= 84 && step.size === 1
        ? new Map([
            ['<', 0.6],
            ['', 0.3],
          ])
        : step,
    );
    expect(decodeLine(steps, numbers)?.text).toBe(line);
  });

  test('fewer steps than characters are no line', () => {
    expect(decodeLine(stepsOf('P<UTO').slice(0, 5), names)).toBeNull();
  });

  test('even spacing tells the right length', () => {
    const card = zoneLayouts.TD2[1]!;
    const right = decodeLine(stepsOf(line), numbers)!;
    const wrong = decodeLine(stepsOf(line), card)!;
    expect(right.unevenness).toBeLessThan(wrong.unevenness);
    expect(right.score).toBeGreaterThan(wrong.score);
  });
});
