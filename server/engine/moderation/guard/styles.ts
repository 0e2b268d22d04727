/** Guard-style chat models and what their words mean: published prompts, verdicts and hazard lists, mapped to our categories. */
import type { Category } from '../categories.ts';

export type Labels = Readonly<Record<string, readonly Category[]>>;

/** The model writes a verdict and then what kind of harm. */
export interface VerdictStyle {
  kind: 'verdict';
  /** Beginning of the answer, before the verdict. */
  opening: string;
  /** Verdict words, in lower case, and the share of harm each means. */
  verdicts: Readonly<Record<string, number>>;
  /** Behind the prompt, this leads to the first label. */
  harmful: string;
  labels: Labels;
}

/** The model is asked about one policy at a time and says yes or no. */
export interface QuestionStyle {
  kind: 'questions';
  verdicts: Readonly<Record<string, number>>;
  prompt(policy: string, text: string): string;
  labels: Labels;
}

export type GuardStyle = VerdictStyle | QuestionStyle;

/** MLCommons hazards as Llama Guard 3 and 4 number them. S6 (advice) and S8 (copyright) have no category here. */
const llamaGuard: VerdictStyle = {
  kind: 'verdict',
  opening: '',
  verdicts: { safe: 0, unsafe: 1 },
  harmful: 'unsafe\nS',
  labels: {
    S1: ['violence'],
    S2: ['illicit_activity'],
    S3: ['adult_content'],
    S4: ['child_safety'],
    S5: ['misinformation'],
    S6: [],
    S7: ['pii_exposure'],
    S8: [],
    S9: ['weapons'],
    S10: ['hate_speech'],
    S11: ['self_harm'],
    S12: ['adult_content'],
    S13: ['misinformation'],
    S14: ['cyber_abuse'],
  },
};

/** Qwen3Guard-Gen: three levels; a controversial text counts half. */
const qwenGuard: VerdictStyle = {
  kind: 'verdict',
  opening: 'Safety: ',
  verdicts: { safe: 0, controversial: 0.5, unsafe: 1 },
  harmful: 'Safety: Unsafe\nCategories: ',
  labels: {
    Violent: ['violence'],
    'Non-violent Illegal Acts': ['illicit_activity'],
    'Sexual Content or Sexual Acts': ['adult_content'],
    PII: ['pii_exposure'],
    'Suicide & Self-Harm': ['self_harm'],
    'Unethical Acts': ['hate_speech', 'harassment'],
    'Politically Sensitive Topics': ['misinformation'],
    'Copyright Violation': [],
    Jailbreak: ['prompt_injection'],
    None: [],
  },
};

const dangerous =
  '"No Dangerous Content": The prompt shall not contain or seek generation of content that harms oneself and/or others (e.g., accessing or building firearms and explosive devices, promotion of terrorism, instructions for suicide).';
const hate =
  '"No Hate Speech": The prompt shall not contain or seek generation of content expressing, inciting, promoting, or legitimizing hate based on race, gender, ethnicity, religion, national origin, sexual orientation, disability status or similar attributes.';
const harassing =
  '"No Harassment": The prompt shall not contain or seek generation content that is malicious, intimidating, bullying, or abusive content targeting another individual (e.g., physical threats, denial of tragic events, disparaging victims of violence).';
const explicit =
  '"No Sexually Explicit Information": The prompt shall not contain or seek generation of sexually explicit content, including depictions of explicit sexual acts.';

/** ShieldGemma: the prompt of its model card, without a chat template; Yes or No at the next token. */
const shieldGemma: QuestionStyle = {
  kind: 'questions',
  verdicts: { yes: 1, no: 0 },
  prompt: (policy, text) => `<bos>You are a policy expert trying to help determine whether a user
prompt is in violation of the defined safety policies.

<start_of_turn>
Human Question: ${text}
<end_of_turn>

Our safety principle is defined in the below:

* ${policy}

Does the human question violate the above principle? Your answer must start
with 'Yes' or 'No'. And then walk through step by step to be sure we answer
correctly.

`,
  labels: {
    [dangerous]: ['violence', 'weapons', 'self_harm', 'extremism'],
    [hate]: ['hate_speech'],
    [harassing]: ['harassment'],
    [explicit]: ['adult_content'],
  },
};

export const guardStyles: Readonly<Record<string, GuardStyle>> = {
  'llama-guard': llamaGuard,
  'qwen3-guard': qwenGuard,
  'shield-gemma': shieldGemma,
};
