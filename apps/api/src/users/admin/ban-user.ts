import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import type { Administrator } from './administrator.js';
import { changeUser } from './change-user.js';
import type { OneUser } from './create-user.js';

/** PostgreSQL and JavaScript both represent the moments before this year. */
const firstYearTooLate = 10_000;

/**
 * Bans a user: the account is deactivated, with a reason for administrators. A ban with an end ends when the user signs
 * in after it, or within an hour. Throws INVALID_INPUT for an end that has passed, and what {@link changeUser} throws.
 */
export function banUser(
  project: ProjectRuntime,
  administrator: Administrator,
  order: {
    readonly userId: string;
    readonly reason: string;
    readonly until: string | undefined;
  },
): Promise<OneUser> {
  const { userId, reason, until } = order;
  const banReason = reason.trim();
  if (banReason === '') throw fail('INVALID_INPUT', { field: 'reason', reason: 'is required' });
  const ban = { banReason, bannedUntil: until === undefined ? null : momentAhead(until) };
  return changeUser(project, administrator, { userId, body: { ban }, action: 'user.ban' });
}

function momentAhead(text: string): Date {
  const moment = new Date(text);
  const isAhead = moment.getTime() > Date.now() && moment.getUTCFullYear() < firstYearTooLate;
  if (isAhead) return moment;
  throw fail('INVALID_INPUT', { field: 'until', reason: 'must be a moment in the future' });
}
