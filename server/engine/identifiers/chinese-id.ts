import { isMonthDay } from './month-day.ts';

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** True for a Chinese resident number of 18 characters: its date and check character (ISO 7064 MOD 11-2, GB 11643) hold. */
export function isChineseId(text: string): boolean {
  if (!isMonthDay(Number(text.slice(10, 12)), Number(text.slice(12, 14)))) return false;
  const sum = weights.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return '10X98765432'[sum % 11] === text[17]?.toUpperCase();
}
