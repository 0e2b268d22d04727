/** The state of this installation, as the console and a file for support show it. */
import { type Static, Type } from 'typebox';
import { Settings } from '../console.ts';
import { HostState } from '../packs.ts';
import { FailureRecord } from './failures.ts';

const Count = Type.Integer({ minimum: 0 });

/** Folders, hosts, origins and keys by their number: whoever reads the file need not learn their names. */
export const SupportSettings = Type.Object(
  {
    ...Settings.properties,
    url_allowlist: Count,
    cors_origins: Count,
    guardrails: Count,
    mcp_folders: Count,
    ollama_key: Type.Boolean(),
  },
  { title: 'SupportSettings' },
);
export type SupportSettings = Static<typeof SupportSettings>;

export const toSupportSettings = (settings: Settings): SupportSettings => ({
  ...settings,
  url_allowlist: settings.url_allowlist.length,
  cors_origins: settings.cors_origins.length,
  guardrails: settings.guardrails.length,
  mcp_folders: settings.mcp_folders.length,
  ollama_key: settings.ollama_key !== null,
});

export const Diagnostics = Type.Object(
  {
    version: Type.String(),
    platform: Type.String(),
    node: Type.String(),
    uptime_seconds: Type.Integer({ minimum: 0 }),
    settings: SupportSettings,
    hosts: Type.Array(HostState),
    failures: Type.Array(FailureRecord, { description: 'Newest first.' }),
  },
  { title: 'Diagnostics' },
);
export type Diagnostics = Static<typeof Diagnostics>;
