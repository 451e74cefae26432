// What a rotation does, in words.
import { counted } from '../../ui/counted.js';
import type { Key, KeyKind } from './queries.js';

const hour = 3_600;
const day = 24 * hour;

/** When the current keys end, in seconds from now. */
export const overlaps = [
  [0, 'At once'],
  [hour, 'In an hour'],
  [day, 'In a day'],
  [7 * day, 'In 7 days'],
  [30 * day, 'In 30 days'],
  [90 * day, 'In 90 days'],
] as const;

export const defaultOverlap = day;

/** Who sends a key of a kind. */
const senders: Readonly<Record<KeyKind, string>> = { publishable: 'Apps', secret: 'Servers' };

/** Which keys end, and when. `end` is the moment in words. */
export function endOfOldKeys(old: readonly Key[], overlap: number, end: string): string {
  const which = old.length === 1 ? 'The current key' : `The ${old.length} current keys`;
  if (overlap === 0) {
    return `${which} ${old.length === 1 ? 'ends' : 'end'} as soon as the new one is made.`;
  }
  const works = `${which} ${old.length === 1 ? 'works' : 'work'} until ${end}.`;
  const hasEarlier = old.some(({ expiresAt }) => expiresAt !== null);
  return hasEarlier ? `${works} A key that ends earlier keeps its end.` : works;
}

/** What becomes of requests that still send a key that has ended. */
export function effectOnSenders(kind: KeyKind): string {
  return `${senders[kind]} that still send a key after its end get 401 INVALID_API_KEY, until they have the new one.`;
}

/** What becomes of users who are signed in. */
export function effectOnUsers(kind: KeyKind): string {
  return kind === 'publishable'
    ? 'No user is signed out: sessions do not depend on keys, and go on once the app sends the new one.'
    : 'No user is signed out: sessions do not depend on keys.';
}

/** What becomes of signed tokens when their key is replaced. */
export function effectOnTokens(graceDays: number, tokenSeconds: number): string {
  const life = counted(Math.ceil(tokenSeconds / 60), 'minute');
  if (graceDays === 0) {
    return `Tokens of the replaced keys are refused as soon as verifiers fetch the keys again. Clients get a new token with their session; a token lives ${life}.`;
  }
  const days = counted(graceDays, 'day');
  return `The replaced key stays published for ${days}, so its tokens verify until they expire. A token lives ${life}.`;
}
