/** The fields a person fills in about a remote engine, and the requests made of it. */
import type { ModelId } from '../../../../server/api/common.ts';
import type {
  AddEngineRequest,
  ChangeEngineRequest,
  RemoteEngine,
  RemoteEngineKind,
} from '../../../../server/api/console/engines.ts';
import { modelNames } from '../../components/data/models.ts';

export interface EngineForm {
  name: string;
  kind: RemoteEngineKind;
  url: string;
  secret: string;
  /** By service, the model's name over there. */
  models: Partial<Record<ModelId, string>>;
  region: NonNullable<RemoteEngine['region']> | '';
  weight: number;
  concurrency: number;
  fingerprint: string;
  ca: string;
  allowHttp: boolean;
  pseudonyms: boolean;
}

export const emptyEngine: EngineForm = {
  name: '',
  kind: 'openai',
  url: '',
  secret: '',
  models: {},
  region: '',
  weight: 1,
  concurrency: 64,
  fingerprint: '',
  ca: '',
  allowHttp: false,
  pseudonyms: false,
};

/** Services that an engine of a kind can have. */
export const rolesOfKind: Record<RemoteEngineKind, readonly ModelId[]> = {
  openai: ['svc-lingua-7b', 'svc-embed-base'],
  lokal: modelNames,
  oip: ['svc-embed-base', 'svc-shield-base', 'svc-vision-pro'],
};

export const toForm = (engine: RemoteEngine): EngineForm => ({
  name: engine.name,
  kind: engine.kind,
  url: engine.base_url,
  secret: '',
  models: Object.fromEntries(engine.models.map(({ model, role }) => [role, model])),
  region: engine.region ?? '',
  weight: engine.weight,
  concurrency: engine.concurrency,
  fingerprint: engine.fingerprint ?? '',
  ca: engine.ca ?? '',
  allowHttp: engine.allow_http,
  pseudonyms: engine.pseudonyms,
});

type Problem = 'name' | 'url' | 'http' | 'fingerprint';

export function checkEngine(form: EngineForm): Partial<Record<keyof EngineForm, Problem>> {
  const url = parseUrl(form.url);
  return {
    ...(/^[a-z0-9][a-z0-9._-]{0,47}$/.test(form.name) ? {} : { name: 'name' }),
    ...(url
      ? url.protocol === 'https:' || form.allowHttp || isLoopback(url.hostname)
        ? {}
        : { url: 'http' }
      : { url: 'url' }),
    ...(form.fingerprint === '' || /^([0-9a-f]{2}:){31}[0-9a-f]{2}$/i.test(form.fingerprint.trim())
      ? {}
      : { fingerprint: 'fingerprint' }),
  };
}

export function parseUrl(text: string): URL | null {
  const url = URL.parse(text.trim());
  return url && ['http:', 'https:'].includes(url.protocol) ? url : null;
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

function toFields(form: EngineForm): Omit<AddEngineRequest, 'secret'> {
  const roles = rolesOfKind[form.kind];
  return {
    name: form.name,
    kind: form.kind,
    base_url: form.url.trim(),
    models: roles.flatMap((role) => {
      const model = form.models[role]?.trim();
      return model ? [{ role, model }] : [];
    }),
    region: form.region || null,
    weight: form.weight,
    concurrency: form.concurrency,
    fingerprint: form.fingerprint.trim() || null,
    ca: form.ca.trim() || null,
    allow_http: form.allowHttp,
    pseudonyms: form.pseudonyms,
  };
}

export const toAddRequest = (form: EngineForm): AddEngineRequest => ({
  ...toFields(form),
  ...(form.secret ? { secret: form.secret } : {}),
});

/** An empty secret keeps the one it has. */
export const toChangeRequest = (form: EngineForm): ChangeEngineRequest => toAddRequest(form);

/** Adds a removed engine again; its secret is not known any more. */
export function toRestoreRequest(engine: RemoteEngine): AddEngineRequest {
  const { created, from_file, has_secret, health, id, trial, ...record } = engine;
  return record;
}
