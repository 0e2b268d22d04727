import { foldText } from '../text/fold.ts';
import type { Simplified } from '../text/simplified.ts';

export interface InjectionMatch {
  start: number;
  end: number;
  score: number;
}

interface Rule {
  pattern: RegExp;
  score: number;
}

/** Text that orders a model to drop its rules, in words few write for another reason; folded text, bounded repeats. */
const rules: Rule[] = [
  {
    score: 0.93,
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\s(?:\w{1,12}\s){0,4}(?:previous|prior|above|earlier|preceding|foregoing|initial|original|system)\s(?:\w{1,12}\s){0,2}(?:instructions?|prompts?|rules|directions?|directives?|guidelines|commands?)/g,
  },
  {
    score: 0.9,
    pattern:
      /\b(?:reveal|print|show|repeat|output|leak|display|dump|tell\sme)\s(?:\w{1,12}\s){0,4}(?:system\sprompt|hidden\sinstructions|initial\sprompt|developer\smessage|secret\sinstructions)/g,
  },
  {
    score: 0.9,
    pattern:
      /\b(?:do\sanything\snow|dan\smode|jailbreak\smode|jailbroken\smode|developer\smode\s(?:enabled|output)|broken\sfree\sof\sthe\stypical\sconfines|evil\sconfidant|opposite\smode)\b/g,
  },
  {
    score: 0.85,
    pattern:
      /\b(?:you\sare|act\sas|pretend\sto\sbe|become|roleplay\sas)\s(?:\w{1,14}\s){0,8}(?:without|with\sno|free\sof|not\sbound\sby|no\slonger\sbound\sby)\s(?:\w{1,12}\s){0,3}(?:restrictions?|rules|filters?|ethical\sguidelines|limitations|content\spolicy|censorship|moral)/g,
  },
  {
    score: 0.8,
    pattern:
      /<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?inst\]|<<\/?sys>>|###\s?(?:system|instruction)\s?:/g,
  },
  {
    score: 0.85,
    pattern:
      /\b(?:abaikan|lupakan|ketepikan|jangan\sikut)\s(?:\w{1,12}\s){0,3}(?:arahan|peraturan|prompt|perintah)\s(?:\w{1,12}\s){0,2}(?:di\satas|sebelum|terdahulu|asal|sistem)/g,
  },
  {
    score: 0.85,
    pattern:
      /\b(?:dedahkan|tunjukkan|cetak|ulang|bocorkan)\s(?:\w{1,12}\s){0,3}(?:prompt\ssistem|arahan\stersembunyi|arahan\ssistem|system\sprompt)/g,
  },
  {
    score: 0.9,
    pattern:
      /(?:忽略|无视|忘记|忘掉|跳过|不要理会).{0,6}(?:之前|以上|前面|上面|先前|上述|所有).{0,8}(?:指令|提示|规则|设定|要求|指示)/g,
  },
  {
    score: 0.85,
    pattern: /(?:显示|告诉我|输出|打印|重复|泄露|说出).{0,6}(?:系统提示|系统指令|初始指令|隐藏规则|提示词)/g,
  },
  {
    score: 0.85,
    pattern:
      /(?:越狱模式|无限制模式|开发者模式已|没有任何限制的(?:ai|人工智能|助手)|不受任何(?:规则|限制|道德)约束)/g,
  },
];

/** Words that speak about such attacks; they lower a match from order to mention. */
const mention =
  /\b(?:what\sis|what\sare|explain|defend|prevent|detect|attack(?:s|er)?|example\sof|paper|study|research|blog|article|mitigat\w+|apa\situ|elak|contoh)\b|什么是|防御|防范|例如|攻击/;

/** Hidden ASCII in Unicode tag characters: nobody writes it by accident. */
const smuggled = /[\u{E0020}-\u{E007E}]{4,}/gu;

/** Orders to a language model, with offsets of the original text. */
export function detectInjection(text: string, simplified: Simplified): InjectionMatch[] {
  const folded = foldText(text, simplified);
  const plain = folded.units.map((unit) => (unit.length === 1 ? unit : '?')).join('');
  const matches: InjectionMatch[] = [];
  for (const rule of rules) {
    for (const found of plain.matchAll(rule.pattern)) {
      const last = found.index + found[0].length - 1;
      const around = plain.slice(Math.max(0, found.index - 80), last + 60);
      const score = mention.test(around) ? rule.score * 0.4 : rule.score;
      matches.push({ start: folded.starts[found.index] ?? 0, end: folded.ends[last] ?? text.length, score });
    }
  }
  for (const found of text.matchAll(smuggled)) {
    matches.push({ start: found.index, end: found.index + found[0].length, score: 0.9 });
  }
  return matches;
}
