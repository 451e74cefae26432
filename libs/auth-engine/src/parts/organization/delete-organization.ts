import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import type { EnginePool } from '../../engine-pool.js';
import { asMember, organizationOf, signedIn } from './member-endpoints.js';

/**
 * Deletes the organization that is named, else the active one, with everything that belongs to it; for
 * owners. The engine's own deletes only what is named.
 */
export function deleteOrganization(pool: EnginePool) {
  return endpoint('/organization/delete', signedIn, async (ctx, body) => {
    const { session } = ctx.context;
    const organizationId = organizationOf(body, session);
    const deleted = await asMember(pool, session, organizationId, async (run, self) => {
      if (self.role !== 'owner') throw fail('YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION');
      const [row] = await run<object>(
        `delete from auth.organization where id = $1
         returning id, name, slug, logo, "createdAt", metadata`,
        [organizationId],
      );
      return row ?? null;
    });
    return ctx.json(deleted);
  });
}
