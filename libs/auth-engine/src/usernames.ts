import { init } from '@paralleldrive/cuid2';
import { fail } from '#libs/errors';
import type { Fields } from './fields.js';

const maxLength = 64;
const randomPart = init({ length: 16 });

/** Returns a unique user name, for an account that was made without one. */
export function randomUsername(): string {
  return `user_${randomPart()}`;
}

/** Why `value` cannot be a user name, as the end of "username: …"; undefined when it can. Nothing about it is changed. */
export function usernameProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  if (value === '' || value.trim() !== value)
    return 'must not be empty or begin or end with a space';
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)) return 'must not contain invisible characters';
  return undefined;
}

/** Refuses a body whose `username` cannot be one (INVALID_INPUT). */
export function checkUsername({ username }: Fields): void {
  if (username === undefined) return;
  const reason = usernameProblem(username);
  if (reason !== undefined) throw fail('INVALID_INPUT', { field: 'username', reason });
}
