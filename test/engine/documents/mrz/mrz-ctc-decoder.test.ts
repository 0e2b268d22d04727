import { describe, expect, test } from 'vitest';
import { decodeLine, type Timestep } from '../../../../server/engine/documents/mrz/mrz-ctc-decoder.ts';
import { mrzLayouts } from '../../../../server/engine/documents/mrz/mrz-layouts.ts';

/** Timesteps that see each character of `text` surely, with nothing new between. */
const stepsOf = (text: string, sureness = 0.9): Timestep[] => [
  new Map([['', 0.9]]),
  ...[...text].flatMap((char) => [
    new Map([
      [char, sureness],
      ['', 0.05],
    ]),
    new Map([['', 0.9]]),
  ]),
];

describe('lines of an MRZ from CTC timesteps', () => {
  const [names, numbers] = mrzLayouts.TD3 as [string[], string[]];
  const line = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10';

  test('what may not stand at a place is read as what may', () => {
    const seen = line.replace('UTO', 'UT0').replace('740812', '74O8I2');
    expect(decodeLine(stepsOf(seen), numbers)?.text).toBe(line);
  });

  test('a run of fillers that ran together is counted by the length of the line', () => {
    const timesteps = stepsOf(line).map((timestep, at) =>
      at >= 76 && at <= 84 && timestep.size === 1
        ? new Map([
            ['<', 0.6],
            ['', 0.3],
          ])
        : timestep,
    );
    expect(decodeLine(timesteps, numbers)?.text).toBe(line);
  });

  test('fewer timesteps than characters are no line', () => {
    expect(decodeLine(stepsOf('P<UTO').slice(0, 5), names)).toBeNull();
  });

  test('even spacing tells the right length', () => {
    const card = mrzLayouts.TD2[1]!;
    const right = decodeLine(stepsOf(line), numbers)!;
    const wrong = decodeLine(stepsOf(line), card)!;
    expect(right.stepVariance).toBeLessThan(wrong.stepVariance);
    expect(right.score).toBeGreaterThan(wrong.score);
  });
});
