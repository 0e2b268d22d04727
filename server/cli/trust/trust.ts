/** `lokal trust`: the signers whose packs count as known, also while the server runs. */
import { totalmem } from 'node:os';
import { Value } from 'typebox/value';
import { type TrustedKey, TrustRequest } from '../../api/console/packs.ts';
import type { Stores } from '../../db/stores.ts';
import { createAuditLog } from '../../services/audit/audit-log.ts';
import { createSettingsService, defaultSettings } from '../../services/console/settings.ts';
import { createTrust, type TrustService } from '../../services/console/trust.ts';
import { actionOf, type Command, type CommandInput, required, table, text, UsageError } from '../command.ts';
import { withStores } from '../server/data.ts';

const help = `Usage: lokal trust list
       lokal trust add KEY --name NAME
       lokal trust remove KEY

The signers whose packs count as known. KEY is what \`lokal packs keygen\` prints, ed25519:…; compare its fingerprint with the
signer's own before adding it. Removing a key leaves packs that are installed.

  --json   print one line of JSON
  --help   this text`;

export const trust: Command = {
  help,
  options: { name: { type: 'string' } },
  run: (input) => withStores((stores) => actionOf(actions, input)(openTrust(stores), input)),
};

/** Over the stores of a command. */
export function openTrust(stores: Stores): TrustService {
  const audit = createAuditLog(stores.audit, Date.now);
  const settings = createSettingsService(stores.settings, defaultSettings(totalmem()), audit);
  return createTrust({ store: stores.trust, settings: settings.get, audit, now: Date.now });
}

const actions: Record<string, (service: TrustService, input: CommandInput) => void> = {
  list(service, { print }) {
    const data = service.list();
    const lines = table([['NAME', 'FINGERPRINT', 'KEY'], ...data.map(toRow)]);
    print({ object: 'list', data }, data.length > 0 ? lines : ['No signers are trusted.']);
  },

  add(service, input) {
    const request = { public_key: required(input, 1, 'KEY'), name: text(input.values.name) };
    if (!Value.Check(TrustRequest, request))
      throw new UsageError(
        '--name is what you call the signer, 1 to 100 characters; KEY is ed25519: and 43 characters',
      );
    const key = service.add(request);
    input.print(key, [`${key.name} is trusted: ${key.fingerprint}.`]);
  },

  remove(service, input) {
    const key = required(input, 1, 'KEY');
    service.remove(key);
    input.print({ removed: key }, ['The key is not trusted any more.']);
  },
};

const toRow = ({ name, fingerprint, public_key: key }: TrustedKey) => [name, fingerprint, key];
