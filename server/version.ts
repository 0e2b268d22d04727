/** The version of this installation, from its package.json, which lies one level up in source and two compiled. */
import { readFileSync } from 'node:fs';

const up = import.meta.url.endsWith('.js') ? '../../' : '../';
const { version: found } = JSON.parse(readFileSync(new URL(`${up}package.json`, import.meta.url), 'utf8'));

export const version: string = found;
