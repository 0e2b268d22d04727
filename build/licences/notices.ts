/** THIRD-PARTY-NOTICES.txt: a heading for the parts that share their texts, then the texts. server/licences.ts reads it. */
import type { Part } from './collect.ts';

/** Of its own, as server/licences.ts reads it. */
const bar = '='.repeat(80);
const line = '-'.repeat(80);

const about = `THIRD-PARTY NOTICES

Lokal itself is licensed under the Apache License 2.0 (LICENSE). It holds the parts below, each under its own licence, for
every system it runs on. The desktop app also holds Electron and Chromium, whose notices lie beside it as
LICENSE.electron.txt and LICENSES.chromium.html. Parts under the LGPL or the MPL come with an offer of their source and the
way to replace them.
`;

export function writeNotices(parts: Part[]): string {
  const sections = new Map<string, Part[]>();
  for (const part of parts) {
    const text = part.texts.map((each) => `${tidy(each)}\n`).join(`\n${line}\n\n`);
    sections.set(text, [...(sections.get(text) ?? []), part]);
  }
  const written = [...sections].map(([text, named]) => {
    const heads = named.map(({ name, version, licence }) => `${name} ${version} (${licence})`);
    return `${bar}\n${heads.join('\n')}\n${line}\n\n${text}`;
  });
  return [about, ...written].join('\n');
}

/** Without what differs between systems: line ends, blanks at the end, and our own marks. */
const tidy = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[ \t\f]+$/gm, '')
    .replaceAll(/^={80}$/gm, '='.repeat(79))
    .trim();
