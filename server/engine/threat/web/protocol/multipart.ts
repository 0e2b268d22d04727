/** Headers of the parts of a form whose names are written so that filter and application read them differently. */
import type { WebRequest } from '../request/web-request.ts';

const PARAMETER = /\b(filename\*?|name)\s?=\s?(?:"((?:[^"\\]|\\.){0,512})|([^\s]{0,512}))/giu;
const ENTITY = /&[a-z]{2,8};/giu;
/** Old browsers send the whole path of a chosen file. */
const WHOLE_PATH = /^(?:[a-z]:|\\)\\/iu;
const APOSTROPHE = /(?<=[\p{L}\d])['’](?=[\p{L}\d])/gu;

function isOddName(parameter: string, quoted: string | undefined, bare: string): boolean {
  if (parameter.endsWith('*')) return true;
  if (quoted === undefined) return /['=]|;./u.test(bare);
  const name = quoted.replace(ENTITY, '').replace(APOSTROPHE, '');
  return /[;='\p{Cc}]/u.test(name) || (name.includes('\\') && !WHOLE_PATH.test(name));
}

export function hasOddPartName({ values }: WebRequest): boolean {
  return values.some(
    ({ place, raw }) =>
      place === 'file' &&
      [...raw.matchAll(PARAMETER)].some(([, parameter = '', quoted, bare = '']) =>
        isOddName(parameter, quoted, bare),
      ),
  );
}
