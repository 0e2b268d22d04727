import { isMonthDay } from './month-day.ts';

/** True for the form of an Indonesian NIK: a province's code, then a date of birth whose day has 40 added for women. */
export function isNik(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  const day = Number(digits.slice(6, 8));
  return (
    /^(?:1[1-9]|2[1-9]|3[1-6]|5[1-3]|6[1-5]|7[1-6]|8[1-2]|9[1-7])\d{14}$/.test(digits) &&
    !digits.endsWith('0000') &&
    isMonthDay(Number(digits.slice(8, 10)), day > 40 ? day - 40 : day)
  );
}
