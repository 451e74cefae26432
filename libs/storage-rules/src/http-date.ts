const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const longDayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const monthNames = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
];

const time = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';
const month = `(?<month>${monthNames.join('|')})`;
/** RFC 9110 section 5.6.7: the current form and the two obsolete ones. */
const forms = [
  new RegExp(`^(?:${dayNames.join('|')}), (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT$`),
  new RegExp(
    `^(?:${longDayNames.join('|')}), (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT$`,
  ),
  new RegExp(`^(?:${dayNames.join('|')}) ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})$`),
];

/**
 * Returns an HTTP date in seconds since 1970; undefined if the text is not one. The name of the day need not be
 * correct. A two-digit year is the year within 50 years of `near`.
 */
export function parseHttpDate(text: string, near: Date): number | undefined {
  for (const form of forms) {
    const parts = form.exec(text)?.groups;
    if (parts) return secondsOf(parts, near);
  }
  return undefined;
}

function secondsOf(parts: Readonly<Record<string, string>>, near: Date): number | undefined {
  const part = (name: string) => Number(parts[name]);
  const year = parts['year']?.length === 2 ? fullYear(part('year'), near) : part('year');
  const month = monthNames.indexOf(parts['month'] ?? '');
  const [day, hour, minute, second] = [part('day'), part('hour'), part('minute'), part('second')];
  // A leap second is counted as second 59.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  // A day that the month does not have would become a day of the next month.
  if (day === 0 || date.getUTCMonth() !== month) return undefined;
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second;
}

function fullYear(twoDigits: number, near: Date): number {
  const nearYear = near.getUTCFullYear();
  const year = nearYear - (nearYear % 100) + twoDigits;
  if (year > nearYear + 50) return year - 100;
  return year <= nearYear - 50 ? year + 100 : year;
}
