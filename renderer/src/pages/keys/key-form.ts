/** The form of a new key: what is typed, what is wrong with it, and the request it becomes. */
import type { KeyClass, ModelId, Plan, Scope } from '../../../../server/api/common.ts';
import type { CreateKeyRequest } from '../../../../server/api/keys.ts';
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

export type FormProblem = 'name_missing' | 'name_long' | 'cidr' | 'cidr_plan' | 'expires_past';

export function checkForm(form: KeyForm, nowMs = Date.now()): Partial<Record<keyof KeyForm, FormProblem>> {
  const name = form.name.trim();
  return {
    ...(name === ''
      ? { name: 'name_missing' as const }
      : name.length > 100
        ? { name: 'name_long' as const }
        : {}),
    ...(form.cidrs.some((cidr) => !isCidr(cidr)) ? { cidrs: 'cidr' as const } : {}),
    ...(form.cidrs.length > 0 && form.plan === 'free' ? { cidrs: 'cidr_plan' as const } : {}),
    ...(form.expires && toExpiry(form.expires) * 1000 <= nowMs ? { expires: 'expires_past' as const } : {}),
  };
}

export function toRequest(form: KeyForm): CreateKeyRequest {
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

/** The end of that day, here. */
const toExpiry = (day: string): number => Math.floor(new Date(`${day}T23:59:59`).getTime() / 1000);
