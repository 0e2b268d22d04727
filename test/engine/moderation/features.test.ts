import { describe, expect, it } from 'vitest';
import {
  bagOfFeatures,
  featureBlock,
  featuresPerToken,
  featureVersion,
} from '../../../server/engine/moderation/text/features.ts';
import { tokenize } from '../../../server/engine/moderation/text/tokens.ts';
import { simplified } from '../../support/moderation/shield-pack.ts';

/** Weights are tied to these numbers: when one changes, raise featureVersion and train anew. */
describe('hashed features', () => {
  it('are those the packs were trained on', () => {
    expect(featureVersion).toBe(1);
    expect(featuresPerToken).toBe(18);
    const tokens = tokenize('Kill 杀 k1ll', simplified);
    expect([...featureBlock(tokens, tokens.length, 262_144)]).toMatchInlineSnapshot(`
      [
        1640,
        185932,
        234301,
        21877,
        184583,
        259681,
        198844,
        32774,
        239708,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        102056,
        256460,
        85195,
        185400,
        203851,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        161842,
        201703,
        234301,
        21877,
        184583,
        259681,
        198844,
        32774,
        239708,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
      ]
    `);
  });

  it('stay inside the table and pad with zero', () => {
    const block = featureBlock(tokenize('some words, 一些字 and 12345', simplified), 32, 1000);
    expect(block).toHaveLength(32 * featuresPerToken);
    expect(Math.max(...block)).toBeLessThan(1000);
    expect(block.at(-1)).toBe(0);
  });

  it('weigh distinct features by 1 + ln(count), to length one', () => {
    const { ids, values } = bagOfFeatures(featureBlock(tokenize('kill kill', simplified), 2, 262_144));
    expect(new Set(ids).size).toBe(ids.length);
    expect(values.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 5);
    expect(Math.max(...values) / Math.min(...values)).toBeCloseTo(1 + Math.log(2), 4);
    expect(bagOfFeatures(new Int32Array())).toEqual({ ids: new Int32Array(), values: new Float32Array() });
  });
});
