import { sessionMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import { queryRows, type EnginePool } from '../../engine-pool.js';

/**
 * The open invitations to the caller's address, the newest first. The engine's own shows expired ones too
 * and needs no session. `isVerifiedOnly`: a user who has not proven the address sees none.
 */
export function listUserInvitations(pool: EnginePool, isVerifiedOnly: boolean) {
  return endpoint(
    '/organization/list-user-invitations',
    { method: 'GET', use: [sessionMiddleware], requireHeaders: true },
    async (ctx) => {
      const { user } = ctx.context.session;
      if (isVerifiedOnly && !user.emailVerified) {
        throw fail('EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION');
      }
      const rows = await queryRows(
        pool,
        `select i.id, i."organizationId", o.name as "organizationName", o.slug as "organizationSlug",
           i.email, i.role, i."teamId", i.status, i."expiresAt", i."createdAt", i."inviterId"
         from auth.invitation i join auth.organization o on o.id = i."organizationId"
         where i.email = pg_catalog.lower($1) and i.status = 'pending' and i."expiresAt" > pg_catalog.now()
         order by i."createdAt" desc, i.id`,
        [user.email],
      );
      return ctx.json(rows);
    },
  );
}
