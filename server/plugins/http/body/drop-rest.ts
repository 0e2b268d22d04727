/** A body that is refused for its size: one who is still sending when the connection closes never sees the answer. */
import type { Readable } from 'node:stream';

/** As much as a person's file may be by mistake; whoever sends more is cut off. */
const mostBytes = 64 * 1024 * 1024;
const longestMs = 5_000;

/**
 * Reads what is still to come and keeps none of it.
 * @param bytes expected, as far as known
 * @param answer called once: at the body's end, or where it is too long or too slow
 */
export function dropRest(payload: Readable, bytes: number, answer: () => void): void {
  if (bytes > mostBytes || payload.readableEnded || payload.destroyed) {
    answer();
    return;
  }
  let left = mostBytes;
  let answered = false;
  const end = () => {
    clearTimeout(timer);
    if (!answered) answer();
    answered = true;
  };
  const timer = setTimeout(end, longestMs).unref();
  payload.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0 && !answered) return;
    // The sender waits, and is cut off soon after the answer (plugins/client-abort.ts).
    payload.pause();
    end();
  });
  payload.on('end', end).on('error', end).on('close', end).resume();
}
