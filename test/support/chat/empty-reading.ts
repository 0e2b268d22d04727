/** A reading that found nothing. */
import type { Reading } from '../../../server/engine/chat/reader/reader.ts';

export const emptyReading: Reading = {
  outcomes: [],
  best: [],
  place: null,
  places: [],
  sentences: [],
  holders: [],
  within: () => null,
};
