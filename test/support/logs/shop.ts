/** Requests of a Spanish shop as browsers of 2008 sent them: Latin-1 letters in percent, session cookies, absolute addresses. */
import type { Random } from './random.ts';

const names = ['Íñigo', 'José Ángel', 'María', 'Úrsula', 'Ñusta', 'Concepción', 'Begoña', 'Raúl', 'Águeda'];
const surnames = ['Muñoz Peña', "O'Dowd", 'Güell', 'Ibáñez Núñez', 'Álvarez-Cascos', "Martín d'Olot"];
const streets = [
  'C/ Ancha 43, 2ºA',
  'Calle Del Águila 12, 3 F',
  'Avda. Constitución, 8 4º Izq.',
  "Plaza de l'Om 3",
  "Carrer De L'Hort 120, 11-G",
  'Polígono Industrial nº 5',
];
const cities = ['Alcalá de Henares', "L'Hospitalet", 'Àger', "Vall d'Uixó, La", 'Palmas (Las)', 'Coruña, A'];
const provinces = ['Ávila', 'Málaga', 'Álava', 'La Rioja'];
const passwords = ['5iNcáRcelaMieNto', 'ba$Ta', 'mañaner0', 'pálid4', '33:ab', 'luz,8', 'qu1z.á'];
const products = ['Jamón Ibérico', 'Vino Rioja', 'Piña & Coco', 'Anís del Mono'];

const percent = (text: string) =>
  [...Buffer.from(text, 'latin1')]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      if (/[\w.*-]/u.test(char)) return char;
      return char === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');

const form = (pairs: Record<string, string | number>) =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}=${percent(String(value))}`)
    .join('&');

const forms: readonly ((random: Random) => [page: string, form: string])[] = [
  (r) => [
    'anadir',
    form({
      id: r.int(1, 9),
      nombre: r.pick(products),
      precio: r.int(1, 200),
      cantidad: r.int(1, 99),
      B1: 'Añadir al carrito',
    }),
  ],
  (r) => [
    'autenticar',
    form({ modo: 'entrar', login: 'luis', pwd: r.pick(passwords), remember: 'on', B1: 'Entrar' }),
  ],
  (r) => ['caracteristicas', form({ id: r.int(1, 9) })],
  () => ['entrar', form({ errorMsg: 'Credenciales incorrectas' })],
  (r) => ['pagar', form({ modo: 'insertar', precio: r.int(1, 9000), B1: 'Confirmar' })],
  (r) => [
    'registro',
    form({
      modo: 'registro',
      login: 'ana',
      password: r.pick(passwords),
      nombre: r.pick(names),
      apellidos: r.pick(surnames),
      email: 'a_b@latina-corp.com.mx',
      dni: `${r.int(10_000_000, 99_999_999)}Z`,
      direccion: r.pick(streets),
      ciudad: r.pick(cities),
      cp: r.int(10_000, 50_000),
      provincia: r.pick(provinces),
      ntc: `${r.int(10_000_000, 99_999_999)}${r.int(10_000_000, 99_999_999)}`,
      B1: 'Registrar',
    }),
  ],
];

export function shopRequest(random: Random): string {
  const [page, body] = random.pick(forms)(random);
  const address = `http://localhost:8080/tienda/publico/${page}.jsp`;
  const head = [
    'User-Agent: Mozilla/5.0 (compatible; Konqueror/3.5; Linux) KHTML/3.5.8 (like Gecko)',
    'Pragma: no-cache',
    'Accept: text/xml,application/xml,application/xhtml+xml,text/html;q=0.9,text/plain;q=0.8,image/png,*/*;q=0.5',
    'Accept-Encoding: x-gzip, x-deflate, gzip, deflate',
    'Accept-Charset: utf-8, utf-8;q=0.5, *;q=0.5',
    'Accept-Language: en',
    'Host: localhost:8080',
    `Cookie: JSESSIONID=${random.hex(32).toUpperCase()}`,
    'Connection: close',
  ];
  if (random.int(0, 1) === 0) return [`GET ${address}?${body} HTTP/1.1`, ...head, '', ''].join('\n');
  const type = 'Content-Type: application/x-www-form-urlencoded';
  return [`POST ${address} HTTP/1.1`, ...head, type, `Content-Length: ${body.length}`, '', `${body}\n`].join(
    '\n',
  );
}
