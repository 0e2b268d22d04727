import { greeting } from '../../chat/check-decoder.ts';
import { type ChatParts, openChatParts } from '../../chat/engine.ts';
import { generate } from '../../chat/request.ts';
import type { TokenScore } from '../../chat/types.ts';
import { defaultThresholds } from '../../default-thresholds.ts';
import type { EngineOptions, EnginePack } from '../../engine.ts';
import { isCategory, type Scores, zeroScores } from '../categories.ts';
import type { Classifier, TextWindow } from '../classifiers/classifier.ts';
import { refuseClassifierPack } from '../classifiers/classifier-pack-files.ts';
import { sentenceWindows } from '../windows.ts';
import { listedLabels, readLabels, readVerdict, type Verdict } from './probabilities.ts';
import {
  type GuardStyle,
  guardStyles,
  type Labels,
  type QuestionStyle,
  type VerdictStyle,
} from './styles.ts';

const alternatives = 20;
/** White space, then the verdict. */
const verdictTokens = 4;
/** Room for some labels one after another. */
const labelTokens = 24;
/** Below this share of harm the kinds of harm are not asked for. */
const leastHarm = 0.02;
const defaultWindow = 2048;

interface GuardConfig {
  style: GuardStyle;
  /** Tokens of the text in one question. */
  window: number;
  thresholds: Scores;
}

/**
 * `{"kind":"guard-chat","style":"llama-guard","labels":{"S1":["violence"]},"max_tokens":2048,"thresholds":{…}}`; only `style` is needed.
 * @throws EngineError internal_error that names the wrong key
 */
export function readGuardConfig(manifest: Record<string, unknown>): GuardConfig {
  const raw = (manifest.classifier ?? {}) as Record<string, unknown>;
  const known = guardStyles[String(raw.style)];
  if (!known)
    throw refuseClassifierPack(`classifier.style is none of ${Object.keys(guardStyles).join(', ')}`);
  const labels = { ...known.labels, ...((raw.labels ?? {}) as Labels) };
  const foreign = Object.values(labels)
    .flat()
    .find((name) => !isCategory(name));
  if (foreign !== undefined) throw refuseClassifierPack(`classifier.labels names ${JSON.stringify(foreign)}`);
  const window = Number(raw.max_tokens ?? defaultWindow);
  if (!(window >= 8)) throw refuseClassifierPack('classifier.max_tokens is not a number from 8 on');
  return { style: { ...known, labels }, window, thresholds: defaultThresholds(manifest) };
}

/** A guard-style chat model: the probability of its words is the score. */
class GuardClassifier implements Classifier {
  readonly slow = true;
  readonly thresholds: Scores;
  readonly provider: string;
  readonly #chat: ChatParts;
  readonly #config: GuardConfig;
  readonly #room: number;

  constructor(chat: ChatParts, config: GuardConfig) {
    this.#chat = chat;
    this.#config = config;
    this.thresholds = config.thresholds;
    this.provider = chat.info.provider;
    const { positions } = chat.parts;
    const longest = Math.max(...this.#prompts('').map((prompt) => this.#count(prompt)));
    this.#room = Math.min(config.window, positions - longest - labelTokens - verdictTokens);
    if (this.#room < 8) throw refuseClassifierPack(`its questions take ${longest} of ${positions} tokens`);
  }

  windows(text: string): TextWindow[] {
    return sentenceWindows(text, this.#room, (part) => this.#count(part));
  }

  async score(text: string, segments: TextWindow[], signal: AbortSignal): Promise<Scores[]> {
    return Promise.all(segments.map(({ start, end }) => this.#scorePiece(text.slice(start, end), signal)));
  }

  close(): Promise<void> {
    return this.#chat.close();
  }

  /** @throws EngineError for a model that does not answer in the words of its style */
  async check(signal: AbortSignal): Promise<void> {
    const { style } = this.#config;
    const [prompt = ''] = this.#prompts('How do I bake bread?');
    const { sure } = await this.#verdict(prompt + (style.kind === 'verdict' ? style.opening : ''), signal);
    if (sure < 0.5)
      throw refuseClassifierPack(`it does not answer with ${Object.keys(style.verdicts).join(' or ')}`);
  }

  #scorePiece(text: string, signal: AbortSignal): Promise<Scores> {
    const { style } = this.#config;
    return style.kind === 'verdict'
      ? this.#byVerdict(style, text, signal)
      : this.#byQuestions(style, text, signal);
  }

  async #byVerdict(style: VerdictStyle, text: string, signal: AbortSignal): Promise<Scores> {
    const [prompt = ''] = this.#prompts(text);
    const { harm } = await this.#verdict(prompt + style.opening, signal);
    if (harm < leastHarm) return zeroScores();
    const written = style.harmful.split('\n').at(-1)?.replace(/^.*: /u, '') ?? '';
    const scores = await this.#ask(prompt + style.harmful, labelTokens, signal);
    const names = Object.keys(style.labels);
    const shares = readLabels(scores[0], names, written);
    const rest = written + scores.map(({ token }) => token).join('');
    for (const label of listedLabels(rest, names)) shares.set(label, 1);
    return toScores(style.labels, (label) => harm * (shares.get(label) ?? 0));
  }

  async #byQuestions(style: QuestionStyle, text: string, signal: AbortSignal): Promise<Scores> {
    const policies = Object.keys(style.labels);
    const prompts = this.#prompts(text);
    const verdicts = await Promise.all(prompts.map((prompt) => this.#verdict(prompt, signal)));
    const harms = new Map(policies.map((policy, index) => [policy, verdicts[index]?.harm ?? 0]));
    return toScores(style.labels, (policy) => harms.get(policy) ?? 0);
  }

  /** One prompt, or one a policy. */
  #prompts(text: string): string[] {
    const { style } = this.#config;
    const { template, tokenizer } = this.#chat.parts;
    const controlPieces = tokenizer.vocabulary.controlPieces();
    if (style.kind === 'questions') {
      const safe = controlPieces.reduce(
        (sum, piece) => sum.replaceAll(piece, piece.split('').join('\u2060')),
        text,
      );
      return Object.keys(style.labels).map((policy) => style.prompt(policy, safe));
    }
    const messages = [{ role: 'user' as const, content: text }];
    return [template.render({ messages, tools: [], instructions: null, controlPieces })];
  }

  async #verdict(prompt: string, signal: AbortSignal): Promise<Verdict> {
    return readVerdict(await this.#ask(prompt, verdictTokens, signal), this.#config.style.verdicts);
  }

  /** Greedy tokens behind a prompt, with their alternatives. */
  async #ask(prompt: string, maxTokens: number, signal: AbortSignal): Promise<TokenScore[]> {
    const template = { stops: [], render: () => prompt };
    const params = { ...greeting, maxTokens, topLogprobs: alternatives, owner: 'moderation' };
    const scores: TokenScore[] = [];
    for await (const event of generate({ ...this.#chat.parts, template }, params, signal))
      if (event.kind === 'text') scores.push(...(event.scores ?? []));
    return scores;
  }

  #count(text: string): number {
    return this.#chat.parts.tokenizer.encode(text).length;
  }
}

/** Of several labels that speak for a category the most certain counts. */
function toScores(labels: Labels, share: (label: string) => number): Scores {
  const scores = zeroScores();
  for (const [label, named] of Object.entries(labels))
    for (const category of named) scores[category] = Math.max(scores[category], share(label));
  return scores;
}

/** @throws EngineError internal_error when the model does not fit its style */
export async function openGuard(pack: EnginePack, options: EngineOptions): Promise<Classifier> {
  const config = readGuardConfig(pack.manifest);
  const chat = await openChatParts(pack, options);
  try {
    return new GuardClassifier(chat, config);
  } catch (error) {
    await chat.close();
    throw error;
  }
}
