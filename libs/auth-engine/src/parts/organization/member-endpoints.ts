// Leaving, removing and changing roles. The engine has these too, but decides before it writes, looks for
// another owner among the first hundred members only, and takes several roles at once; here the decision and
// the write are one transaction under the lock of the organization.
import { sessionMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { endpoint } from '../../endpoint.js';
import { inEngineTransaction, type EnginePool, type RunStatement } from '../../engine-pool.js';
import { roleOf } from './checks.js';
import { mayChangeRole, mayRemove } from './member-rules.js';
import * as sql from './member.sql.js';

/** What the routes of these endpoints have in common. */
export const signedIn = {
  method: 'POST' as const,
  use: [sessionMiddleware],
  requireHeaders: true,
};

/** The endpoints under the names of the engine's own. */
export function memberEndpoints(pool: EnginePool) {
  return {
    leaveOrganization: leaveOrganization(pool),
    removeMember: removeMember(pool),
    updateMemberRole: updateMemberRole(pool),
  };
}

function leaveOrganization(pool: EnginePool) {
  return endpoint('/organization/leave', signedIn, async (ctx, body) => {
    const organizationId = organizationOf(body, ctx.context.session);
    const left = await asMember(pool, ctx.context.session, organizationId, async (run, self) => {
      await sql.deleteMember(run, self.id);
      return self;
    });
    return ctx.json(left);
  });
}

function removeMember(pool: EnginePool) {
  return endpoint('/organization/remove-member', signedIn, async (ctx, body) => {
    const organizationId = organizationOf(body, ctx.context.session);
    const idOrEmail = textOf(body, 'memberIdOrEmail');
    const member = await asMember(pool, ctx.context.session, organizationId, async (run, self) => {
      const target = await getMember(run, organizationId, idOrEmail);
      if (!mayRemove(self.role, target.role)) {
        throw fail('YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER');
      }
      await sql.deleteMember(run, target.id);
      return target;
    });
    return ctx.json({ member });
  });
}

function updateMemberRole(pool: EnginePool) {
  return endpoint('/organization/update-member-role', signedIn, async (ctx, body) => {
    const organizationId = organizationOf(body, ctx.context.session);
    const memberId = textOf(body, 'memberId');
    const role = roleOf(valueOf(body, 'role'));
    if (role === undefined) throw fail('INVALID_INPUT', { field: 'role', reason: 'is required' });
    const member = await asMember(pool, ctx.context.session, organizationId, async (run, self) => {
      const target = await getMember(run, organizationId, memberId);
      if (!mayChangeRole(self.role, target.role, role)) {
        throw fail('YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER');
      }
      await sql.updateRole(run, target.id, role);
      return { ...target, role };
    });
    return ctx.json(member);
  });
}

export interface Session {
  readonly user: { readonly id: string };
  readonly session: Readonly<Record<string, unknown>>;
}

/**
 * Runs `work` with the caller's own membership, no other change of the organization's members in between.
 * Throws YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION, the same for organizations that do not exist.
 */
export async function asMember<T>(
  pool: EnginePool,
  session: Session,
  organizationId: string,
  work: (run: RunStatement, self: sql.Member) => Promise<T>,
): Promise<T> {
  return inEngineTransaction(pool, async (run) => {
    await sql.lockOrganization(run, organizationId);
    const self = await sql.findMembership(run, organizationId, session.user.id);
    if (!self) throw fail('YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION');
    return work(run, self);
  });
}

async function getMember(
  run: RunStatement,
  organizationId: string,
  idOrEmail: string,
): Promise<sql.Member> {
  const found = await sql.findMember(run, organizationId, idOrEmail);
  if (!found) throw fail('MEMBER_NOT_FOUND');
  return found;
}

/** The organization that a request names, else the active one. Throws NO_ACTIVE_ORGANIZATION. */
export function organizationOf(body: unknown, { session }: Session): string {
  const named = valueOf(body, 'organizationId') ?? session['activeOrganizationId'];
  if (typeof named !== 'string') throw fail('NO_ACTIVE_ORGANIZATION');
  return named;
}

/** A text field of a body. Throws INVALID_INPUT when it is absent. */
export function textOf(body: unknown, field: string): string {
  const value = valueOf(body, field);
  if (typeof value !== 'string') throw fail('INVALID_INPUT', { field, reason: 'is required' });
  return value;
}

function valueOf(body: unknown, field: string): unknown {
  return isRecord(body) ? body[field] : undefined;
}
