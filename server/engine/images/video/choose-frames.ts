/**
 * Which frames stand for a video: `most` of them, spread evenly over its time. The time is cut into equal parts and each
 * gives the frame that is shown in its middle; where frames are fewer than parts, or bunch up in time, the next frame
 * not taken yet stands in, so that no frame comes twice. Pure.
 *
 * @param starts when each frame begins to show, ascending, in any unit
 * @param end when the last one stops
 * @returns indexes into `starts`, ascending
 */
export function chooseFrames(starts: readonly number[], end: number, most: number): number[] {
  const count = Math.min(most, starts.length);
  if (count === starts.length) return starts.map((_, index) => index);
  const begin = starts[0]!;
  const chosen: number[] = [];
  let index = 0;
  for (let part = 0; part < count; part++) {
    const moment = begin + ((end - begin) * (part + 0.5)) / count;
    while (index + 1 < starts.length && starts[index + 1]! <= moment) index++;
    const earliest = (chosen.at(-1) ?? -1) + 1;
    const latest = starts.length - (count - part);
    chosen.push(Math.min(Math.max(index, earliest), latest));
  }
  return chosen;
}
