/** Reads tool calls back out of text, as it comes: the name once it is whole, the arguments in fragments. */
import { randomBytes } from 'node:crypto';
import type { OutputParser, OutputPart } from './compiled-output.ts';
import type { ToolCallFormat } from './tool-formats.ts';

type Place =
  /** Text, of which an end that could begin the trigger is held back. */
  | { at: 'text' }
  | { at: 'name' }
  | { at: 'arguments'; depth: number; inString: boolean; escaped: boolean }
  | { at: 'between' };

export class ToolParser implements OutputParser {
  private readonly format: ToolCallFormat;
  private held = '';
  private place: Place = { at: 'text' };
  private call = -1;

  constructor(format: ToolCallFormat) {
    this.format = format;
  }

  push(text: string): OutputPart[] {
    this.held += text;
    const parts: OutputPart[] = [];
    while (this.read(parts)) {
      // each turn takes one piece out of what is held
    }
    return parts;
  }

  get isInCall(): boolean {
    return this.place.at === 'name' || this.place.at === 'arguments';
  }

  end(): OutputPart[] {
    const { held } = this;
    this.held = '';
    return this.place.at === 'text' && held !== '' ? [{ kind: 'text', text: held }] : [];
  }

  /** Takes what it can; false when more text is needed. */
  private read(parts: OutputPart[]): boolean {
    switch (this.place.at) {
      case 'text':
        return this.readText(parts);
      case 'name':
        return this.readName(parts);
      case 'arguments':
        return this.readArguments(this.place, parts);
      case 'between':
        return this.readBetween();
    }
  }

  private readText(parts: OutputPart[]): boolean {
    const { trigger } = this.format;
    const at = this.held.indexOf(trigger);
    const ready = at >= 0 ? at : this.held.length - overlap(this.held, trigger);
    // Nothing but space before a call is no text of the answer.
    const text = this.held.slice(0, ready);
    if (text !== '' && !(at >= 0 && text.trim() === '')) parts.push({ kind: 'text', text });
    this.held = this.held.slice(at >= 0 ? at + trigger.length : ready);
    if (at < 0) return false;
    this.place = { at: 'name' };
    return true;
  }

  private readName(parts: OutputPart[]): boolean {
    const { beforeName, beforeArguments } = this.format;
    const body = this.held.startsWith(beforeName) ? this.held.slice(beforeName.length) : this.held;
    const end = body.indexOf(beforeArguments);
    if (end < 0) return false;
    this.call += 1;
    parts.push({
      kind: 'tool',
      call: this.call,
      id: `call_${randomBytes(12).toString('hex')}`,
      name: body.slice(0, end),
    });
    this.held = body.slice(end + beforeArguments.length);
    this.place = { at: 'arguments', depth: 0, inString: false, escaped: false };
    return true;
  }

  /** One JSON value; its brackets outside of strings tell where it ends. */
  private readArguments(place: Extract<Place, { at: 'arguments' }>, parts: OutputPart[]): boolean {
    let { depth, inString, escaped } = place;
    let at = 0;
    let isDone = false;
    for (; at < this.held.length && !isDone; at += 1) {
      const char = this.held[at]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (char === '\\') escaped = true;
        else if (char === '"') inString = false;
      } else if (char === '"') inString = true;
      else if (char === '{' || char === '[') depth += 1;
      else if (char === '}' || char === ']') {
        depth -= 1;
        isDone = depth === 0;
      }
    }
    if (at > 0) parts.push({ kind: 'arguments', call: this.call, text: this.held.slice(0, at) });
    this.held = this.held.slice(at);
    this.place = isDone ? { at: 'between' } : { at: 'arguments', depth, inString, escaped };
    return isDone;
  }

  /** After a call comes its end, and perhaps another call; text after the calls does not come. */
  private readBetween(): boolean {
    const { afterArguments, between } = this.format;
    const opening = afterArguments + between;
    if (this.held.startsWith(opening)) {
      this.held = this.held.slice(opening.length);
      this.place = { at: 'name' };
      return true;
    }
    return false;
  }
}

/** Number of characters at the end of `text` that could begin `trigger`. */
function overlap(text: string, trigger: string): number {
  for (let length = Math.min(text.length, trigger.length - 1); length > 0; length -= 1) {
    if (text.endsWith(trigger.slice(0, length))) return length;
  }
  return 0;
}
