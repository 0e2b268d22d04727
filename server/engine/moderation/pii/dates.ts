import { fromRules } from './match.ts';

const date =
  /(?<![\d/.-])(?:\d{1,2}[/. -]\d{1,2}[/. -](?:19|20)?\d{2}|(?:19|20)\d{2}[/.-]\d{1,2}[/.-]\d{1,2}|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|mac|apr|may|mei|jun|jul|aug|ogos|sep|oct|okt|nov|dec|dis)[a-z]{0,6},? (?:19|20)\d{2}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d{2}|(?:19|20)\d{2}年\d{1,2}月\d{1,2}日)(?![\d/])/dgi;
const birthWords =
  /\b(?:born|birth|birthday|birthdate|dob|d\.o\.b|lahir|dilahirkan|tarikh lahir|hari jadi)\b|出生|生日|生于/i;

/** A date is personal when the text says that somebody was born on it. */
export const findBirthDates = fromRules([
  { kind: 'date_of_birth', pattern: date, score: 0, contextScore: 0.75, context: birthWords },
]);
