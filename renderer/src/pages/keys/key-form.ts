/** The form of a key: what is typed, what is wrong with it, and the request it becomes. */
import {
  type KeyClass,
  type ModelId,
  modelStatus,
  type Plan,
  type Scope,
} from '../../../../server/api/common.ts';
import type { ApiKey, CreateKeyRequest, UpdateKeyRequest } from '../../../../server/api/keys.ts';
import { modelNames } from '../../components/data/models.ts';
import { isCidr } from '../../format/cidr.ts';

export interface KeyForm {
  name: string;
  class: KeyClass;
  plan: Plan;
  /** Empty: everything but managing keys. */
  scopes: Scope[];
  /** Empty: all that the plan sees. */
  models: ModelId[];
  cidrs: string[];
  /** YYYY-MM-DD, the last day on which the key works; empty: no end. */
  expires: string;
}

export const emptyForm: KeyForm = {
  name: '',
  class: 'live',
  plan: 'professional',
  scopes: [],
  models: [],
  cidrs: [],
  expires: '',
};

export type FormProblem =
  | 'name_missing'
  | 'name_long'
  | 'cidr'
  | 'cidr_plan'
  | 'models_plan'
  | 'expires_past';

export function checkForm(form: KeyForm, nowMs = Date.now()): Partial<Record<keyof KeyForm, FormProblem>> {
  const name = form.name.trim();
  const refused = refusedModels(form);
  return {
    ...(name === ''
      ? { name: 'name_missing' as const }
      : name.length > 100
        ? { name: 'name_long' as const }
        : {}),
    ...(form.cidrs.some((cidr) => !isCidr(cidr)) ? { cidrs: 'cidr' as const } : {}),
    ...(form.cidrs.length > 0 && form.plan === 'free' ? { cidrs: 'cidr_plan' as const } : {}),
    ...(form.models.length > 0 && form.models.every((id) => refused.includes(id))
      ? { models: 'models_plan' as const }
      : {}),
    ...(form.expires && toExpiry(form.expires) * 1000 <= nowMs ? { expires: 'expires_past' as const } : {}),
  };
}

/** Models that the plan is refused by. */
export const refusedModels = ({ class: keyClass, plan }: Pick<KeyForm, 'class' | 'plan'>): ModelId[] =>
  keyClass === 'live' && plan === 'free' ? modelNames.filter((id) => modelStatus[id] === 'beta') : [];

export function toKeyRequest(form: KeyForm): CreateKeyRequest {
  return {
    name: form.name.trim(),
    class: form.class,
    plan: form.plan,
    ...(form.scopes.length > 0 ? { scopes: form.scopes } : {}),
    ...(form.models.length > 0 ? { models: form.models } : {}),
    ...(form.cidrs.length > 0 ? { allowed_cidrs: form.cidrs.map((cidr) => cidr.trim()) } : {}),
    ...(form.expires ? { expires: toExpiry(form.expires) } : {}),
  };
}

export const fromKey = (key: ApiKey): KeyForm => ({
  name: key.name,
  class: key.class,
  plan: key.plan,
  scopes: key.scopes,
  models: key.models ?? [],
  cidrs: key.allowed_cidrs,
  expires: key.expires === null ? '' : toLocalDay(key.expires),
});

/** All that a key may change in; the end only where its day did, since a key may end within a day. */
export function toChange(form: KeyForm, key: ApiKey): UpdateKeyRequest {
  return {
    name: form.name.trim(),
    plan: form.plan,
    scopes: form.scopes,
    models: form.models.length > 0 ? form.models : null,
    allowed_cidrs: form.cidrs.map((cidr) => cidr.trim()),
    ...(form.expires === fromKey(key).expires
      ? {}
      : { expires: form.expires ? toExpiry(form.expires) : null }),
  };
}

/** The day so many days from now, as the form takes it. */
export const dayIn = (days: number, nowMs = Date.now()): string => toLocalDay(nowMs / 1000 + days * 86_400);

/** YYYY-MM-DD, here. */
function toLocalDay(seconds: number): string {
  const date = new Date(seconds * 1000);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The end of that day, here. */
const toExpiry = (day: string): number => Math.floor(new Date(`${day}T23:59:59`).getTime() / 1000);
