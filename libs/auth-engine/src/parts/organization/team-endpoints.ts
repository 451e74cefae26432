// Deleting a team and listing who is in it. The engine does not let anybody delete the team that is active
// in the own session, nor owners and admins see a team that they are not in.
import { sessionMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import { queryRows, type EnginePool } from '../../engine-pool.js';
import { fieldIn } from '../../fields.js';
import { listOrganizationTeams } from './list-endpoints.js';
import { organizationOf, textOf } from './member-endpoints.js';

/** The endpoints under the names of the engine's own. */
export function teamEndpoints(pool: EnginePool) {
  return {
    removeTeam: removeTeam(pool),
    listTeamMembers: listTeamMembers(pool),
    listOrganizationTeams: listOrganizationTeams(pool),
  };
}

function removeTeam(pool: EnginePool) {
  return endpoint(
    '/organization/remove-team',
    { method: 'POST', use: [sessionMiddleware], requireHeaders: true },
    async (ctx, body) => {
      const organizationId = organizationOf(body, ctx.context.session);
      const userId = ctx.context.session.user.id;
      const [self] = await queryRows<{ role: string }>(
        pool,
        'select role from auth.member where "organizationId" = $1 and "userId" = $2',
        [organizationId, userId],
      );
      if (!self) throw fail('YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION');
      if (self.role === 'member') throw fail('YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM');
      // Sessions and invitations forget the team by triggers.
      const rows = await queryRows(
        pool,
        'delete from auth.team where id = $1 and "organizationId" = $2 returning id',
        [textOf(body, 'teamId'), organizationId],
      );
      if (rows.length === 0) throw fail('TEAM_NOT_FOUND');
      return ctx.json({ message: 'Team removed successfully.' });
    },
  );
}

function listTeamMembers(pool: EnginePool) {
  return endpoint(
    '/organization/list-team-members',
    { method: 'GET', use: [sessionMiddleware], requireHeaders: true },
    async (ctx) => {
      const { session, user } = ctx.context.session;
      const teamId = fieldIn(ctx.query, 'teamId') ?? fieldIn(session, 'activeTeamId');
      if (typeof teamId !== 'string') {
        throw fail('INVALID_INPUT', { field: 'teamId', reason: 'name a team or make one active' });
      }
      const [own] = await queryRows<{ mayList: boolean }>(
        pool,
        `select m.role <> 'member' or exists (
           select from auth."teamMember" where "teamId" = t.id and "userId" = m."userId"
         ) as "mayList"
         from auth.team t join auth.member m on m."organizationId" = t."organizationId"
         where t.id = $1 and m."userId" = $2`,
        [teamId, user.id],
      );
      // Teams of other organizations do not exist for the caller.
      if (!own) throw fail('TEAM_NOT_FOUND');
      if (!own.mayList) throw fail('USER_IS_NOT_A_MEMBER_OF_THE_TEAM');
      const members = await queryRows(
        pool,
        `select id, "teamId", "userId", "createdAt" from auth."teamMember" where "teamId" = $1
         order by "createdAt", id`,
        [teamId],
      );
      return ctx.json(members);
    },
  );
}
