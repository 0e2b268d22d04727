/**
 * `npm run fuzz:images [-- COUNT SEED]`: damaged pictures and videos, sent to an engine host. The host must live to the
 * end and every refusal must have a code that tells the caller something.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fuzzImages } from '../support/images/fuzz.ts';
import { sampleFiles } from '../support/images/sample-files.ts';
import { clipFolder, fixtureFolder, hasClips, hasFixtures } from '../support/images/shared-data.ts';

const [count = 2000, seed = 1] = process.argv.slice(2).map(Number);
const largestSeedBytes = 160_000;

const below = (folder: string): Uint8Array[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(jpe?g|png|gif|webp|mp4)$/.test(file))
    .map((file) => readFileSync(folder + file))
    .filter(({ length }) => length > 0 && length <= largestSeedBytes);

const made = await sampleFiles();
const files = [
  ...made,
  ...made,
  ...(hasFixtures ? below(fixtureFolder) : []),
  ...(hasClips ? below(clipFolder).slice(0, 2) : []),
];
const report = await fuzzImages(files, {
  seed,
  count,
  onProgress: (done) => {
    if (done % 100 === 0) process.stderr.write(`${done} of ${count}\n`);
  },
});
const expected = new Set(['invalid_value', 'unsupported_media']);
const unexpected = Object.keys(report.refused).filter((code) => !expected.has(code));
process.stdout.write(`${JSON.stringify({ fuzz: 'images', seed, ...report, unexpected })}\n`);
process.exitCode = report.crashes.length > 0 || unexpected.length > 0 ? 1 : 0;
