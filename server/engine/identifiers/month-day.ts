const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** True for a two-digit month and day that some year has. */
export const isMonthDay = (month: number, day: number): boolean =>
  day >= 1 && day <= (daysInMonth[month - 1] ?? 0);
