import { foldText } from './text/fold.ts';

/**
 * A sentence that threatens its reader openly and says nothing else. A rule, because the classifier learnt Malay threats in
 * colloquial words: “saya akan bunuh awak” has none of them.
 */
const opening =
  '^[\\s\\p{P}]*(?:(?:dengar|ingat|awas|jaga-jaga|hei|hoi|esok|nanti|malam ini|watch out|listen|remember|hey|i swear)\\W+)*';
const ending =
  '(?:\\W+(?:lah|nanti|esok|malam ini|hari ini|sekarang|satu hari nanti|sampai mati|hidup-hidup|tomorrow|tonight|one day|soon|now|bitch|you bastard|i swear|and your (?:whole )?family|dan keluarga (?:kamu|awak|anda|kau)))*\\W*$';
const english =
  "(?:i|we)(?: will|'ll| am going to|'m going to| are going to|'re going to|'m gonna|'re gonna| am gonna|ma) (?:kill|murder|stab|strangle|behead|burn|slaughter) (?:you|u|(?:you and )?your (?:family|house|home|mother|kids|children|wife|husband))(?: down| to death| alive| dead)?";
const malay =
  '(?:saya|kami|aku|kita orang)(?: pasti)? (?:akan|nak|mahu|hendak) (?:(?:bunuh|tikam|tembak|pancung|cekik|belasah|bakar|sembelih) (?:kamu|awak|anda|kau|engkau|korang|keluarga (?:kamu|awak|anda|kau)|anak (?:kamu|awak|anda|kau)|isteri (?:kamu|awak|anda|kau))|bakar (?:rumah|kedai|kereta) (?:kamu|awak|anda|kau))';
const chinese =
  '^[\\s\\p{P}]*(?:我|我们|老子)(?:一定)?(?:会|要|将|迟早要)(?:一定)?(?:杀了|杀死|砍死|捅死|打死|烧死|弄死|掐死)(?:你们?|你(?:们)?全?家|你的家人)(?:的|！|!|。|\\s)*$';

const threats = [new RegExp(`${opening}(?:${english}|${malay})${ending}`, 'u'), new RegExp(chinese, 'u')];
const threatScore = 0.85;

/** The certainty that a sentence threatens its reader with violence. */
export function openThreatScore(sentence: string): number {
  const folded = foldText(sentence).units.join('').replaceAll('’', "'");
  return threats.some((threat) => threat.test(folded)) ? threatScore : 0;
}
