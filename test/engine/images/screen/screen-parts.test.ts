import { describe, expect, it } from 'vitest';
import { type Pixels, pictureOf } from '../../../../server/engine/images/input/picture.ts';
import { frameAround } from '../../../../server/engine/images/screen/framed-line.ts';
import { inkLine } from '../../../../server/engine/images/screen/ink-lines.ts';
import { passagesOf } from '../../../../server/engine/images/screen/passages.ts';
import { settleScreenParts } from '../../../../server/engine/images/screen/screen-parts.ts';
import type { Box } from '../../../../server/engine/vision/geometry.ts';

const white = 0xffffff;
const ink = 0x222222;
const teal = 0x0c6e78;

interface Screen extends Pixels {
  fill: (box: Box, color: number) => Screen;
  frame: (box: Box, color: number) => Screen;
  /** Letters as bars of every other two pixels. Returns what the finder of text would mark. */
  write: (box: Box, color?: number) => Box;
}

function blank(width = 400, height = 300): Screen {
  const screen: Screen = {
    width,
    height,
    data: new Uint8Array(width * height * 3).fill(255),
    fill: ([x0, y0, x1, y1], color) => {
      for (let y = y0; y < y1; y++)
        for (let x = x0; x < x1; x++)
          for (let channel = 0; channel < 3; channel++)
            screen.data[(y * width + x) * 3 + channel] = (color >> (16 - 8 * channel)) & 255;
      return screen;
    },
    frame: ([x0, y0, x1, y1], color) =>
      screen
        .fill([x0, y0, x1, y0 + 1], color)
        .fill([x0, y1 - 1, x1, y1], color)
        .fill([x0, y0, x0 + 1, y1], color)
        .fill([x1 - 1, y0, x1, y1], color),
    write: ([x0, y0, x1, y1], color = ink) => {
      for (let x = x0; x + 2 <= x1; x += 4) screen.fill([x, y0, x + 2, y1], color);
      return [x0 - 5, y0 - 6, x1 + 5, y1 + 6];
    },
  };
  return screen;
}

const lineOf = (screen: Screen, found: Box) => inkLine(screen, found)!;

describe('lines as their ink lies', () => {
  it('lose the margin, and a frame that stands in it', () => {
    const screen = blank().frame([95, 90, 205, 130], 0xcccccc);
    const found = screen.write([100, 104, 202, 116]);
    expect(lineOf(screen, found).box).toEqual([100, 104, 202, 116]);
  });

  it('are none where nothing is written', () => {
    expect(inkLine(blank(), [10, 10, 80, 30])).toBeUndefined();
    expect(inkLine(blank(), [10, 10, 12, 11])).toBeUndefined();
  });

  it('bear boxes that pass the edges of the picture', () => {
    const screen = blank();
    screen.write([0, 0, 82, 12]);
    expect(lineOf(screen, [-9, -9, 90, 18]).box).toEqual([0, 0, 82, 12]);
  });
});

describe('buttons', () => {
  const framed = (draw: (screen: Screen) => Box) => {
    const screen = blank();
    const line = lineOf(screen, draw(screen));
    return frameAround(line, [line]);
  };

  it('have a ground of their own', () => {
    const button = framed((screen) =>
      screen.fill([80, 90, 220, 130], teal).write([100, 104, 202, 116], white),
    );
    expect(button).toEqual({ box: [79, 89, 221, 131], filled: true, kind: 'button' });
  });

  it('or an outline, and an icon before the text', () => {
    const outlined = framed((screen) => {
      screen.frame([60, 90, 220, 130], 0xcccccc).fill([70, 104, 82, 116], ink);
      return screen.write([100, 104, 202, 116]);
    });
    expect(outlined).toEqual({ box: [60, 90, 220, 130], filled: false, kind: 'button' });
  });

  it('hold their text in the middle; fields begin with it', () => {
    const field = framed((screen) => screen.frame([90, 90, 380, 130], 0xcccccc).write([100, 104, 202, 116]));
    expect(field).toEqual({ box: [90, 90, 380, 130], filled: false, kind: 'text_field' });
  });

  it('are not: panels, plain text, one of several lines in a frame', () => {
    expect(
      framed((screen) => screen.frame([80, 20, 220, 200], 0xcccccc).write([100, 104, 202, 116])),
    ).toBeUndefined();
    expect(framed((screen) => screen.write([100, 104, 202, 116]))).toBeUndefined();
    const screen = blank().frame([80, 90, 320, 130], 0xcccccc);
    const lines = [screen.write([100, 104, 182, 116]), screen.write([220, 104, 300, 116])].map((found) =>
      lineOf(screen, found),
    );
    expect(lines.map((line) => frameAround(line, lines))).toEqual([undefined, undefined]);
  });
});

describe('passages', () => {
  const line = (box: Box, size = 10, weight = 0.3) => ({ box, size, weight });

  it('join lines of a paragraph, and pieces of a line', () => {
    const lines = [
      line([20, 20, 120, 30]),
      line([125, 20, 220, 30]),
      line([20, 35, 200, 45]),
      line([20, 50, 60, 60]),
      line([20, 100, 190, 110]),
    ];
    expect(passagesOf(lines)).toEqual([
      { kind: 'text_block', box: [20, 20, 220, 60] },
      { kind: 'text_block', box: [20, 100, 190, 110] },
    ]);
  });

  it('leave out labels, and call what is larger a heading', () => {
    const lines = [
      line([20, 20, 140, 36], 16),
      line([20, 60, 80, 70]),
      line([20, 100, 190, 110]),
      line([20, 115, 180, 125]),
    ];
    expect(passagesOf(lines)).toEqual([
      { kind: 'heading', box: [20, 20, 140, 36] },
      { kind: 'text_block', box: [20, 100, 190, 125] },
    ]);
  });
});

describe('parts of screens', () => {
  const screen = blank().fill([80, 90, 220, 130], teal);
  const found = screen.write([100, 104, 202, 116], white);
  const settle = (scene: Record<string, number>, objects: Parameters<typeof settleScreenParts>[0] = []) =>
    settleScreenParts(objects, scene, { picture: pictureOf(screen), lines: () => Promise.resolve([found]) });

  it('are surer where the detector saw them too', async () => {
    const [alone] = await settle({ screenshot: 0.9 });
    expect(alone).toMatchObject({ label: 'button', confidence: 0.8 });
    const seen = { label: 'button', confidence: 0.5, bbox: [0.2, 0.31, 0.55, 0.43] as Box };
    const both = await settle({ screenshot: 0.9 }, [seen]);
    expect(both).toHaveLength(1);
    expect(both[0]).toMatchObject({ confidence: 0.9, bbox: alone!.bbox });
  });

  it('lie in the picture where its edge cuts their frame off', async () => {
    const cut = blank(140, 40).fill([0, 0, 140, 40], teal);
    const line = cut.write([20, 14, 122, 26], white);
    const given = { picture: pictureOf(cut), lines: () => Promise.resolve([line]) };
    const [button] = await settleScreenParts([], { screenshot: 0.9 }, given);
    expect(button).toMatchObject({ label: 'button', bbox: [0, 0, 1, 1] });
  });

  it('are looked for on screens, not on photographs', async () => {
    expect(await settle({ photograph: 0.9 })).toEqual([]);
  });
});
