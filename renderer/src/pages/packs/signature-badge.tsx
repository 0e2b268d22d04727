import { Badge } from '@mantine/core';
import type { PackSignature } from '../../../../server/api/console/packs.ts';
import { t } from '../../strings/t.ts';

const colors = { trusted: 'teal', unknown: 'yellow', unsigned: 'yellow', wrong: 'red' } as const;

/** Who vouches for a pack, in a few words; the key's fingerprint is its title. */
export function SignatureBadge({ signature: { state, signer, fingerprint } }: { signature: PackSignature }) {
  return (
    <Badge color={colors[state]} title={fingerprint ?? undefined}>
      {t(`packs.signatures.${state}`, { name: signer ?? '' })}
    </Badge>
  );
}
