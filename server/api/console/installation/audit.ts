/** The audit log as the console shows it. */
import { type Static, Type } from 'typebox';
import { Nullable } from '../../common.ts';

export const AuditEntry = Type.Object(
  {
    sequence: Type.Integer({ minimum: 1 }),
    time_ms: Type.Integer({ minimum: 0 }),
    actor: Type.String({ description: '`console` or `key` and its id, `command line` or `system`.' }),
    action: Type.String({ description: 'What was done, e.g. `key.create`.' }),
    target: Nullable(Type.String()),
    changes: Type.Record(Type.String(), Type.Unknown()),
    hash: Type.String({ description: 'SHA-256 over this line and the hash of the one before.' }),
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditReport = Type.Object(
  {
    data: Type.Array(AuditEntry, { description: 'Newest first.' }),
    problem: Nullable(Type.String({ description: 'Where the chain is broken; null: it is whole.' })),
  },
  { title: 'AuditReport' },
);

export const AuditExport = Type.Object(
  { text: Type.String({ description: 'JSON lines; the last is the signed head.' }) },
  { title: 'AuditExport' },
);
