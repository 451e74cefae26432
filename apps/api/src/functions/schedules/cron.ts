import { CronExpressionParser } from 'cron-parser';

import { fail } from '#libs/errors';

const named = /^@(?:yearly|monthly|weekly|daily|hourly)$/;

/** Throws INVALID_INPUT with the field for a cron expression or a time zone that cannot be used. */
export function requireTimes(cron: string, timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw fail('INVALID_INPUT', { field: 'timeZone', reason: 'is no time zone of the IANA list' });
  }
  const fields = cron.trim().split(/\s+/).length;
  if (fields !== 5 && !named.test(cron)) {
    throw fail('INVALID_INPUT', { field: 'cron', reason: `has ${fields} fields instead of 5` });
  }
  try {
    nextTime(cron, timeZone);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'cannot be read';
    throw fail('INVALID_INPUT', { field: 'cron', reason });
  }
}

/** The next time after now. Throws for an expression without one. */
export function nextTime(cron: string, timeZone: string): Date {
  return CronExpressionParser.parse(cron, { tz: timeZone }).next().toDate();
}
