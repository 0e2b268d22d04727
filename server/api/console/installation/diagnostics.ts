/** The state of this installation, as the console and a file for support show it. */
import { type Static, Type } from 'typebox';
import { Settings } from '../console.ts';
import { HostState } from '../packs.ts';
import { FailureRecord } from './failures.ts';

export const Diagnostics = Type.Object(
  {
    version: Type.String(),
    platform: Type.String(),
    node: Type.String(),
    uptime_seconds: Type.Integer({ minimum: 0 }),
    settings: Settings,
    hosts: Type.Array(HostState),
    failures: Type.Array(FailureRecord, { description: 'Newest first.' }),
  },
  { title: 'Diagnostics' },
);
export type Diagnostics = Static<typeof Diagnostics>;
