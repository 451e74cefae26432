import type { CallerKind, StatusClass } from './search.js';

export const callerNames: Readonly<Record<CallerKind, string>> = {
  none: 'Visitor',
  session: 'User',
  'api-key': 'API key of a user',
  'third-party': 'Token of another issuer',
  'secret-key': 'Secret key',
  'impersonated-user': 'Secret key, as a user',
  'impersonated-anon': 'Secret key, as a visitor',
  operator: 'Operator',
};

export const statusNames: Readonly<Record<StatusClass, string>> = {
  '2xx': '2xx done',
  '3xx': '3xx redirected',
  '4xx': '4xx refused',
  '5xx': '5xx failed',
};

/** How long something took: “< 1 ms”, “0.4 ms”, “120 ms”, “1.2 s”. The server counts most times in whole milliseconds. */
export function lengthInWords(ms: number): string {
  if (ms === 0) return '< 1 ms';
  if (ms >= 1_000) return `${(ms / 1_000).toLocaleString('en', { maximumFractionDigits: 2 })} s`;
  return `${ms.toLocaleString('en', { maximumFractionDigits: ms < 10 ? 1 : 0 })} ms`;
}

/** The path of a request as the list shows it. */
export const routeInWords = (route: string | null): string => route ?? 'a path that does not exist';

/** The time of the day with milliseconds, in the zone of the browser. */
export function clockOf(at: string): string {
  const time = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const millis = String(time.getMilliseconds()).padStart(3, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${millis}`;
}
