/** Puts the reader into the chat starter: node pack.ts READER.onnx WORDS.bin PACK_FOLDER. List the files anew after it (packs/list-files.mjs). */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [graph, words, target] = process.argv.slice(2);
if (!graph || !words || !target) throw new Error('node pack.ts READER.onnx WORDS.bin PACK_FOLDER');
const files = { graph: 'reader.onnx', words: 'reader-words.bin', settings: 'reader.json' };
copyFileSync(graph, join(target, files.graph));
copyFileSync(words, join(target, files.words));
copyFileSync(new URL('reader.json', import.meta.url), join(target, files.settings));
const path = join(target, 'manifest.json');
const manifest = JSON.parse(readFileSync(path, 'utf8'));
manifest.chat.reader = files;
manifest.provenance.reader = 'models/recipes/lingua-reader';
writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
