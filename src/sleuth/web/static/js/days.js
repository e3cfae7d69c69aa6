// Days and the numbers of their puzzles, by the calendar on this person's wall.

const FIRST_DAY = Date.UTC(2025, 0, 1); // a date of our own, as in puzzles.py: no newspaper counts from it
const DAY = 86_400_000;

/** Return the number of a day's puzzle, today's unless another time is given. */
export function today(now = new Date()) {
  return Math.round((Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) - FIRST_DAY) / DAY);
}

/** Whether a number is that of a day that has come. */
export const isDay = (number) => number <= today();

/** Return the day of a puzzle's number, at noon here. */
export function dayOf(number) {
  const day = new Date(FIRST_DAY + number * DAY);
  return new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 12);
}

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const FORMS = {
  full: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  long: { day: "numeric", month: "long", year: "numeric" },
  short: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "long", year: "numeric" },
};

/** Return a day in words: "full" with the weekday, "long", "short", or its "month". */
export const dayText = (number, form = "long") => dayOf(number).toLocaleDateString("en-GB", FORMS[form]);

/** Return how many milliseconds are left of today. */
export function untilTomorrow(now = new Date()) {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime();
}

/** Return a time left as hours, minutes and seconds. */
export function clockText(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
