// What goes wrong with organizations, in the platform's words: refusals of the database, which enforces their
// rules for every writer, and refusals of the engine whose status would mislead a client.
import { APIError, isAPIError } from 'better-auth/api';
import { type AppError, fail, type ErrorCode } from '#libs/errors';
import { violates } from '../../auth-errors.js';

/** By the name of the constraint, real or raised by a trigger (migration 0015). */
const OF_CONSTRAINTS: Readonly<Record<string, ErrorCode>> = {
  member_limit: 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED',
  organization_limit: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS',
  team_limit: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS',
  organization_owner: 'LAST_OWNER',
  invitation_answered: 'INVITATION_NOT_FOUND',
  team_member_organization: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
  organization_slug_key: 'ORGANIZATION_SLUG_ALREADY_TAKEN',
  member_organizationId_userId_key: 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION',
};

/** By the engine's code. */
const OF_ENGINE: Readonly<Record<string, ErrorCode>> = {
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED',
  ORGANIZATION_ALREADY_EXISTS: 'ORGANIZATION_SLUG_ALREADY_TAKEN',
  ORGANIZATION_SLUG_ALREADY_TAKEN: 'ORGANIZATION_SLUG_ALREADY_TAKEN',
  ORGANIZATION_NOT_FOUND: 'ORGANIZATION_NOT_FOUND',
  INVITATION_NOT_FOUND: 'INVITATION_NOT_FOUND',
  MEMBER_NOT_FOUND: 'MEMBER_NOT_FOUND',
  TEAM_NOT_FOUND: 'TEAM_NOT_FOUND',
  NO_ACTIVE_ORGANIZATION: 'NO_ACTIVE_ORGANIZATION',
};

/**
 * The refusal behind a failed statement on organizations, members, invitations and teams; undefined for a
 * failure of another kind. Whatever makes members, such as a sign-in by SSO, meets the same limits.
 */
export function organizationRefusal(thrown: unknown): AppError | undefined {
  const found = Object.entries(OF_CONSTRAINTS).find(([name]) => violates(thrown, name));
  return found && fail(found[1], {}, { cause: thrown });
}

/** Returns the error to answer with in place of `thrown`. */
export function translated(thrown: unknown): unknown {
  if (!isAPIError(thrown)) return organizationRefusal(thrown) ?? thrown;
  const { code = '', message = '' } = thrown.body ?? {};
  const same = OF_ENGINE[code];
  if (same) return fail(same);
  // The engine answers 401 to members who lack a permission. Clients would take that for the end of the session.
  if (thrown.statusCode === 401 && code !== 'UNAUTHORIZED' && code !== '') {
    return new APIError(undefined, { code, message }, {}, 403);
  }
  return thrown;
}
