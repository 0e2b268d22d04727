import { foldText } from './text/fold.ts';

/**
 * Sexual words beside a minor in one sentence. A rule, because training text for this category stays abstract: no sexual
 * content about minors is written for a pack, so the classifier alone would know little of it.
 */
const minor =
  /\b(?:child(?:ren)?|kids?|minors?|underage|under-age|pre-?teens?|toddlers?|infants?|little (?:girls?|boys?)|young (?:girls?|boys?)|school ?(?:girls?|boys?)|lolis?|shotas?|jailbait|(?:[1-9]|1[0-7])[ -]?(?:years?|yrs?)[ -]?olds?|(?:[1-9]|1[0-7]) ?(?:yo|y\/o)|(?:she|he|i) (?:was|am|is|were) (?:only |just )?(?:[5-9]|1[0-7])\b|kanak-kanak|budak|bawah umur|pelajar sekolah|umur (?:[5-9]|1[0-7]))\b|儿童|幼女|幼童|未成年|小学生|初中生|萝莉|小女孩|小男孩|(?:[5-9]|1[0-7])岁/;
const sexual =
  /\b(?:sex(?:ual(?:ly)?)?|sexy|porn\w*|nudes?|naked|erotic\w*|horny|cock|dick|penis|pussy|vagina|cum|cumming|fuck(?:ed|ing|s)?|blow ?job|masturbat\w+|orgasm\w*|tits|boobs|breasts|nipples|molest\w*|rap(?:e|ed|ing)|seduc\w+|lust\w*|moan\w*|hentai|xxx|lucah|seks|bogel|rogol|cabul|telanjang|batang|tetek|burit)\b|色情|性爱|裸照|裸体|做爱|强奸|猥亵|性侵|情色|黄片|鸡巴|阴/;
/** Protecting, reporting, teaching and treating: the words of those who work against it. */
const protective =
  /\b(?:protect\w*|prevent\w*|report(?:ed|ing)?|police|arrest\w*|court|convict\w*|sentenc\w*|jail\w*|prison|victims?|surviv\w+|abuse hotline|law|legal|education|teach\w*|safety|awareness|therap\w+|doctor|hospital|charity|parents?' guide|age of consent|lindung\w*|polis|lapor\w*|mahkamah|penjara|pendidikan|mangsa|undang-undang)\b|保护|警方|举报|法院|判|教育|受害|防范|法律/;

/** Certainty by what else the sentence says. */
const plainScore = 0.82;
const protectiveScore = 0.25;

/** The certainty that a sentence sexualises a minor; 0 when it does not name both. */
export function childSafetyScore(sentence: string): number {
  const folded = foldText(sentence).units.join('');
  if (!minor.test(folded) || !sexual.test(folded)) return 0;
  return protective.test(folded) ? protectiveScore : plainScore;
}
