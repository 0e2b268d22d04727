/** `lokal sign FILE`: a signature beside any file, such as an archive of rules or a file of a release. */
import { resolve } from 'node:path';
import { signatureSuffix, signFile } from '../../signing/file.ts';
import { fingerprint, readKeyFile } from '../../signing/keys.ts';
import { StartError } from '../../start-error.ts';
import { type Command, required, text, UsageError } from '../command.ts';

const help = `Usage: lokal sign FILE --key KEYFILE

Writes FILE${signatureSuffix}, which \`lokal verify FILE\` checks; \`lokal rules import\` looks for it beside an archive. KEYFILE is of
\`lokal packs keygen\`, or a PEM of \`openssl genpkey -algorithm ed25519\`.

  --json   print one line of JSON
  --help   this text`;

export const sign: Command = {
  help,
  options: { key: { type: 'string' } },
  async run(input) {
    const file = resolve(required(input, 0, 'FILE'));
    const keyFile = text(input.values.key);
    if (keyFile === undefined) throw new UsageError('--key is missing');
    const key = readKeyFile(resolve(keyFile));
    const { signature } = await signFile(file, key).catch((error: NodeJS.ErrnoException) => {
      throw new StartError(`${file} cannot be signed (${error.code}).`);
    });
    input.print({ file: file + signatureSuffix, signature }, [
      `${file}${signatureSuffix} is signed by ${key.name} (${fingerprint(key.publicKey)}).`,
    ]);
  },
};
