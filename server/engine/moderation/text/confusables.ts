/**
 * Look-alike letters folded to Latin, after NFKD and lower-casing. Only shapes a reader takes for the Latin letter
 * (Unicode TR39 "intentional" plus the small capitals and turned letters seen in evasion). The service reads English,
 * Malay and Chinese, so a Cyrillic or Greek letter of this shape is far more often a disguise than a word.
 */
const groups: Record<string, string> = {
  a: 'аɑαᴀǝɐ∀',
  b: 'ьᏏʙвƄ',
  c: 'сϲᴄⅽ¢ͼ',
  d: 'ԁᴅժ',
  e: 'еєҽᴇɛεəℯ€',
  f: 'ғꜰϝƒ',
  g: 'ɡցɢ',
  h: 'һհʜнħ',
  i: 'іıɩɪιⅰӏ¡',
  j: 'јʝᴊϳ',
  k: 'кκᴋ',
  l: 'ⅼʟłǀ',
  m: 'мᴍⅿ',
  n: 'ոпηɴᴎ',
  o: 'оοσօᴏøо०',
  p: 'рρᴘþ',
  q: 'ԛգ',
  r: 'гʀᴦя',
  s: 'ѕꜱʂ',
  t: 'тτᴛ†',
  u: 'υսᴜцμ',
  v: 'νѵᴠ√',
  w: 'ԝωᴡѡш',
  x: 'хχ×ⅹ',
  y: 'уүʏγў',
  z: 'ᴢʐ',
};

export const confusables: ReadonlyMap<string, string> = new Map(
  Object.entries(groups).flatMap(([latin, shapes]) => [...shapes].map((shape) => [shape, latin] as const)),
);
