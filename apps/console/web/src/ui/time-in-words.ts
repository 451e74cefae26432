// Moments and lengths of time as the console writes them, always in English.
import { counted } from './counted.js';

const minute = 60;

const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', minute],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** How long before or after `now` (milliseconds) a moment is, rounded towards `now`. */
export function relativeTime(at: string, now: number): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  if (unit) return relative.format(Math.trunc(seconds / unit[1]), unit[0]);
  return seconds > 0 ? 'in less than a minute' : 'just now';
}

/** Date, time and zone of a moment, in the zone of the browser. */
export function exactTime(at: string): string {
  return new Date(at).toLocaleString('en', { dateStyle: 'full', timeStyle: 'long' });
}

/** The time of the day in the zone of the browser. */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit' });
}

/** A number of seconds in words, rounded up. */
export function inWords(seconds: number): string {
  if (seconds < minute) return counted(Math.max(1, Math.ceil(seconds)), 'second');
  if (seconds < 3600) return counted(Math.ceil(seconds / minute), 'minute');
  return counted(Math.ceil(seconds / 3600), 'hour');
}
