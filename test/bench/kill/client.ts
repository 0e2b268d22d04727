/** Requests under Idempotency-Keys, and the ledger of what was answered. */
export type Kind = 'create' | 'rotate' | 'change' | 'revoke' | 'moderate';
export const kinds: readonly Kind[] = ['create', 'rotate', 'change', 'revoke', 'moderate'];

export interface Operation {
  kind: Kind;
  /** Of the request, and of the key that a `create` makes. */
  name: string;
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
  /** Id of the key that is worked on. */
  target?: string;
  answer?: { status: number; text: string; at: number };
}

export interface Replay {
  status: number;
  text: string;
  replayed: boolean;
}

/** @throws TypeError when the server is gone */
export async function send(port: number, secret: string, operation: Operation): Promise<Replay> {
  const { method, path, body, name } = operation;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      'idempotency-key': name,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    replayed: response.headers.get('idempotent-replayed') === 'true',
  };
}

export function toOperation(kind: Kind, name: string, target: string | undefined): Operation {
  const at = (rest = '') => `/v1/keys/${target}${rest}`;
  const worked = target === undefined ? {} : { target };
  switch (kind) {
    case 'create':
      return {
        kind,
        name,
        method: 'POST',
        path: '/v1/keys',
        body: { name, plan: 'enterprise', scopes: ['models'] },
      };
    case 'rotate':
      return { kind, name, method: 'POST', path: at('/rotate'), body: { overlap_seconds: 3600 }, ...worked };
    case 'change':
      return { kind, name, method: 'PATCH', path: at(), body: { name: `changed by ${name}` }, ...worked };
    case 'revoke':
      return { kind, name, method: 'DELETE', path: at(), ...worked };
    case 'moderate':
      return { kind, name, method: 'POST', path: '/v1/moderations', body: { input: `a text for ${name}` } };
  }
}
