import { fromRules, type PiiMatch } from './match.ts';

const word = "[\\p{Lu}][\\p{L}'’.-]{0,24}";
const english =
  'Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Boulevard|Blvd|Court|Ct|Place|Pl|Terrace|Way|Close|Crescent|Cres|Square|Sq|Highway|Hwy|Parkway|Pkwy|Pass|Row|Mews|Gardens|Grove|Hill|Walk|Alley|Circle|Trail';
const joined =
  'stra(?:ss|ß)e|gasse|gata|gatan|gade|vägen|väg|veien|vegen|vej|vejen|katu|tie|kuja|straat|laan|plein|weg|platz|allee|allé|götu|stræti|bakken|utca';
const leading =
  'Rua|Rúa|Rue|Calle|Via|Viale|Vicolo|Piazza|Corso|Strada|Strada Provinciale|Contrada|Avenida|Avenue|Plaza|Praça|ul\\.|al\\.|Ulica|Travessa|Chemin|Place|Paseo|Carrer|Largo';
const trailing = 'utca|út|tér|u\\.|krt\\.|kapu|sor|sétány|terrasse|Allee|Gasse|Strasse|Straße';
const malay =
  'Jalan|Jln\\.?|Lorong|Lrg\\.?|Taman|Tmn\\.?|Kampung|Kg\\.?|Persiaran|Lebuh|Lebuhraya|Solok|Lengkok|Medan|Pesiaran|Bandar|Felda|Desa|Lintang|Leboh';

/** Parts that may follow a street: flats, towns, postcodes, countries. */
const unit = '(?:Apt\\.?|Apartment|Suite|Ste\\.?|Unit|Floor|Flat|Room|#|Blok|Block|Tingkat) ?[\\w-]{1,6}';
const part = `(?:${unit}|\\d{4,6}(?:-\\d{4})?|(?:${word}|[A-Z]{2,24})(?: (?:${word}|[A-Z]{2,24}|[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2})){0,3}(?: \\d{4,6})?)`;
const tail = `(?:[,;]?[ \\n]{1,6}(?:[>?]{1,3} ?)?,? ?${part}){0,6}`;

const streets = [
  `\\d{1,6} (?:\\d{1,4} )?(?:${word} ){1,4}(?:${english})\\b\\.?`,
  `(?:\\d{1,6} )?${word}(?: ${word}){0,2} ?\\d{1,5}\\.?[ \\n,]{1,6}${unit}`,
  `(?:\\d{1,6} )?(?:${word} ){0,2}[\\p{Lu}][\\p{L}]{1,24}(?:${joined}) \\d{1,5}[a-z]?\\b`,
  `(?:\\d{1,6} )?(?:${leading}) (?:\\p{L}[\\p{L}'’.-]{0,24} ){1,4}\\d{1,5}\\b`,
  `(?:\\d{1,6} )?(?:${word} ){1,3}(?:${trailing}) ?\\d{1,5}\\.?`,
  `\\d{3,6} ${word}(?: ${word}){0,2} \\d{1,5}\\b`,
  `(?:P\\.?O\\.? ?Box|Peti Surat|PSC|[Uu]nit) \\d{1,6}(?:,? [Bb]ox \\d{1,6})?(?=[ \\n,])`,
  `(?:[AFD]PO|[afd]po) (?:A[AEP]|a[aep]) \\d{5}`,
  // Anything between a house number and a flat, also in lower case.
  `\\d{1,6} [\\p{L}\\d .'’/-]{3,40}[ \\n,]{1,4}(?:[Aa]pt|[Ss]uite|[Uu]nit)\\.? \\d{1,5}`,
];

const malayStreet = `(?:(?:No\\.?|Lot|Unit|Blok|PT|Batu) ?[\\w/-]{1,8},? )?(?:[\\w/-]{1,8},? )?(?:${malay}) [\\p{L}\\d][\\p{L}\\d/' -]{1,40}(?:, ?[\\p{L}\\d][\\p{L}\\d/' .-]{1,40}){0,5}`;
const housed = /\d/;

/** A Malaysian street alone is a place; with a house number or a postcode it is somebody's address. */
function isMalayAddress(found: string): boolean {
  return /^(?:No|Lot|Unit|Blok|PT|Batu|[\dA-Z]+[-/\d]*,)/.test(found)
    ? housed.test(found)
    : /\b\d{5}\b/.test(found);
}

/** A character of a place name: none of the words that lead up to an address. */
const han = '[\\p{Script=Han}--[住在我他她你们于位到往是的址寄至家]]';
/** Up to a road and its number in one bounded run: nested province, city and district would take cubic time. */
const chinese = new RegExp(
  `${han}{2,30}(?:路|街|大道|巷|弄|胡同|道|花园|小区|村)(?:\\d{1,5}(?:号|弄|巷|段)){1,2}(?:[\\p{Script=Han}\\d\\-]{0,12}(?:室|楼|栋|单元|层|号)){0,3}`,
  'dgv',
);
const saidToBe =
  /(?:\b(?:home |billing |mailing |new |my |full )?address(?: is|:)|\balamat(?: rumah| saya| ialah|:){1,3}|\b(?:I|he|she|they) lives? (?:at|on)|\btinggal di|住址[是:：]|地址[是:：]|我住在)\s{0,6}(?<value>(?=[^\n]{0,60}\d)[^\n;]{8,120})/dgi;

const findStreets = fromRules([
  ...streets.map((street) => ({
    kind: 'address' as const,
    pattern: new RegExp(`(?<![\\p{L}\\d])${street}${tail}`, 'dgu'),
    score: 0.6,
    contextScore: 0.85,
    context: addressWords(),
  })),
  {
    kind: 'address',
    pattern: new RegExp(`(?<![\\p{L}\\d])${malayStreet}`, 'dgu'),
    score: 0.7,
    contextScore: 0.9,
    context: addressWords(),
    valid: isMalayAddress,
  },
  { kind: 'address', pattern: chinese, score: 0.65, contextScore: 0.9, context: addressWords() },
  { kind: 'address', pattern: saidToBe, score: 0.7, group: 'value' },
]);

function addressWords(): RegExp {
  return /\b(?:address|live[sd]?|living|moved?|home|house|deliver|ship|send|meet|alamat|rumah|tinggal|hantar|office)\b|地址|住|寄/i;
}

/** Overlapping readings of one address become one. */
export function findAddresses(text: string): PiiMatch[] {
  const merged: PiiMatch[] = [];
  for (const match of findStreets(text).sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && match.start <= last.end + 1) {
      last.end = Math.max(last.end, match.end);
      last.score = Math.max(last.score, match.score);
    } else merged.push(match);
  }
  return merged;
}
