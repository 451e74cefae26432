// Which part of the table a run is asked for.

import { AUTH_DEMANDS } from './auth/demands.js';
import type { SeriesKey } from './rate-book.js';

/** The text that asks for the figures of authentication, and so for the series that they are made of. */
const AUTH = 'auth';

const AUTH_SERIES = AUTH_DEMANDS.flatMap(({ of }) => of);

/** A series, or all numbers of connections of it. */
type Asked = Pick<SeriesKey, 'target' | 'work'> & Partial<SeriesKey>;

function textsOf(only: string): string[] {
  return only.split(',').map((text) => text.trim());
}

function isOfAuth({ target, work, connections }: Asked): boolean {
  return AUTH_SERIES.some(
    (key) =>
      key.target === target &&
      key.work === work &&
      (connections === undefined || key.connections === connections),
  );
}

/**
 * Whether one of the texts, separated by commas, is part of `target/work`, or is `auth` and the figures
 * of authentication need the series; no text asks for all.
 */
export function isAskedFor(only: string, asked: Asked): boolean {
  return textsOf(only).some((text) =>
    text === AUTH ? isOfAuth(asked) : `${asked.target}/${asked.work}`.includes(text),
  );
}

/** Whether the figures of authentication that are no rates are asked for. */
export function isAuthAsked(only: string): boolean {
  return textsOf(only).some((text) => text === '' || text === AUTH);
}

/** Whether more than the figures of authentication is asked for. */
export function isMoreThanAuthAsked(only: string): boolean {
  return textsOf(only).some((text) => text !== AUTH);
}
