// A custom provider may not have the id of an SSO provider: the accounts of both would be the same ones.
import { fail } from '#libs/errors';
import type { AuthConfig } from '../../auth-config.js';
import { queryRows } from '../../engine-pool.js';
import type { AuthPart } from '../../part.js';

/** Refuses new custom providers whose id an SSO provider has, those that are off, too. */
export const customProviderIds: AuthPart = {
  name: 'customProviderIds',
  routes: {},
  build: (config) =>
    config.settings['auth.oauth.custom'].providers.length === 0
      ? undefined
      : {
          plugins: [
            { id: 'platform-custom-provider-ids', init: () => refuseIdsOfSsoProviders(config) },
          ],
        },
};

/**
 * Throws INVALID_INPUT with the field. An engine is built before its settings are stored and a registration of
 * an SSO provider moves their version (sso/provider.sql.ts), so that a save which was decided before is decided
 * again. Ids that are stored already are let pass: a project must not lose its other ways to sign in, and an
 * SSO provider with the id of a custom one signs no user in.
 */
async function refuseIdsOfSsoProviders({
  settings,
  pool,
}: Pick<AuthConfig, 'settings' | 'pool'>): Promise<void> {
  const ids = settings['auth.oauth.custom'].providers.map((each) => each.providerId.toLowerCase());
  const rows = await queryRows<{ id: string }>(
    pool,
    `select pg_catalog.lower(p."providerId") as id from auth."ssoProvider" p
     where pg_catalog.lower(p."providerId") = any ($1) and not exists (
       select from platform.app_settings s, pg_catalog.jsonb_path_query(s.value, '$.providers[*].providerId') id
       where s.name = 'auth.oauth.custom' and pg_catalog.lower(id #>> '{}') = pg_catalog.lower(p."providerId"))`,
    [ids],
  );
  const index = ids.findIndex((id) => rows.some((row) => row.id === id));
  if (index === -1) return;
  throw fail('INVALID_INPUT', {
    field: `providers[${index}].providerId`,
    reason: 'is the id of an SSO provider',
  });
}
