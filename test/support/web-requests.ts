/** The development sets of whole web requests in test/fixtures/threat, written for this project. */
import { readFileSync } from 'node:fs';

const isEncoded = (value: string) => /%[0-9a-f]{2}/iu.test(value);

/**
 * Sets of whole requests in groups: `#targets` are methods and addresses, `#raw` requests with headers and a body (`¶` ends a
 * line), `#code-search` what people search for; the rest are values of a parameter.
 */
export function* groupedRequests(
  name: 'attack-requests' | 'ordinary-requests',
): Generator<[group: string, text: string]> {
  let group = '';
  const head = 'Host: www.example.com\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:135.0) Gecko/20100101';
  for (const line of readFileSync(new URL(`../fixtures/threat/${name}.txt`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')) {
    if (/^#[a-z-]+$/u.test(line)) group = line.slice(1);
    else if (group === 'raw') {
      const [first = '', ...rest] = line.split('¶').map((part) => part.trim());
      yield [group, [`${first} HTTP/1.1`, ...rest, ...(rest.includes('') ? [] : ['', ''])].join('\n')];
    } else if (group === 'targets') yield [group, `${line} HTTP/1.1\n${head}\n\n`];
    else if (group === 'code-search')
      yield [group, `GET /search?q=${encodeURIComponent(line)} HTTP/1.1\n${head}\n\n`];
    else {
      const value = isEncoded(line)
        ? line.replace(/ /gu, '+').replace(/#/gu, '%23').replace(/&/gu, '%26')
        : encodeURIComponent(line);
      yield [group, `GET /page.jsp?name=${value}&b=2 HTTP/1.1\n${head}\n\n`];
    }
  }
}
