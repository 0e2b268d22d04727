/** A prompt that shows what keys and values a model makes (graph/small-cache-scales.ts): the same whenever it is opened. */
import type { PromptTemplate } from './prompt.ts';
import type { ChatTokenizer } from './tokenizer.ts';

const most = 192;
const text = `On 3 March 2024 Siti Rahman bought 12 lamps in Ipoh for RM 1,499.50 (tax 8 %).
Kedai itu dibuka pada pukul sembilan pagi, dan pelanggan boleh membayar di kaunter.
会议改到星期五下午三点，请带上合同和身份证。
{"order": {"id": "A-1047", "items": [{"sku": "LMP-0012", "price": 124.95}], "paid": true}}
def area(radius): return 3.14159 * radius ** 2
Why does ice float on water? Because it is less dense!`;

/** @param positions tokens that fit */
export function calibrationPrompt(
  template: PromptTemplate,
  { encode }: Pick<ChatTokenizer, 'encode'>,
  positions: number,
): number[] {
  const rendered = (): string => {
    try {
      const messages = [{ role: 'user' as const, content: text }];
      return template.render({ messages, tools: [], instructions: null, controlPieces: [] });
    } catch {
      // A template may refuse a lone user; the words alone will do.
      return text;
    }
  };
  return encode(rendered()).slice(0, Math.min(most, positions));
}
