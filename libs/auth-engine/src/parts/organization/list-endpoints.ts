// The lists of a user's organizations and of an organization's teams and invitations, whole and in order. The
// engine's own end after a hundred rows without a word.
import { sessionMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import { queryRows, type EnginePool } from '../../engine-pool.js';
import type { OrganizationRole } from './checks.js';
import { organizationOf, type Session } from './member-endpoints.js';

const signedIn = { method: 'GET' as const, use: [sessionMiddleware], requireHeaders: true };

/** The endpoints under the names of the engine's own. */
export function listEndpoints(pool: EnginePool) {
  return { listOrganizations: listOrganizations(pool), listInvitations: listInvitations(pool) };
}

/** The list of teams, under the name of the engine's own. */
export function listOrganizationTeams(pool: EnginePool) {
  return endpoint('/organization/list-teams', signedIn, async (ctx) => {
    const { organizationId } = await membershipOf(pool, ctx.query, ctx.context.session);
    const teams = await queryRows(
      pool,
      `select id, name, "organizationId", "createdAt", "updatedAt" from auth.team
       where "organizationId" = $1 order by "createdAt", id`,
      [organizationId],
    );
    return ctx.json(teams);
  });
}

function listOrganizations(pool: EnginePool) {
  return endpoint('/organization/list', signedIn, async (ctx) => {
    const organizations = await queryRows(
      pool,
      `select o.id, o.name, o.slug, o.logo, o."createdAt", o.metadata
       from auth.organization o join auth.member m on m."organizationId" = o.id
       where m."userId" = $1 order by m."createdAt", o.id`,
      [ctx.context.session.user.id],
    );
    return ctx.json(organizations);
  });
}

function listInvitations(pool: EnginePool) {
  return endpoint('/organization/list-invitations', signedIn, async (ctx) => {
    const { organizationId, role } = await membershipOf(pool, ctx.query, ctx.context.session);
    // A member who sees the id of an invitation can hand it on, so only members who may invite see them.
    if (role === 'member') throw fail('YOU_ARE_NOT_ALLOWED_TO_LIST_INVITATIONS');
    const invitations = await queryRows(
      pool,
      `select id, "organizationId", email, role, "teamId", status, "expiresAt", "createdAt", "inviterId"
       from auth.invitation where "organizationId" = $1 and ($2 = 'owner' or role <> 'owner')
       order by "createdAt" desc, id`,
      [organizationId, role],
    );
    return ctx.json(invitations);
  });
}

async function membershipOf(pool: EnginePool, query: unknown, session: Session) {
  const organizationId = organizationOf(query, session);
  const [self] = await queryRows<{ role: OrganizationRole }>(
    pool,
    'select role from auth.member where "organizationId" = $1 and "userId" = $2',
    [organizationId, session.user.id],
  );
  if (!self) throw fail('YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION');
  return { organizationId, role: self.role };
}
