import { describe, expect, it } from 'vitest';
import { type Clues, classifyScene, isDoubtful } from '../../../server/engine/images/classify-scene.ts';
import type { NameTable } from '../../../server/engine/images/models/model.ts';

const name = { en: '', ms: '', zh: '' };
const names: NameTable = {
  objects: new Map(),
  kinds: new Map([
    ['receipt', { group: 'document', ...name }],
    ['letter', { group: 'document', ...name }],
    ['mobile', { group: 'screenshot', ...name }],
    ['terminal', { group: 'screenshot', ...name }],
    ['photograph', { group: 'photograph', ...name }],
  ]),
  thresholds: new Map(),
};
const scene = {
  receipt: 0.25,
  letter: 0,
  mobile: 0.7,
  terminal: 0.05,
  photograph: 0,
  document: 0.25,
  screenshot: 0.75,
};
const weigh = (clues: Partial<Clues>) =>
  classifyScene({ ...scene, outdoors: 0.3 }, { aspect: 0.5, objects: [], lines: [], ...clues }, names);
const best = (scores: Record<string, number>) =>
  [...names.kinds.keys()].sort((a, b) => scores[b]! - scores[a]!)[0];

describe('the kind of a picture', () => {
  it('is left to the look where nothing else speaks', () => {
    expect(weigh({})).toEqual({ ...scene, outdoors: 0.3 });
  });

  it('a receipt in the shape of a phone is told by its words', () => {
    const scores = weigh({ lines: ['TOTAL (RM)', 'CASH', 'CHANGE'] });
    expect(best(scores)).toBe('receipt');
    expect(scores.document).toBe(scores.receipt);
    expect(scores.document! + scores.screenshot!).toBeCloseTo(1, 3);
    expect(scores.outdoors).toBe(0.3);
    expect(best(weigh({ lines: ['合计', '现金', '找零'] }))).toBe('receipt');
  });

  it('a word said twice, or one alone, does not outweigh the look', () => {
    expect(best(weigh({ lines: ['Total', 'Total', 'Total'] }))).toBe('mobile');
  });

  it('a picture with hardly two neighbors alike is a photograph; a flat one of few colors is none', () => {
    const look = { ...scene, receipt: 0, mobile: 0.97, terminal: 0, photograph: 0.02 };
    const said = (texture: Clues['texture']) =>
      best(classifyScene(look, { aspect: 1, objects: [], lines: [], texture: texture! }, names));
    expect(said({ flat: 0.1, commonest: 0.1 })).toBe('photograph');
    expect(said({ flat: 0.6, commonest: 0.8 })).toBe('mobile');
    const photographed = { ...look, mobile: 0.02, photograph: 0.97 };
    const flat = { aspect: 1, objects: [], lines: [], texture: { flat: 0.9, commonest: 0.9 } };
    expect(best(classifyScene(photographed, flat, names))).toBe('mobile');
  });

  it('what shows buttons is no terminal', () => {
    const look = { ...scene, receipt: 0, mobile: 0.3, terminal: 0.6 };
    const bbox: [number, number, number, number] = [0.1, 0.1, 0.2, 0.15];
    const objects = ['button', 'text_field'].map((label) => ({ label, confidence: 0.6, bbox }));
    expect(best(classifyScene(look, { aspect: 1, objects: [], lines: [] }, names))).toBe('terminal');
    expect(best(classifyScene(look, { aspect: 1, objects, lines: [] }, names))).toBe('mobile');
  });

  it('phones and pages stand upright', () => {
    expect(weigh({ aspect: 1.6 }).mobile).toBeLessThan(0.5);
  });

  it('what fills the picture says what it is', () => {
    const receipt = {
      label: 'receipt',
      confidence: 0.9,
      bbox: [0, 0, 1, 0.9] as [number, number, number, number],
    };
    expect(weigh({ objects: [receipt] }).receipt).toBeGreaterThan(weigh({}).receipt!);
    const small = { ...receipt, bbox: [0, 0, 0.2, 0.2] as [number, number, number, number] };
    expect(weigh({ objects: [small] })).toEqual(weigh({}));
  });

  it('scenes of other packs are left as they are', () => {
    const other = { beach: 0.8, forest: 0.2 };
    expect(classifyScene(other, { aspect: 2, objects: [], lines: ['total', 'cash'] }, names)).toBe(other);
    expect(classifyScene(other, { aspect: 2, objects: [], lines: [] }, undefined)).toBe(other);
    expect(isDoubtful(other, names)).toBe(false);
  });

  it('is doubtful below a high score, never of photographs', () => {
    expect(isDoubtful(scene, names)).toBe(true);
    expect(isDoubtful({ receipt: 0.95 }, names)).toBe(false);
    expect(isDoubtful({ receipt: 0.3, photograph: 0.6 }, names)).toBe(false);
  });
});
