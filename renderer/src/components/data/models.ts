/** The six roles in the order they are shown; the type says when one is missing. */
import type { ModelId, Plan, Scope } from '../../../../server/api/common.ts';

const modelOrder = {
  'svc-parse-pro': true,
  'svc-shield-base': true,
  'svc-guard-max': true,
  'svc-embed-base': true,
  'svc-lingua-7b': true,
  'svc-vision-pro': true,
} satisfies Record<ModelId, true>;
export const modelNames = Object.keys(modelOrder) as ModelId[];

const scopeOrder = {
  chat: true,
  images: true,
  moderations: true,
  documents: true,
  embeddings: true,
  models: true,
  keys: true,
  upstream: true,
} satisfies Record<Scope, true>;
export const scopeNames = Object.keys(scopeOrder) as Scope[];

const planOrder = { free: true, professional: true, enterprise: true } satisfies Record<Plan, true>;
export const planNames = Object.keys(planOrder) as Plan[];
